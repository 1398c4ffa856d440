// SPDX-License-Identifier: Apache-2.0
// /plot: the dashboard's plots as images, for comments and READMEs.
#include "server/plot/plots.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/history/history_query.hpp"
#include "server/api/pages/image.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::api {
namespace {

constexpr std::chrono::seconds kPlotKept{60};        // what may change
constexpr std::chrono::seconds kKeepFinished{3600};  // a finished run changes by an acknowledgement alone

Result<plot::Theme> theme_of(const http::Request& request) {
  const auto theme = plot::parse_theme(request.query_value("theme").value_or("auto"));
  if (!theme) return fail(Errc::invalid, "unknown theme", "query parameter theme", "auto, light or dark");
  return *theme;
}

}  // namespace

Result<http::Answer> get_run_plot(Context& context, const http::Request& request) {
  const auto theme = theme_of(request);
  if (!theme) return pass_on(theme);
  const auto id = run_parameter(request);
  if (!id) return pass_on(id);
  const auto run = service::whole_run(context.store, *id);
  if (!run) return pass_on(run);
  return image(context, request, plot::forest(*run, *theme), is_finished(run->state) ? kKeepFinished : kPlotKept,
               plot::policy_of(*theme));
}

Result<http::Answer> get_history_plot(Context& context, const http::Request& request) {
  const auto theme = theme_of(request);
  if (!theme) return pass_on(theme);
  const auto history = history_asked(context, request, limits::kPlotPointsMax);
  if (!history) return pass_on(history);
  return image(context, request, plot::history(*history, *theme), kPlotKept, plot::policy_of(*theme));
}

}  // namespace kernelgate::api
