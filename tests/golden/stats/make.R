# SPDX-License-Identifier: Apache-2.0
# Usage: Rscript make.R > vectors.json     (Debian: r-base-core)
# Inputs and answers for the statistics of core/stats, from R's own functions where it has them, else from the
# definition written out. Made once; the tests read the file and need no R. Statistics were taken out since: a new run
# draws other values for benjamini_hochberg and quantile_interval.
suppressWarnings(RNGversion("4.2.0"))
set.seed(20261121)
number <- function(x) ifelse(is.finite(x), formatC(x, digits = 17, format = "g"), "null")
array <- function(x) paste0("[", paste(number(x), collapse = ","), "]")
first <- TRUE
emit <- function(test, ...) {
  fields <- list(...)
  text <- paste0('"', names(fields), '":', vapply(fields, function(x) if (length(x) == 1 && is.null(attr(x, "array")))
    number(x) else array(x), ""), collapse = ",")
  cat(if (first) "" else ",\n", '{"test":"', test, '",', text, "}", sep = "")
  first <<- FALSE
}
vec <- function(x) { attr(x, "array") <- TRUE; x }
draw <- function(n, scale = 1, ties = 0) {
  x <- exp(rnorm(n, 0, .1))
  if (ties > 0) x <- round(x * ties) / ties
  x * scale
}
# The permutation test of Mann-Whitney's U by trying every choice.
permuted <- function(a, b) {
  pooled <- c(a, b)
  r <- rank(pooled)
  sums <- colSums(matrix(r[combn(length(pooled), length(b))], nrow = length(b)))
  centre <- length(b) * (length(pooled) + 1) / 2
  observed <- sum(r[length(a) + seq_along(b)])
  mean(abs(sums - centre) >= abs(observed - centre) - 1e-9)
}
cliff <- function(a, b, confidence = .95) {
  m <- length(a); n <- length(b)
  s <- sign(outer(b, a, "-"))
  d <- mean(s)
  v <- (n^2 * sum((colMeans(s) - d)^2) + m^2 * sum((rowMeans(s) - d)^2) - sum((s - d)^2)) / (m * n * (m - 1) * (n - 1))
  v <- max(v, (1 - d^2) / (m * n - 1))
  z <- qt(.5 + confidence / 2, m + n - 2)
  spread <- z * sqrt(v) * sqrt((1 - d^2)^2 + z^2 * v)
  list(d = d, low = max(-1, (d - d^3 - spread) / (1 - d^2 + z^2 * v)),
       high = min(1, (d - d^3 + spread) / (1 - d^2 + z^2 * v)))
}

cat("[\n")
for (p in c(.5, .9, .975, .995, .999, .9999)) {
  for (df in c(1, 2, 3, 7, 15, 16, 30, 200)) emit("t_quantile", p = p, degrees = df, value = qt(p, df))
  for (df in c(1, 3, 7, 15)) emit("f_quantile", p = p, numerator = df, denominator = 15, value = qf(p, df, 15))
}
for (n in c(1, 2, 5, 9, 40)) for (p in c(0, .1, .25, .5, .77, 1)) {
  x <- draw(n, 10^sample(c(-9, 0, 9), 1))
  emit("quantile", values = vec(x), p = p, value = unname(quantile(x, p, type = 7)))
}
for (sizes in list(c(1, 1), c(1, 6), c(4, 4), c(3, 8), c(9, 9), c(16, 16), c(20, 31), c(49, 49))) {
  for (scale in c(1e-9, 1, 1e9)) {
    a <- draw(sizes[1], scale); b <- draw(sizes[2], scale) * 1.03
    emit("mann_whitney", first = vec(a), second = vec(b), tolerance = 1e-10,
         u = unname(wilcox.test(b, a)$statistic), p = wilcox.test(b, a, exact = TRUE)$p.value)
    if (min(sizes) >= 4) {
      k <- cliff(a, b)
      emit("cliffs_delta", first = vec(a), second = vec(b), estimate = k$d, low = k$low, high = k$high)
    }
  }
}
for (sizes in list(c(3, 4), c(5, 5), c(6, 8), c(8, 8))) for (ties in c(5, 10, 20)) {
  a <- draw(sizes[1], ties = ties); b <- draw(sizes[2], ties = ties)
  emit("mann_whitney", first = vec(a), second = vec(b), tolerance = 1e-10,
       u = sum(outer(b, a, ">")) + sum(outer(b, a, "==")) / 2, p = permuted(a, b))
}
for (ties in c(0, 200)) {
  a <- draw(90, ties = ties); b <- draw(80, ties = ties) * 1.02
  w <- suppressWarnings(wilcox.test(b, a, exact = FALSE, correct = TRUE))
  emit("mann_whitney", first = vec(a), second = vec(b), tolerance = 2e-3, u = unname(w$statistic), p = w$p.value)
}
for (n in c(2, 5, 6, 9, 16, 33, 50)) for (scale in c(1e-9, 1, 1e9)) {
  d <- rnorm(n, .3) * scale
  w <- suppressWarnings(wilcox.test(d, exact = TRUE, conf.int = TRUE))
  walsh <- outer(d, d, "+") / 2
  if (n >= 6) emit("hodges_lehmann", differences = vec(d), estimate = median(walsh[upper.tri(walsh, TRUE)]),
                   low = w$conf.int[1], high = w$conf.int[2])
}
for (n in c(1, 2, 10, 50)) { p <- runif(n)^3; emit("benjamini_hochberg", p = vec(p), q = vec(p.adjust(p, "BH"))) }
for (n in c(1, 5, 9, 30, 101)) for (p in c(.1, .5, .9)) {
  x <- sort(draw(n))
  low <- max(1, qbinom(.025, n, p)); high <- min(n, qbinom(.975, n, p) + 1)
  while (low < n && pbinom(low, n, p) <= .025) low <- low + 1
  while (high > 1 && 1 - pbinom(high - 2, n, p) <= .025) high <- high - 1
  emit("quantile_interval", values = vec(x), p = p, low = x[low], high = x[max(low, high)])
}
cat("\n]\n")
