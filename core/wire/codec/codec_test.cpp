// SPDX-License-Identifier: Apache-2.0
#include "core/wire/codec.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>

#include "tests/support/wire_samples.hpp"

namespace kernelgate::wire {
namespace codec_test {

using Json = nlohmann::json;

const std::string& wire_page() {
  static const std::string page = [] {
    std::ifstream file(KG_WIRE_PAGE);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return page;
}

// Every member of `message` differs from its default, so a member that a table forgets or swaps
// shows up.
template <class Message>
void expect_round_trip(const Message& message, const std::vector<std::string>& members) {
  const std::string text = encode(message);
  const Json json = Json::parse(text);
  const Json plain = Json::parse(encode(Message{}));
  for (const std::string& member : members) {
    ASSERT_TRUE(json.contains(member)) << member << " is not encoded";
    EXPECT_TRUE(std::regex_search(wire_page(), std::regex("\\b" + member + "\\b"))) << member << ": not in WIRE.md";
    EXPECT_NE(json[member], plain[member]) << member << " has its default in the test";
  }
  EXPECT_EQ(json.size(), members.size()) << text;
  const Result<Message> back = decode<Message>(text);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(encode(*back), text);
}

TEST(EvidenceCodec, RoundTrips) {
  expect_round_trip(sample_series(), {"benchmark", "samples_ns", "error", "counters", "configuration"});
  expect_round_trip(sample_process(),
                    {"id", "suite", "side", "round", "pair", "attempt", "order", "disturbed", "disturbance",
                     "started_at_ms", "wall_s", "gpu_s", "end", "exit_code", "signal", "text", "state_json", "series"});
  CheckCase check = sample_check();
  EXPECT_EQ(decode<CheckCase>(encode(check)).value().side, Side::base);
  expect_round_trip(check, {"suite", "side", "name", "shape", "passed", "bound", "max_abs_err", "rel_err", "first_bad",
                            "seed", "error_class", "error_value", "fingerprint", "text"});
  expect_round_trip(sample_failure(), {"benchmark", "side", "verdict", "text", "fingerprint", "signal"});
  expect_round_trip(sample_suite(),
                    {"name", "base_benchmarks", "head_benchmarks", "has_base", "has_head", "base_program",
                     "head_program", "identical", "checks_ran", "checks_passed", "checks", "failures", "processes",
                     "base_code", "head_code", "profiles", "stored", "pinned"});
  expect_round_trip(sample_code(), {"kernel", "arch", "sass_sha256", "registers", "static_shared_bytes", "local_bytes",
                                    "stack_bytes", "spill_stores", "spill_loads", "instructions"});
  expect_round_trip(sample_profile(), {"benchmark", "side", "kernel", "counters"});
  expect_round_trip(sample_pinned(), {"benchmark", "pinned", "configuration", "pairs", "ratio", "ratio_low",
                                      "ratio_high", "verdict", "failure"});
  expect_round_trip(sample_sessions(), {"suite", "benchmark", "baseline", "commit", "sessions"});
  expect_round_trip(sample_ceilings(), {"copy_bytes_s", "l2_bytes_s", "flops", "peak_flops", "peak_bytes_s",
                                        "peak_clock_mhz", "l2_bytes"});
  expect_round_trip(sample_evidence(),
                    {"has_base", "inputs_unchanged", "base_build", "head_build", "build_text", "infrastructure",
                     "notices", "suites", "ceilings", "acknowledged", "quarantined"});
  expect_round_trip(sample_acknowledgement(), {"id", "suite", "benchmark", "ratio", "head_median_ns", "who", "reason"});
  expect_round_trip(StoredVariance{"s", "b", 0.5, 15, 0.04},
                    {"suite", "benchmark", "variance", "degrees", "detectable"});
}

TEST(DecisionCodec, RoundTrips) {
  expect_round_trip(sample_look(), {"pairs", "mean", "se", "degrees", "used_stored", "verdict"});
  expect_round_trip(sample_comparison(), {"suite",
                                          "benchmark",
                                          "verdict",
                                          "severity",
                                          "reason",
                                          "fingerprint",
                                          "round",
                                          "pairs",
                                          "ratio",
                                          "ratio_low",
                                          "ratio_high",
                                          "hl_ratio",
                                          "hl_low",
                                          "hl_high",
                                          "cliffs_delta",
                                          "mwu_p",
                                          "q_value",
                                          "minimum_detectable",
                                          "pair_sd",
                                          "base_median_ns",
                                          "head_median_ns",
                                          "tolerate",
                                          "catch_limit",
                                          "gpu_s",
                                          "sum_squares",
                                          "degrees",
                                          "looks",
                                          "distribution",
                                          "against",
                                          "acknowledged",
                                          "quarantined",
                                          "roof",
                                          "error_factor",
                                          "code_changes",
                                          "counter_changes",
                                          "base_configuration",
                                          "head_configuration",
                                          "pinned",
                                          "attribution"});
  expect_round_trip(sample_change(), {"kind", "base_share", "head_share", "distance", "p", "low_ns", "high_ns",
                                      "base_counts", "head_counts"});
  expect_round_trip(RoofPosition{128, 0.5, "fp16"}, {"intensity", "fraction", "roof"});
  expect_round_trip(sample_workload(),
                    {"suite", "name", "verdict", "ratio", "low", "high", "benchmarks", "timed", "gains", "losses"});
  expect_round_trip(sample_region(), {"suite", "text", "verdict", "members", "moved", "others_moved", "median_ratio"});
  expect_round_trip(sample_decision(), {"conclusion", "reason", "summary", "notices", "expected_false_alarms",
                                        "comparisons", "workloads", "regions"});
}

TEST(ClaimCodec, RoundTrips) {
  expect_round_trip(
      Claim{.run = 7,
            .lease = "l",
            .lease_s = 90,
            .repository = "repo",
            .url = "file:///x",
            .default_branch = "main",
            .commit = std::string(40, 'a'),
            .base = {BaseKind::merge_base, "main"},
            .manifest = "schema = 1",
            .seed = std::numeric_limits<std::uint64_t>::max(),
            .epoch = 3,
            .stored = {{"s", "b", 0.1, 20}},
            .bad_commits = {"c"},
            .baselines = {"d"},
            .sessions = {sample_sessions()},
            .anchor = "e",
            .process_ids = {"p"},
            .fork = true},
      {"run", "lease", "lease_s", "repository", "url", "default_branch", "commit", "base", "manifest", "seed", "epoch",
       "stored", "bad_commits", "baselines", "sessions", "anchor", "process_ids", "fork"});
}

TEST(JobCodec, RoundTrips) {
  const TestbedFacts facts{.name = "t",
                           .gpu_model = "H200",
                           .compute_capability = "9.0",
                           .driver = "580",
                           .toolkit = "13.0",
                           .power_limit = "700 W",
                           .mig_mode = "off",
                           .host_cpu = "Xeon"};
  expect_round_trip(
      facts, {"name", "gpu_model", "compute_capability", "driver", "toolkit", "power_limit", "mig_mode", "host_cpu"});
  expect_round_trip(ClaimRequest{.runner = "r", .testbed = facts, .has_gpu = true, .wait_s = 25},
                    {"runner", "testbed", "has_gpu", "wait_s"});
  expect_round_trip(Heartbeat{"l", "measuring", "pair 3"}, {"lease", "state", "progress"});
  expect_round_trip(HeartbeatReply{true}, {"cancel"});
  expect_round_trip(Resolved{.lease = "l",
                             .base_commit = "c",
                             .base_tree = "b",
                             .head_tree = "h",
                             .manifest_sha256 = "m",
                             .policy = "p",
                             .subject = "s",
                             .author = "a",
                             .notices = {"n"},
                             .hypothesis = "why",
                             .patch_id = "p",
                             .sandbox = "none"},
                    {"lease", "base_commit", "base_tree", "head_tree", "manifest_sha256", "policy", "subject", "author",
                     "notices", "hypothesis", "patch_id", "sandbox"});
  expect_round_trip(ResolvedReply{.reused_from = 5}, {"reused_from"});
  expect_round_trip(ProcessUpload{.lease = "l", .processes = {sample_process()}}, {"lease", "processes"});
  expect_round_trip(UploadReply{.stored = 2}, {"stored"});
  expect_round_trip(LogUpload{.lease = "l", .name = "build-head", .text = "…"}, {"lease", "name", "text"});
  expect_round_trip(Finish{.lease = "l",
                           .evidence = sample_evidence(),
                           .policy_toml_manifest = "schema = 1",
                           .gpu_s_held = 1,
                           .gpu_s_used = 2,
                           .wall_s = 3},
                    {"lease", "evidence", "policy_toml_manifest", "gpu_s_held", "gpu_s_used", "wall_s"});
  expect_round_trip(FinishReply{.decision = sample_decision()}, {"decision"});
  expect_round_trip(Release{.lease = "l", .reason = "stopping"}, {"lease", "reason"});
}

TEST(TriggerCodec, RoundTrips) {
  expect_round_trip(BaseRequest{BaseKind::before, "abc"}, {"kind", "argument"});
  expect_round_trip(BaseRequest{BaseKind::none, "2"}, {"kind", "argument"});
  const KnownTrees trees{.base_commit = "b", .base_tree = "bt", .head_tree = "ht", .manifest_sha256 = "m"};
  expect_round_trip(trees, {"base_commit", "base_tree", "head_tree", "manifest_sha256"});
  const PullRequest pull_request{
      .number = 7, .target = "main", .head_repository = "ada/kernels", .fork = true, .sender = "ada"};
  expect_round_trip(pull_request, {"number", "target", "head_repository", "fork", "sender"});
  expect_round_trip(Trigger{.repository = "r",
                            .commit = "c",
                            .branch = "main",
                            .subject = kOddName,
                            .author = "Ada",
                            .base = {BaseKind::explicit_commit, "v1"},
                            .source = "cli",
                            .trees = trees,
                            .force = true,
                            .idempotency_key = "k",
                            .hypothesis = "why",
                            .pull_request = pull_request},
                    {"repository", "commit", "branch", "subject", "author", "base", "source", "trees", "force",
                     "idempotency_key", "hypothesis", "pull_request"});
  expect_round_trip(TriggerReply{.run = 1, .state = "queued", .reused_from = 2, .url = "/runs/1"},
                    {"run", "state", "reused_from", "url"});
  const RepositoryRequest request{
      .name = "n", .url = "u", .default_branch = "main", .manifest = "m", .full_name = "o/n"};
  expect_round_trip(request, {"name", "url", "default_branch", "manifest", "full_name"});
  const Repository repository{
      .id = 1, .name = "n", .url = "u", .default_branch = "d", .manifest_sha256 = "m", .full_name = "o/n"};
  expect_round_trip(repository, {"id", "name", "url", "default_branch", "manifest_sha256", "full_name"});
  expect_round_trip(Problem{.type = "t",
                            .title = "Not Found",
                            .status = 404,
                            .detail = "d",
                            .where = "/x",
                            .code = "not_found",
                            .fix = "f"},
                    {"type", "title", "status", "detail", "where", "code", "fix"});
}

TEST(RunCodec, RoundTrips) {
  const wire::Run run{
      .id = 1,
      .repository = "r",
      .commit = "c",
      .base_commit = "b",
      .branch = "m",
      .subject = "s",
      .author = "a",
      .source = "cli",
      .state = "done",
      .conclusion = "passed",
      .reason = "no_base",
      .summary = "all fine",
      .progress = "p",
      .testbed = "t",
      .epoch = 2,
      .created_at = "1",
      .started_at = "2",
      .finished_at = "3",
      .reused_from = 4,
      .retry_of = 5,
      .thinned_at = "4",
      .claims = 6,
      .exit_code = 0,
      .commit_status = "success",
      .gpu_s_held = 7,
      .gpu_s_used = 8,
      .wall_s = 9,
      .notices = {"n"},
      .comparisons = {sample_comparison()},
      .workloads = sample_decision().workloads,
      .regions = sample_decision().regions,
      .pull_request =
          PullRequest{.number = 7, .target = "main", .head_repository = "ada/kernels", .fork = true, .sender = "ada"},
      .superseded_by = 10};
  ASSERT_EQ(run.workloads.size() + run.regions.size(), 2U);
  expect_round_trip(
      run, {"id",          "repository", "commit",        "base_commit",  "branch",       "subject",  "author",
            "source",      "state",      "conclusion",    "reason",       "summary",      "progress", "testbed",
            "epoch",       "created_at", "started_at",    "finished_at",  "reused_from",  "retry_of", "thinned_at",
            "claims",      "exit_code",  "commit_status", "gpu_s_held",   "gpu_s_used",   "wall_s",   "notices",
            "comparisons", "workloads",  "regions",       "pull_request", "superseded_by"});
  expect_round_trip(RunPage{.runs = {run}, .next = "17"}, {"runs", "next"});
}

TEST(Codec, NamesAndNumbersSurviveExactly) {
  const Series series = sample_series();
  const Series back = decode<Series>(encode(series)).value();
  EXPECT_EQ(back.benchmark, kOddName);
  EXPECT_EQ(back.samples_ns, series.samples_ns);
  EXPECT_EQ(back.counters, series.counters);
}

TEST(Codec, AbsentFiguresAreNull) {
  const Json json = Json::parse(encode(Comparison{}));
  EXPECT_TRUE(json.at("ratio").is_null());
  EXPECT_FALSE(decode<Comparison>(json.dump()).value().ratio);
}

TEST(Codec, EveryEnumeratorHasItsWord) {
  for (const auto end :
       {ProcessEnd::ok, ProcessEnd::failed, ProcessEnd::crashed, ProcessEnd::timed_out, ProcessEnd::garbage})
    EXPECT_EQ(parse_process_end(to_string(end)), end);
  for (const auto end : {BuildEnd::not_needed, BuildEnd::built, BuildEnd::cached, BuildEnd::failed, BuildEnd::skipped})
    EXPECT_EQ(parse_build_end(to_string(end)), end);
  for (const auto kind : {BaseKind::explicit_commit, BaseKind::before, BaseKind::merge_base, BaseKind::first_parent})
    EXPECT_EQ(parse_base_kind(to_string(kind)), kind);
}

TEST(Codec, ReplacesTextThatIsNotUtf8) {
  const Release release{.lease = "l", .reason = "a\xff\xc0z"};
  EXPECT_EQ(decode<Release>(encode(release)).value().reason, "a\xef\xbf\xbd\xef\xbf\xbdz");
}

TEST(Codec, RefusesToEncodeNumbersThatAreNotFinite) {
  Series series = sample_series();
  series.samples_ns[1] = std::numeric_limits<double>::quiet_NaN();
  try {
    (void)encode(series);
    FAIL() << "encoded a NaN";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "number is not finite at /samples_ns/1");
  }
}

}  // namespace codec_test
}  // namespace kernelgate::wire
