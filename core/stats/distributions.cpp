// SPDX-License-Identifier: Apache-2.0
#include "core/stats/distributions.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cassert>
#include <cmath>

namespace kernelgate::stats {
namespace {

// Doubles stay doubles: long double arithmetic costs a factor of five and no table needs it.
using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Plain>;
using StudentsT = boost::math::students_t_distribution<double, Plain>;
using FisherF = boost::math::fisher_f_distribution<double, Plain>;

}  // namespace

double normal_quantile(double p) {
  assert(p > 0 && p < 1);
  return boost::math::quantile(Normal(), p);
}

double normal_upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double t_quantile(double p, double degrees) {
  assert(p > 0 && p < 1 && degrees > 0);
  return boost::math::quantile(StudentsT(degrees), p);
}

double t_upper_tail(double t, double degrees) {
  assert(degrees > 0);
  if (std::isinf(t)) return t > 0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::complement(StudentsT(degrees), t));
}

double f_quantile(double p, double degrees_numerator, double degrees_denominator) {
  assert(p > 0 && p < 1 && degrees_numerator > 0 && degrees_denominator > 0);
  return boost::math::quantile(FisherF(degrees_numerator, degrees_denominator), p);
}

double binomial_cdf(int successes, int trials, double p) {
  assert(trials >= 0 && p >= 0 && p <= 1);
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return boost::math::cdf(boost::math::binomial_distribution<double, Plain>(trials, p), successes);
}

double digamma(double x) { return boost::math::digamma(x, Plain()); }

double trigamma(double x) { return boost::math::trigamma(x, Plain()); }

double trigamma_inverse(double y) {
  assert(y > 0);
  // Newton on 1 / trigamma, which is convex and nearly linear (Smyth 2004): the start is below the root.
  double x = 0.5 + 1 / y;
  for (int i = 0; i < 50; ++i) {
    const double now = trigamma(x);
    const double step = now * (1 - now / y) / boost::math::polygamma(2, x, Plain());
    x += step;
    if (std::abs(step) < 1e-10 * x) break;
  }
  return x;
}

}  // namespace kernelgate::stats
