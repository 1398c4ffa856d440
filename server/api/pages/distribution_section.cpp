// SPDX-License-Identifier: Apache-2.0
#include "server/api/pages/distribution_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "server/api/pages/html.hpp"

namespace kernelgate::api {
namespace {

std::string bar(int count, int most) {
  return fmt::format("{0} <meter min=\"0\" max=\"{1}\" value=\"{0}\">{0} of {1}</meter>", count, std::max(1, most));
}

std::string sentence(const DistributionChange& change) {
  const std::string what = change.kind == "tail"
                               ? fmt::format("{:.3g} % or more above the median", 100 * change.distance)
                               : fmt::format("in the slower of two modes, {:.3g} % apart", 100 * change.distance);
  return fmt::format("{:.0f} % of base's samples and {:.0f} % of head's lie {} (p {:.2g}).", 100 * change.base_share,
                     100 * change.head_share, what, change.p);
}

int largest(const std::vector<int>& counts) {
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

std::string histogram(const DistributionChange& change) {
  const std::size_t bins = std::min(change.base_counts.size(), change.head_counts.size());
  if (bins == 0 || change.low_ns <= 0) return {};
  const double width = std::log(change.high_ns / change.low_ns) / static_cast<double>(bins);
  const int most = std::max(largest(change.base_counts), largest(change.head_counts));
  std::string out =
      "<table>\n<caption>Samples by time</caption>\n" + html_head({"from, in ns", "base", "head"}) + "<tbody>\n";
  for (std::size_t i = 0; i < bins; ++i)
    out += html_row({{"from, in ns", fmt::format("{:.5g}", change.low_ns * std::exp(width * static_cast<double>(i)))},
                     {"base", bar(change.base_counts[i], most)},
                     {"head", bar(change.head_counts[i], most)}});
  return out + "</tbody>\n</table>\n";
}

}  // namespace

std::string distribution_section(const std::vector<Comparison>& comparisons) {
  std::string out;
  for (const Comparison& one : comparisons) {
    if (!one.distribution) continue;
    if (out.empty()) out = "<h2>What the medians hide</h2>\n<p>Warnings: they change no verdict.</p>\n";
    out += "<h3><code>" + escape_html(one.suite + ": " + one.benchmark) + "</code></h3>\n<p>" +
           escape_html(sentence(*one.distribution)) + "</p>\n" + histogram(*one.distribution);
  }
  return out;
}

}  // namespace kernelgate::api
