// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one table of endpoints, and the handlers it names: one file per resource. docs/openapi.yaml
// says the same for people; a test compares the two.

#include <span>

#include "server/api/context.hpp"
#include "server/http/route.hpp"

namespace kernelgate::api {

struct Endpoint {
  http::Route route;
  Handler handler;
};
[[nodiscard]] std::span<const Endpoint> endpoints();
[[nodiscard]] std::span<const http::Route> routes();  // of the same order

// health.cpp
Result<http::Answer> get_health(Context& context, const http::Request& request);
Result<http::Answer> get_metrics(Context& context, const http::Request& request);
Result<http::Answer> get_events(Context& context, const http::Request& request);
// dashboard.cpp
Result<http::Answer> get_asset(Context& context, const http::Request& request);
// session.cpp
Result<http::Answer> post_session(Context& context, const http::Request& request);
Result<http::Answer> get_session(Context& context, const http::Request& request);
Result<http::Answer> delete_session(Context& context, const http::Request& request);
// calibrations.cpp
Result<http::Answer> post_calibration(Context& context, const http::Request& request);
// quarantines.cpp
Result<http::Answer> get_quarantines(Context& context, const http::Request& request);
Result<http::Answer> post_quarantine(Context& context, const http::Request& request);
Result<http::Answer> post_quarantine_release(Context& context, const http::Request& request);
// upkeep.cpp
Result<http::Answer> get_baseline_diff(Context& context, const http::Request& request);
Result<http::Answer> get_baseline_export(Context& context, const http::Request& request);
Result<http::Answer> post_baseline_import(Context& context, const http::Request& request);
Result<http::Answer> post_prune(Context& context, const http::Request& request);
// acts.cpp
Result<http::Answer> get_audit(Context& context, const http::Request& request);
// tokens.cpp
Result<http::Answer> get_tokens(Context& context, const http::Request& request);
Result<http::Answer> post_token_revoke(Context& context, const http::Request& request);
// badge.cpp
Result<http::Answer> get_badge(Context& context, const http::Request& request);
// plots.cpp
Result<http::Answer> get_run_plot(Context& context, const http::Request& request);
Result<http::Answer> get_history_plot(Context& context, const http::Request& request);
// overview.cpp
Result<http::Answer> get_overview(Context& context, const http::Request& request);
Result<http::Answer> get_failures(Context& context, const http::Request& request);
// pages.cpp
Result<http::Answer> get_start_page(Context& context, const http::Request& request);
Result<http::Answer> get_run_page(Context& context, const http::Request& request);
Result<http::Answer> get_style(Context& context, const http::Request& request);
// repositories.cpp
Result<http::Answer> post_repository(Context& context, const http::Request& request);
Result<http::Answer> get_repositories(Context& context, const http::Request& request);
Result<http::Answer> get_repository(Context& context, const http::Request& request);
Result<http::Answer> put_manifest(Context& context, const http::Request& request);
// triggers.cpp
Result<http::Answer> post_trigger(Context& context, const http::Request& request);
// webhooks.cpp
Result<http::Answer> post_github_webhook(Context& context, const http::Request& request);
Result<http::Answer> get_deliveries(Context& context, const http::Request& request);
Result<http::Answer> get_delivery_payload(Context& context, const http::Request& request);
Result<http::Answer> post_delivery_retry(Context& context, const http::Request& request);
// approvals.cpp
Result<http::Answer> post_approve(Context& context, const http::Request& request);
Result<http::Answer> post_refuse(Context& context, const http::Request& request);
// runs.cpp
Result<http::Answer> get_runs(Context& context, const http::Request& request);
Result<http::Answer> get_run(Context& context, const http::Request& request);
Result<http::Answer> post_cancel(Context& context, const http::Request& request);
Result<http::Answer> post_retry(Context& context, const http::Request& request);
// run_parts.cpp
Result<http::Answer> get_comparisons(Context& context, const http::Request& request);
Result<http::Answer> get_processes(Context& context, const http::Request& request);
Result<http::Answer> get_cost(Context& context, const http::Request& request);
Result<http::Answer> get_ceilings(Context& context, const http::Request& request);
Result<http::Answer> get_counters(Context& context, const http::Request& request);
Result<http::Answer> get_profiles(Context& context, const http::Request& request);
Result<http::Answer> post_profile(Context& context, const http::Request& request);
Result<http::Answer> get_checks(Context& context, const http::Request& request);
Result<http::Answer> get_logs(Context& context, const http::Request& request);
Result<http::Answer> get_log(Context& context, const http::Request& request);
// bundle.cpp
Result<http::Answer> get_bundle(Context& context, const http::Request& request);
// history.cpp
Result<http::Answer> get_benchmarks(Context& context, const http::Request& request);
Result<http::Answer> get_series(Context& context, const http::Request& request);
Result<http::Answer> get_history(Context& context, const http::Request& request);
Result<http::Answer> get_history_columns(Context& context, const http::Request& request);
// testbeds.cpp
Result<http::Answer> get_epochs(Context& context, const http::Request& request);
Result<http::Answer> get_calibration(Context& context, const http::Request& request);
// baselines.cpp
Result<http::Answer> get_baselines(Context& context, const http::Request& request);
Result<http::Answer> get_baseline(Context& context, const http::Request& request);
Result<http::Answer> post_baseline(Context& context, const http::Request& request);
Result<http::Answer> post_remeasure(Context& context, const http::Request& request);
// acknowledgements.cpp
Result<http::Answer> get_acknowledgements(Context& context, const http::Request& request);
Result<http::Answer> post_acknowledgement(Context& context, const http::Request& request);
Result<http::Answer> post_revoke(Context& context, const http::Request& request);
// outbox.cpp
Result<http::Answer> get_outbox(Context& context, const http::Request& request);
Result<http::Answer> post_outbox_retry(Context& context, const http::Request& request);
// attempts.cpp
Result<http::Answer> get_attempts(Context& context, const http::Request& request);
Result<http::Answer> get_attempt(Context& context, const http::Request& request);
Result<http::Answer> post_attempt(Context& context, const http::Request& request);
Result<http::Answer> patch_attempt(Context& context, const http::Request& request);
// reports.cpp
Result<http::Answer> get_tuning_report(Context& context, const http::Request& request);
// bisections.cpp
Result<http::Answer> get_bisections(Context& context, const http::Request& request);
Result<http::Answer> post_bisection(Context& context, const http::Request& request);
Result<http::Answer> get_bisection(Context& context, const http::Request& request);
Result<http::Answer> post_bisection_cancel(Context& context, const http::Request& request);
Result<http::Answer> post_backfill(Context& context, const http::Request& request);
// claims.cpp
Result<http::Answer> post_claim(Context& context, const http::Request& request);
Result<http::Answer> post_heartbeat(Context& context, const http::Request& request);
Result<http::Answer> post_resolved(Context& context, const http::Request& request);
Result<http::Answer> post_release(Context& context, const http::Request& request);
Result<http::Answer> post_profile_claim(Context& context, const http::Request& request);
Result<http::Answer> post_profile_end(Context& context, const http::Request& request);
// uploads.cpp
Result<http::Answer> post_processes(Context& context, const http::Request& request);
Result<http::Answer> post_log(Context& context, const http::Request& request);
// finish.cpp
Result<http::Answer> post_epoch(Context& context, const http::Request& request);
Result<http::Answer> post_finish(Context& context, const http::Request& request);

}  // namespace kernelgate::api
