// SPDX-License-Identifier: Apache-2.0
#pragma once

// Quantiles and tails of the normal, t and F distributions. The only user of Boost.Math.
// Arguments are our own constants: a probability outside (0, 1) or degrees <= 0 is a mistake of
// ours and asserts.

namespace kernelgate::stats {

[[nodiscard]] double normal_quantile(double p);
[[nodiscard]] double normal_upper_tail(double z);

// x with P(T <= x) = p.
[[nodiscard]] double t_quantile(double p, double degrees);
[[nodiscard]] double t_upper_tail(double t, double degrees);

// x with P(F <= x) = p.
[[nodiscard]] double f_quantile(double p, double degrees_numerator, double degrees_denominator);

// P(X <= successes) of `trials` draws with chance p each, 0 <= p <= 1.
[[nodiscard]] double binomial_cdf(int successes, int trials, double p);

// Derivatives of the logarithm of the gamma function, x > 0, and the x > 0 whose trigamma is y > 0.
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);
[[nodiscard]] double trigamma_inverse(double y);

}  // namespace kernelgate::stats
