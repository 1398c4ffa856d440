// SPDX-License-Identifier: Apache-2.0
#include "core/wire/codec.hpp"

#include <gtest/gtest.h>

#include <boost/pfr/tuple_size.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/wire/schema.hpp"
#include "tests/support/wire_samples.hpp"

namespace kernelgate::wire {
namespace codec_test {

using Json = nlohmann::json;

// Every member of the struct is in the table, and every member of `message` differs from its default, so one that a
// table forgets or swaps shows up.
// `not_sent`: members that stay in the process that made them.
template <class Message>
void expect_whole(const Message& message, std::size_t not_sent = 0) {
  EXPECT_EQ(boost::pfr::tuple_size_v<Message>, schema<Message>().fields.size() + not_sent) << schema<Message>().name;
  const std::string text = encode(message);
  const Json json = Json::parse(text);
  const Json plain = Json::parse(encode(Message{}));
  for (const Field& field : schema<Message>().fields) {
    const std::string member(field.name);
    ASSERT_TRUE(json.contains(member)) << member << " is not encoded";
    EXPECT_NE(json[member], plain[member]) << member << " has its default in the test";
  }
  EXPECT_EQ(json.size(), schema<Message>().fields.size()) << text;
  const Result<Message> back = decode<Message>(text);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(encode(*back), text);
}

TEST(EvidenceCodec, RoundTrips) {
  expect_whole(sample_series());
  expect_whole(sample_process());
  CheckCase check = sample_check();
  EXPECT_EQ(decode<CheckCase>(encode(check)).value().side, Side::base);
  expect_whole(check);
  expect_whole(sample_failure());
  expect_whole(sample_suite(), 2);  // recorded, unproven: of files alone
  expect_whole(sample_code());
  expect_whole(sample_profile());
  expect_whole(sample_pinned());
  expect_whole(sample_sessions());
  expect_whole(sample_ceilings());
  expect_whole(sample_evidence());
  expect_whole(sample_acknowledgement());
  expect_whole(StoredVariance{"s", "b", 0.5, 15, 0.04, 9.5, 0.01, 8});
}

TEST(DecisionCodec, RoundTrips) {
  expect_whole(sample_look());
  expect_whole(sample_comparison());
  expect_whole(sample_change());
  expect_whole(RoofPosition{128, 0.5, "fp16"});
  expect_whole(sample_workload());
  expect_whole(sample_region());
  expect_whole(sample_decision());
}

TEST(ClaimCodec, RoundTrips) {
  expect_whole(Claim{.run = 7,
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
                     .fork = true});
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
  expect_whole(facts);
  expect_whole(ClaimRequest{.runner = "r", .testbed = facts, .has_gpu = true, .wait_s = 25});
  expect_whole(Heartbeat{"l", RunState::measuring, "pair 3"});
  expect_whole(HeartbeatReply{true});
  expect_whole(Resolved{.lease = "l",
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
                        .sandbox = "none"});
  expect_whole(ResolvedReply{.reused_from = 5});
  expect_whole(ProcessUpload{.lease = "l", .processes = {sample_process()}});
  expect_whole(UploadReply{.stored = 2});
  expect_whole(LogUpload{.lease = "l", .name = "build-head", .text = "…"});
  expect_whole(Finish{.lease = "l",
                      .evidence = sample_evidence(),
                      .policy_toml_manifest = "schema = 1",
                      .gpu_s_held = 1,
                      .gpu_s_used = 2,
                      .wall_s = 3});
  expect_whole(FinishReply{.decision = sample_decision()});
  expect_whole(Release{.lease = "l", .reason = "stopping"});
}

TEST(TriggerCodec, RoundTrips) {
  expect_whole(BaseRequest{BaseKind::before, "abc"});
  expect_whole(BaseRequest{BaseKind::none, "2"});
  const KnownTrees trees{.base_commit = "b", .base_tree = "bt", .head_tree = "ht", .manifest_sha256 = "m"};
  expect_whole(trees);
  const PullRequest pull_request{
      .number = 7, .target = "main", .head_repository = "ada/kernels", .fork = true, .sender = "ada"};
  expect_whole(pull_request);
  expect_whole(Trigger{.repository = "r",
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
                       .pull_request = pull_request});
  expect_whole(TriggerReply{.run = 1, .state = RunState::held, .reused_from = 2, .url = "/runs/1"});
  const RepositoryRequest request{
      .name = "n", .url = "u", .default_branch = "main", .manifest = "m", .full_name = "o/n"};
  expect_whole(request);
  const Repository repository{
      .id = 1, .name = "n", .url = "u", .default_branch = "d", .manifest_sha256 = "m", .full_name = "o/n"};
  expect_whole(repository);
  expect_whole(Problem{
      .type = "t", .title = "Not Found", .status = 404, .detail = "d", .where = "/x", .code = "not_found", .fix = "f"});
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
      .state = RunState::done,
      .conclusion = Conclusion::passed,
      .reason = "no_base",
      .summary = "all fine",
      .progress = "p",
      .testbed = "t",
      .epoch = 2,
      .created_at = from_millis(1),
      .started_at = from_millis(2),
      .finished_at = from_millis(3),
      .reused_from = 4,
      .retry_of = 5,
      .thinned_at = from_millis(4),
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
      .headline = "1 of 1 benchmark got slower.",
      .verdicts = {{.verdict = Verdict::regressed, .count = 1, .failure = true}},
      .band = PolicyBand{.tolerate = 0.25, .catch_limit = 0.5},
      .pull_request =
          PullRequest{.number = 7, .target = "main", .head_repository = "ada/kernels", .fork = true, .sender = "ada"},
      .superseded_by = 10,
      .largest_ratio = 1.14};
  ASSERT_EQ(run.workloads.size() + run.regions.size(), 2U);
  expect_whole(run);
  expect_whole(RunPage{.runs = {run}, .next = "17"});
}

TEST(Codec, DocumentsBeginWithTheirSchema) {
  EXPECT_EQ(as_document("{}"), "{\"schema\":1}\n");
  EXPECT_EQ(as_document(R"({"a":2})"), "{\"schema\":1,\"a\":2}\n");
  EXPECT_EQ(list_document("releases", std::vector<Release>{}), "{\"schema\":1,\"releases\":[]}\n");
  const Release release{.lease = "l", .reason = "r"};
  const Json two = Json::parse(list_document("releases", std::vector{release, release}));
  ASSERT_EQ(two.at("releases").size(), 2U);
  EXPECT_EQ(two.at("releases")[1], Json::parse(encode(release)));
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
    EXPECT_EQ(parse_word<BaseKind>(to_string(kind)), kind);
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
