// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one table of endpoints: the server takes its routes and handlers from it, the client its calls, and
// docs/openapi.yaml its paths, roles, bodies and answers (core/wire/contract, which adds parameters and other prose).
// A row: the handler's name, method, path, role, body, answer, summary. Bodies and answers are messages, which need
// not be complete here, or one of the content types below.

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/wire/route.hpp"
#include "core/wire/schema.hpp"

namespace kernelgate::wire {

// Bodies that are no message.
struct Nothing {};
struct ForeignEvent {
  static constexpr std::string_view kType = "application/json";
};  // a forge's own
struct TomlText {
  static constexpr std::string_view kType = "application/toml";
};
struct JsonLines {
  static constexpr std::string_view kType = "application/x-ndjson";
};
struct PlainText {
  static constexpr std::string_view kType = "text/plain";
};
struct SvgImage {
  static constexpr std::string_view kType = "image/svg+xml";
};
struct EventStream {
  static constexpr std::string_view kType = "text/event-stream";
};
struct BundleFile {
  static constexpr std::string_view kType = "application/zstd";
};
struct RawBytes {
  static constexpr std::string_view kType = "application/octet-stream";
};
struct AnyFile {
  static constexpr std::string_view kType = "*/*";
};

#define KG_WIRE_ENDPOINTS(X)                                                                                           \
  X(get_health, get, "/healthz", open, Nothing, Health, "Whether the server and its store answer")                     \
  X(get_metrics, get, "/metrics", read, Nothing, PlainText, "Figures for Prometheus")                                  \
  X(get_asset, get, "/assets/{name}", open, Nothing, AnyFile,                                                          \
    "A file of the dashboard; its name changes with its text")                                                         \
  X(get_badge, get, "/badge/{repository}.svg", badge, Nothing, SvgImage,                                               \
    "The conclusion of the newest judged run of the default branch, as an image")                                      \
  X(get_run_plot, get, "/plot/runs/{id}.svg", badge, Nothing, SvgImage,                                                \
    "A run's benchmarks as a forest plot, as an image")                                                                \
  X(get_history_plot, get, "/plot/history.svg", badge, Nothing, SvgImage, "A benchmark's history, as an image")        \
  X(get_session, get, "/api/v1/session", read, Nothing, Caller, "Who asks")                                            \
  X(post_session, post, "/api/v1/session", open, LoginRequest, Caller, "Log a browser in with a token")                \
  X(delete_session, delete_, "/api/v1/session", read, Nothing, Nothing, "Log out")                                     \
  X(get_overview, get, "/api/v1/overview", read, Nothing, Overview, "What stands now; looks at the newest 5,000 runs") \
  X(get_failures, get, "/api/v1/failures", read, Nothing, Failures,                                                    \
    "Runs in which a failure of one fingerprint was found, newest first")                                              \
  X(get_repositories, get, "/api/v1/repositories", read, Nothing, RepositoryPage, "The watched repositories")          \
  X(post_repository, post, "/api/v1/repositories", admin, RepositoryRequest, Repository, "Watch a repository")         \
  X(get_repository, get, "/api/v1/repositories/{name}", read, Nothing, Repository, "One repository")                   \
  X(put_manifest, put, "/api/v1/repositories/{name}/manifest", admin, TomlText, Repository,                            \
    "Register a manifest that wins over the one in the tree; an empty body removes it")                                \
  X(post_webhook_secret, post, "/api/v1/repositories/{name}/webhook-secret", admin, Nothing, WebhookSecret,            \
    "Give a repository a new secret for its own webhooks; the old one counts for another hour")                        \
  X(post_trigger, post, "/api/v1/triggers", trigger, Trigger, TriggerReply,                                            \
    "Have a commit judged; on disk before it is answered")                                                             \
  X(get_runs, get, "/api/v1/runs", read, Nothing, RunPage, "Runs")                                                     \
  X(get_run, get, "/api/v1/runs/{id}", read, Nothing, Run, "One run with its comparisons; waits until it is finished") \
  X(post_cancel, post, "/api/v1/runs/{id}/cancel", trigger, Nothing, Run, "End a run without a conclusion")            \
  X(post_retry, post, "/api/v1/runs/{id}/retry", trigger, Nothing, Run, "Measure a finished run again, as a new run")  \
  X(post_approve, post, "/api/v1/runs/{id}/approve", trigger, Nothing, Run, "Queue a held run of a fork")              \
  X(post_refuse, post, "/api/v1/runs/{id}/refuse", trigger, RefuseRequest, Run,                                        \
    "Cancel a held run of a fork, with the reason")                                                                    \
  X(get_comparisons, get, "/api/v1/runs/{id}/comparisons", read, Nothing, ComparisonPage, "Comparisons of a run")      \
  X(get_processes, get, "/api/v1/runs/{id}/processes", read, Nothing, ProcessPage,                                     \
    "Processes of a run with every sample")                                                                            \
  X(get_pairs, get, "/api/v1/runs/{id}/pairs", read, Nothing, PairFigures,                                             \
    "The pairs of one benchmark as the decision counted them")                                                         \
  X(get_cost, get, "/api/v1/runs/{id}/cost", read, Nothing, Cost,                                                      \
    "What a run cost, in seconds of the device and in money")                                                          \
  X(get_ceilings, get, "/api/v1/runs/{id}/ceilings", read, Nothing, RunCeilings,                                       \
    "The rates of the run's GPU that its benchmarks' roofs were drawn from")                                           \
  X(get_counters, get, "/api/v1/runs/{id}/counters", read, Nothing, RunCounters,                                       \
    "What the profiler counted while the run was measured: of what regressed, on both sides")                          \
  X(get_profiles, get, "/api/v1/runs/{id}/profiles", read, Nothing, ProfileList,                                       \
    "Profiles that people asked for, newest first")                                                                    \
  X(post_profile, post, "/api/v1/runs/{id}/profiles", trigger, ProfileRequest, Profile,                                \
    "Profile one benchmark of the run on both its commits")                                                            \
  X(get_checks, get, "/api/v1/runs/{id}/checks", read, Nothing, CheckPage, "Check cases of a run")                     \
  X(get_logs, get, "/api/v1/runs/{id}/logs", read, Nothing, LogPage, "Names of the logs of a run")                     \
  X(get_log, get, "/api/v1/runs/{id}/logs/{name}", read, Nothing, PlainText, "One log")                                \
  X(get_bundle, get, "/api/v1/runs/{id}/bundle", read, Nothing, BundleFile,                                            \
    "A finished run as a file that can be replayed (docs/BUNDLE.md)")                                                  \
  X(get_compared_runs, get, "/api/v1/compare", read, Nothing, ComparedRuns,                                            \
    "Two finished runs compared with each other")                                                                      \
  X(get_benchmarks, get, "/api/v1/benchmarks", read, Nothing, BenchmarkPage, "Benchmarks of a repository")             \
  X(get_series, get, "/api/v1/series", read, Nothing, SeriesPage,                                                      \
    "History of one benchmark, one point per finished run")                                                            \
  X(get_history, get, "/api/v1/history", read, Nothing, BenchmarkHistory,                                              \
    "One benchmark on the default branch in one epoch, with its changes of level, creep and anchored baseline")        \
  X(get_history_columns, get, "/api/v1/history/columns", read, Nothing, HistoryInColumns,                              \
    "The same as /api/v1/history, its points as one array a member")                                                   \
  X(get_epochs, get, "/api/v1/epochs", read, Nothing, EpochPage, "Epochs of all testbeds, newest first")               \
  X(get_calibration, get, "/api/v1/calibration", read, Nothing, CalibrationAnswer,                                     \
    "What the last calibration of a repository in an epoch found")                                                     \
  X(post_calibration, post, "/api/v1/calibrations", runner, CalibrationUpload, CalibrationReply,                       \
    "Keeps what a machine found when it timed suites against themselves")                                              \
  X(get_baselines, get, "/api/v1/baselines", read, Nothing, BaselinePage, "Baselines of a repository")                 \
  X(post_baseline, post, "/api/v1/baselines", admin, Promotion, WholeBaseline, "Promote a run to a baseline")          \
  X(get_baseline_diff, get, "/api/v1/baselines/diff", read, Nothing, BaselineDiff,                                     \
    "How much slower one commit or baseline is than another, from what is stored")                                     \
  X(get_baseline_export, get, "/api/v1/baselines/export", read, Nothing, JsonLines,                                    \
    "The present baselines as JSON lines, as docs/BASELINES.md says")                                                  \
  X(post_baseline_import, post, "/api/v1/baselines/import", admin, JsonLines, ImportReply,                             \
    "Takes baselines over, all of a file or nothing of it")                                                            \
  X(get_baseline, get, "/api/v1/baselines/{id}", read, Nothing, WholeBaseline, "One baseline with its benchmarks")     \
  X(post_remeasure, post, "/api/v1/baselines/remeasure", trigger, RemeasureRequest, RemeasureReply,                    \
    "Queue a session of each present baseline, or of one")                                                             \
  X(get_acknowledgements, get, "/api/v1/acknowledgements", read, Nothing, AcknowledgementPage,                         \
    "Regressions that somebody accepted")                                                                              \
  X(post_acknowledgement, post, "/api/v1/acknowledgements", admin, AcceptRequest, AcknowledgementRecord,               \
    "Accept the regressions of a run")                                                                                 \
  X(post_revoke, post, "/api/v1/acknowledgements/{id}/revoke", admin, RevokeAcceptanceRequest, AcknowledgementRecord,  \
    "Revoke an acknowledgement")                                                                                       \
  X(post_github_webhook, post, "/webhooks/github", open, ForeignEvent, WebhookReply,                                   \
    "What GitHub tells, signed by the secret that both know (X-Hub-Signature-256 over the raw body)")                  \
  X(post_repository_webhook, post, "/webhooks/github/{repository}", open, ForeignEvent, WebhookReply,                  \
    "What GitHub tells of one repository, signed with its own secret")                                                 \
  X(get_deliveries, get, "/api/v1/deliveries", admin, Nothing, DeliveryPage,                                           \
    "Webhooks of the last 30 days, and what became of them")                                                           \
  X(get_delivery_payload, get, "/api/v1/deliveries/{id}/payload", admin, Nothing, RawBytes,                            \
    "The payload of a webhook, as it came")                                                                            \
  X(post_delivery_retry, post, "/api/v1/deliveries/{id}/retry", admin, Nothing, WebhookReply,                          \
    "Try a webhook once more that was refused, as if it came again")                                                   \
  X(get_outbox, get, "/api/v1/outbox", admin, Nothing, OutboxPage,                                                     \
    "Notifications about runs to forges and others, pending and sent")                                                 \
  X(post_outbox_retry, post, "/api/v1/outbox/{id}/retry", admin, Nothing, OutboxMessage,                               \
    "Try a message once more that was given up")                                                                       \
  X(get_attempts, get, "/api/v1/attempts", read, Nothing, AttemptPage, "The ledger of what was tried, newest first")   \
  X(post_attempt, post, "/api/v1/attempts", trigger, AttemptNote, Attempt,                                             \
    "Note a hypothesis or a lesson about a run, or something still to be tried")                                       \
  X(get_attempt, get, "/api/v1/attempts/{id}", read, Nothing, Attempt, "One attempt")                                  \
  X(patch_attempt, patch, "/api/v1/attempts/{id}", trigger, AttemptChange, Attempt,                                    \
    "Change what is noted about an attempt")                                                                           \
  X(get_tuning_report, get, "/api/v1/reports/tuning", read, Nothing, TuningReport,                                     \
    "What was tried, what came of it, what it cost, what is left")                                                     \
  X(get_quarantines, get, "/api/v1/quarantines", read, Nothing, QuarantinePage,                                        \
    "Benchmarks that are set aside as too unstable to decide")                                                         \
  X(post_quarantine, post, "/api/v1/quarantines", admin, QuarantineRequest, QuarantineRecord,                          \
    "Sets a benchmark aside in every epoch")                                                                           \
  X(post_quarantine_release, post, "/api/v1/quarantines/{id}/release", admin, ReleaseRequest, QuarantineRecord,        \
    "Lets a benchmark decide again")                                                                                   \
  X(post_prune, post, "/api/v1/prune", admin, PruneRequest, PruneReply,                                                \
    "Thins the raw samples of old runs to their quantiles")                                                            \
  X(get_audit, get, "/api/v1/audit", admin, Nothing, ActionPage, "The audit log, who did what to which thing")         \
  X(get_tokens, get, "/api/v1/tokens", admin, Nothing, TokenPage, "Who has access; never the tokens themselves")       \
  X(post_token_revoke, post, "/api/v1/tokens/{name}/revoke", admin, RevokeRequest, Nothing,                            \
    "Take a token's access away, and its logins with it")                                                              \
  X(get_bisections, get, "/api/v1/bisections", read, Nothing, BisectionPage,                                           \
    "Searches for culprits, newest first, without their steps")                                                        \
  X(post_bisection, post, "/api/v1/bisections", trigger, BisectionRequest, Bisection,                                  \
    "Look for the commit that made a benchmark slower or wrong")                                                       \
  X(get_bisection, get, "/api/v1/bisections/{id}", read, Nothing, Bisection, "How a bisection stands")                 \
  X(post_bisection_cancel, post, "/api/v1/bisections/{id}/cancel", trigger, Nothing, Bisection,                        \
    "Stop a bisection and its run")                                                                                    \
  X(post_backfill, post, "/api/v1/backfills", trigger, BackfillRequest, BackfillReply,                                 \
    "Measure commits that never were, each against its parent")                                                        \
  X(get_events, get, "/api/v1/events", read, Nothing, EventStream,                                                     \
    "Server-sent events named run, whenever a run changes")                                                            \
  X(post_claim, post, "/api/v1/runner/claim", runner, ClaimRequest, Claim,                                             \
    "Take the oldest job that fits, waiting for one")                                                                  \
  X(post_heartbeat, post, "/api/v1/runner/runs/{id}/heartbeat", runner, Heartbeat, HeartbeatReply,                     \
    "Keep the lease and report the progress")                                                                          \
  X(post_resolved, post, "/api/v1/runner/runs/{id}/resolved", runner, Resolved, ResolvedReply,                         \
    "Tell what base is; the verdict may be stored already")                                                            \
  X(post_processes, post, "/api/v1/runner/runs/{id}/processes", runner, ProcessUpload, UploadReply,                    \
    "Store processes; the same id again changes nothing")                                                              \
  X(post_log, post, "/api/v1/runner/runs/{id}/logs", runner, LogUpload, Nothing,                                       \
    "Store a log; the same name again replaces it")                                                                    \
  X(post_epoch, post, "/api/v1/runner/runs/{id}/epoch", runner, EpochUpload, EpochReply,                               \
    "What was measured at the start of the run's epoch; baselines are carried into it")                                \
  X(post_finish, post, "/api/v1/runner/runs/{id}/finish", runner, Finish, FinishReply,                                 \
    "End the run; the answer is the verdict that counts, and stays the same when asked again")                         \
  X(post_release, post, "/api/v1/runner/runs/{id}/release", runner, Release, Nothing, "Give the job back")             \
  X(post_profile_claim, post, "/api/v1/runner/profiles/claim", runner, ClaimRequest, ProfileClaim,                     \
    "Take the oldest profile that fits, without waiting")                                                              \
  X(post_profile_end, post, "/api/v1/runner/profiles/{id}/end", runner, ProfileEnd, Nothing, "End a profile")

// The dashboard's pages: each answers with the application, which asks the API for what it shows.
struct PagePath {
  std::string_view path, summary;
};
inline constexpr PagePath kPages[] = {
    {"/", "The dashboard's overview"},
    {"/runs", "The dashboard's list of runs"},
    {"/runs/{id}", "The dashboard's page of one run"},
    {"/history", "The dashboard's page of benchmarks over time"},
    {"/compare", "The dashboard's page that compares two commits"},
    {"/benchmarks", "The dashboard's list of benchmarks"},
    {"/baselines",
     "The dashboard's page of baselines and accepted regressions; with ?plain a page of the latest runs without "
     "scripts"},
    {"/testbeds", "The dashboard's page of testbeds and their epochs"},
    {"/attempts", "The dashboard's ledger of attempts"},
    {"/bisections", "The dashboard's searches for culprits"},
    {"/bisections/{id}", "The dashboard's page of one search for a culprit"},
    {"/roofline", "The dashboard's roofline of a run's benchmarks"},
    {"/admin", "The dashboard's page for administrators"},
};

// What a body or an answer consists of.
struct Content {
  std::string_view type{};              // empty: nothing
  const Schema& (*schema)() = nullptr;  // of a message
};

template <class Body>
constexpr std::string_view content_type() {
  if constexpr (std::is_same_v<Body, Nothing>)
    return {};
  else if constexpr (requires { Body::kType; })
    return Body::kType;
  else
    return "application/json";
}

template <class Body, class Answer>
struct Endpoint {
  Method method;
  std::string_view path;
  Access access;
  std::string_view summary;
};

// wire::endpoint::post_trigger and so on.
#define KG_WIRE_DECLARE(NAME, METHOD, PATH, ACCESS, BODY, ANSWER, SUMMARY)                     \
  struct BODY;                                                                                 \
  struct ANSWER;                                                                               \
  namespace endpoint {                                                                         \
  inline constexpr Endpoint<BODY, ANSWER> NAME{Method::METHOD, PATH, Access::ACCESS, SUMMARY}; \
  }
KG_WIRE_ENDPOINTS(KG_WIRE_DECLARE)
#undef KG_WIRE_DECLARE

// The same without types, in the order of the table.
struct EndpointRow {
  std::string_view name;
  Method method = Method::get;
  std::string_view path;
  Access access = Access::admin;
  Content body, answer;
  std::string_view summary;
};
[[nodiscard]] std::span<const EndpointRow> endpoints();

// What a call passes and gets: the message, the text of a body that is none, or nothing.
template <class Body>
struct PassedAs {
  using Type = Body;
};
template <>
struct PassedAs<Nothing> {
  using Type = void;
};
template <class Body>
requires requires { Body::kType; }
struct PassedAs<Body> {
  using Type = std::string;
};
template <class Body>
using Passed = typename PassedAs<Body>::Type;

}  // namespace kernelgate::wire
