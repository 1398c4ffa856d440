// SPDX-License-Identifier: Apache-2.0
// /badge/NAME.svg: what the default branch stands at, as an image for other sites' pages.
#include <fmt/format.h>

#include "core/report/text.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/pages/image.hpp"
#include "service/history/overview.hpp"

namespace kernelgate::api {
namespace {

constexpr std::string_view kLabel = "kernelgate";
constexpr std::chrono::seconds kKeep{60};
constexpr int kCharWidth = 7;  // of 11 px Verdana, on the safe side

std::string_view colour_of(std::optional<Conclusion> conclusion) {
  constexpr std::string_view kGood = "#2a7f3e", kBad = "#b3261e", kWarning = "#8a5a00", kDim = "#6b6b6b";
  if (!conclusion) return kDim;
  switch (*conclusion) {
    case Conclusion::passed: return kGood;
    case Conclusion::regressed:
    case Conclusion::broken:
    case Conclusion::build_failed: return kBad;
    case Conclusion::undecided:
    case Conclusion::infrastructure: return kWarning;
    case Conclusion::cancelled: return kDim;
  }
  return kDim;
}

std::string draw(std::optional<Conclusion> conclusion) {
  const std::string text = report::escape_html(conclusion ? to_string(*conclusion) : "not yet judged");
  const int left = kCharWidth * static_cast<int>(kLabel.size()) + 10;
  const int right = kCharWidth * static_cast<int>(text.size()) + 10;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{4}: {5}">)"
      R"(<title>{4}: {5}</title><rect width="{1}" height="20" fill="#333"/>)"
      R"(<rect x="{1}" width="{2}" height="20" fill="{3}"/>)"
      R"(<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">)"
      R"(<text x="{6}" y="14">{4}</text><text x="{7}" y="14">{5}</text></g></svg>)",
      left + right, left, right, colour_of(conclusion), kLabel, text, left / 2, left + right / 2);
}

}  // namespace

Result<http::Answer> get_badge(Context& context, const http::Request& request) {
  const auto conclusion =
      service::branch_conclusion(context.store, request.parameter("repository"), context.clock.now());
  if (!conclusion) return pass_on(conclusion);
  return image(context, request, draw(*conclusion), kKeep);
}

}  // namespace kernelgate::api
