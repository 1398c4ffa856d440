# SPDX-License-Identifier: Apache-2.0
# Usage: Rscript speed.R. Seconds that R takes for what core/stats/stats_bench.cpp times: U with p, Cliff's delta, and
# the Hodges-Lehmann shift with its interval, 1,000 values a side.
set.seed(20261121)
a <- rnorm(1000)
b <- rnorm(1000, .1)
repeats <- 5
u <- system.time(for (i in 1:repeats) wilcox.test(b, a, exact = FALSE))["elapsed"] / repeats
delta <- system.time(for (i in 1:repeats) mean(sign(outer(b, a, "-"))))["elapsed"] / repeats
shift <- system.time(for (i in 1:repeats) wilcox.test(b, a, exact = FALSE, conf.int = TRUE))["elapsed"] / repeats
cat(sprintf("u %.5f delta %.5f shift with interval (and u) %.5f\n", u, delta, shift))
