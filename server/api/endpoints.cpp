// SPDX-License-Identifier: Apache-2.0
#include "server/api/endpoints.hpp"

#include <array>

namespace kernelgate::api {
namespace {

using http::Access;
using http::Method;

constexpr Endpoint kEndpoints[] = {
    {{Method::get, "/healthz", Access::open}, get_health},
    {{Method::get, "/metrics", Access::open}, get_metrics},
    {{Method::get, "/style.css", Access::open}, get_style},
    {{Method::get, "/assets/{name}", Access::open}, get_asset},
    {{Method::get, "/badge/{repository}.svg", Access::badge}, get_badge},
    {{Method::get, "/plot/runs/{id}.svg", Access::badge}, get_run_plot},
    {{Method::get, "/plot/history.svg", Access::badge}, get_history_plot},
    {{Method::get, "/", Access::page}, get_start_page},
    {{Method::get, "/runs", Access::page}, get_start_page},
    {{Method::get, "/runs/{id}", Access::page}, get_run_page},
    {{Method::get, "/history", Access::page}, get_start_page},
    {{Method::get, "/compare", Access::page}, get_start_page},
    {{Method::get, "/benchmarks", Access::page}, get_start_page},
    {{Method::get, "/baselines", Access::page}, get_start_page},
    {{Method::get, "/testbeds", Access::page}, get_start_page},
    {{Method::get, "/attempts", Access::page}, get_start_page},
    {{Method::get, "/bisections", Access::page}, get_start_page},
    {{Method::get, "/bisections/{id}", Access::page}, get_start_page},
    {{Method::get, "/roofline", Access::page}, get_start_page},
    {{Method::get, "/admin", Access::page}, get_start_page},
    {{Method::get, "/api/v1/session", Access::read}, get_session},
    {{Method::post, "/api/v1/session", Access::open}, post_session},
    {{Method::delete_, "/api/v1/session", Access::read}, delete_session},
    {{Method::get, "/api/v1/overview", Access::read}, get_overview},
    {{Method::get, "/api/v1/failures", Access::read}, get_failures},
    {{Method::get, "/api/v1/repositories", Access::read}, get_repositories},
    {{Method::post, "/api/v1/repositories", Access::admin}, post_repository},
    {{Method::get, "/api/v1/repositories/{name}", Access::read}, get_repository},
    {{Method::put, "/api/v1/repositories/{name}/manifest", Access::admin}, put_manifest},
    {{Method::post, "/api/v1/triggers", Access::trigger}, post_trigger},
    {{Method::get, "/api/v1/runs", Access::read}, get_runs},
    {{Method::get, "/api/v1/runs/{id}", Access::read}, get_run},
    {{Method::post, "/api/v1/runs/{id}/cancel", Access::trigger}, post_cancel},
    {{Method::post, "/api/v1/runs/{id}/retry", Access::trigger}, post_retry},
    {{Method::post, "/api/v1/runs/{id}/approve", Access::trigger}, post_approve},
    {{Method::post, "/api/v1/runs/{id}/refuse", Access::trigger}, post_refuse},
    {{Method::get, "/api/v1/runs/{id}/comparisons", Access::read}, get_comparisons},
    {{Method::get, "/api/v1/runs/{id}/processes", Access::read}, get_processes},
    {{Method::get, "/api/v1/runs/{id}/cost", Access::read}, get_cost},
    {{Method::get, "/api/v1/runs/{id}/ceilings", Access::read}, get_ceilings},
    {{Method::get, "/api/v1/runs/{id}/counters", Access::read}, get_counters},
    {{Method::get, "/api/v1/runs/{id}/profiles", Access::read}, get_profiles},
    {{Method::post, "/api/v1/runs/{id}/profiles", Access::trigger}, post_profile},
    {{Method::get, "/api/v1/runs/{id}/checks", Access::read}, get_checks},
    {{Method::get, "/api/v1/runs/{id}/logs", Access::read}, get_logs},
    {{Method::get, "/api/v1/runs/{id}/logs/{name}", Access::read}, get_log},
    {{Method::get, "/api/v1/runs/{id}/bundle", Access::read}, get_bundle},
    {{Method::get, "/api/v1/benchmarks", Access::read}, get_benchmarks},
    {{Method::get, "/api/v1/series", Access::read}, get_series},
    {{Method::get, "/api/v1/history", Access::read}, get_history},
    {{Method::get, "/api/v1/history/columns", Access::read}, get_history_columns},
    {{Method::get, "/api/v1/epochs", Access::read}, get_epochs},
    {{Method::get, "/api/v1/calibration", Access::read}, get_calibration},
    {{Method::post, "/api/v1/calibrations", Access::runner}, post_calibration},
    {{Method::get, "/api/v1/baselines", Access::read}, get_baselines},
    {{Method::post, "/api/v1/baselines", Access::admin}, post_baseline},
    {{Method::get, "/api/v1/baselines/diff", Access::read}, get_baseline_diff},
    {{Method::get, "/api/v1/baselines/export", Access::read}, get_baseline_export},
    {{Method::post, "/api/v1/baselines/import", Access::admin}, post_baseline_import},
    {{Method::get, "/api/v1/baselines/{id}", Access::read}, get_baseline},
    {{Method::post, "/api/v1/baselines/remeasure", Access::trigger}, post_remeasure},
    {{Method::get, "/api/v1/acknowledgements", Access::read}, get_acknowledgements},
    {{Method::post, "/api/v1/acknowledgements", Access::admin}, post_acknowledgement},
    {{Method::post, "/api/v1/acknowledgements/{id}/revoke", Access::admin}, post_revoke},
    {{Method::post, "/webhooks/github", Access::open}, post_github_webhook},
    {{Method::get, "/api/v1/deliveries", Access::admin}, get_deliveries},
    {{Method::get, "/api/v1/deliveries/{id}/payload", Access::admin}, get_delivery_payload},
    {{Method::post, "/api/v1/deliveries/{id}/retry", Access::admin}, post_delivery_retry},
    {{Method::get, "/api/v1/outbox", Access::admin}, get_outbox},
    {{Method::post, "/api/v1/outbox/{id}/retry", Access::admin}, post_outbox_retry},
    {{Method::get, "/api/v1/attempts", Access::read}, get_attempts},
    {{Method::post, "/api/v1/attempts", Access::trigger}, post_attempt},
    {{Method::get, "/api/v1/attempts/{id}", Access::read}, get_attempt},
    {{Method::patch, "/api/v1/attempts/{id}", Access::trigger}, patch_attempt},
    {{Method::get, "/api/v1/reports/tuning", Access::read}, get_tuning_report},
    {{Method::get, "/api/v1/quarantines", Access::read}, get_quarantines},
    {{Method::post, "/api/v1/quarantines", Access::admin}, post_quarantine},
    {{Method::post, "/api/v1/quarantines/{id}/release", Access::admin}, post_quarantine_release},
    {{Method::post, "/api/v1/prune", Access::admin}, post_prune},
    {{Method::get, "/api/v1/audit", Access::admin}, get_audit},
    {{Method::get, "/api/v1/tokens", Access::admin}, get_tokens},
    {{Method::post, "/api/v1/tokens/{name}/revoke", Access::admin}, post_token_revoke},
    {{Method::get, "/api/v1/bisections", Access::read}, get_bisections},
    {{Method::post, "/api/v1/bisections", Access::trigger}, post_bisection},
    {{Method::get, "/api/v1/bisections/{id}", Access::read}, get_bisection},
    {{Method::post, "/api/v1/bisections/{id}/cancel", Access::trigger}, post_bisection_cancel},
    {{Method::post, "/api/v1/backfills", Access::trigger}, post_backfill},
    {{Method::get, "/api/v1/events", Access::read}, get_events},
    {{Method::post, "/api/v1/runner/claim", Access::runner}, post_claim},
    {{Method::post, "/api/v1/runner/runs/{id}/heartbeat", Access::runner}, post_heartbeat},
    {{Method::post, "/api/v1/runner/runs/{id}/resolved", Access::runner}, post_resolved},
    {{Method::post, "/api/v1/runner/runs/{id}/processes", Access::runner}, post_processes},
    {{Method::post, "/api/v1/runner/runs/{id}/logs", Access::runner}, post_log},
    {{Method::post, "/api/v1/runner/runs/{id}/epoch", Access::runner}, post_epoch},
    {{Method::post, "/api/v1/runner/runs/{id}/finish", Access::runner}, post_finish},
    {{Method::post, "/api/v1/runner/runs/{id}/release", Access::runner}, post_release},
    {{Method::post, "/api/v1/runner/profiles/claim", Access::runner}, post_profile_claim},
    {{Method::post, "/api/v1/runner/profiles/{id}/end", Access::runner}, post_profile_end},
};

constexpr auto kRoutes = [] {
  std::array<http::Route, std::size(kEndpoints)> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kEndpoints[i].route;
  return out;
}();

}  // namespace

std::span<const Endpoint> endpoints() { return kEndpoints; }

std::span<const http::Route> routes() { return kRoutes; }

}  // namespace kernelgate::api
