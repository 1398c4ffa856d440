# SPDX-License-Identifier: Apache-2.0
# Usage: Rscript speed.R [REPEATS]. Milliseconds of processor time that R takes for what core/stats/stats_bench.cpp
# times, a line for each repeat: Cliff's delta with its interval, U with p, and the Hodges-Lehmann estimate of the paired
# differences with its interval, 1,000 values a side.
set.seed(20261121)
a <- rnorm(1000)
b <- rnorm(1000, .1)
cliff <- function(a, b) {
  m <- length(a); n <- length(b)
  s <- sign(outer(b, a, "-"))
  d <- mean(s)
  v <- (n^2 * sum((colMeans(s) - d)^2) + m^2 * sum((rowMeans(s) - d)^2) - sum((s - d)^2)) / (m * n * (m - 1) * (n - 1))
  z <- qt(.975, m + n - 2)
  spread <- z * sqrt(v) * sqrt((1 - d^2)^2 + z^2 * v)
  c(d, (d - d^3 - spread) / (1 - d^2 + z^2 * v), (d - d^3 + spread) / (1 - d^2 + z^2 * v))
}
arguments <- commandArgs(TRUE)
repeats <- if (length(arguments) > 0) as.integer(arguments[1]) else 10
for (i in 1:repeats) {
  delta <- sum(system.time(cliff(a, b))[1:2])
  rank <- sum(system.time(wilcox.test(b, a, exact = FALSE))[1:2])
  paired <- sum(system.time(wilcox.test(b - a, exact = FALSE, conf.int = TRUE))[1:2])
  cat(sprintf("%.1f %.1f %.1f\n", 1e3 * delta, 1e3 * rank, 1e3 * paired))
}
