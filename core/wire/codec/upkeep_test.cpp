// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "core/units/limits.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/calibrations.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/profiles.hpp"
#include "core/wire/upkeep.hpp"
#include "tests/support/round_trip.hpp"

namespace kernelgate::wire {
namespace codec_upkeep_test {

template <class Message>
std::string refused_at(const std::string& json) {
  const auto result = decode<Message>(json);
  return result ? "accepted" : result.error().where;
}

TEST(QuarantineCodec, RoundTrips) {
  expect_round_trip(QuarantineRequest{.repository = "k", .suite = "s", .benchmark = "b", .reason = "r"});
  expect_round_trip(ReleaseRequest{.repository = "k", .reason = "r"});
  expect_round_trip(QuarantinePage{.quarantines = {{.id = 1,
                                                    .suite = "s",
                                                    .benchmark = "b",
                                                    .epoch = 2,
                                                    .actor = "ann",
                                                    .reason = "r",
                                                    .began_at = from_millis(1),
                                                    .released_at = from_millis(2),
                                                    .released_by = "bob",
                                                    .released_reason = "q",
                                                    .suggestion = "release it"}},
                                   .next = "1"});
}

TEST(QuarantineCodec, AReasonHasALimit) {
  const std::string longer(limits::kReasonMax + 1, 'x');
  for (const std::string& reason : {std::string(), longer}) {
    EXPECT_EQ(
        refused_at<QuarantineRequest>(R"({"repository":"k","suite":"s","benchmark":"b","reason":")" + reason + "\"}"),
        "/reason");
    EXPECT_EQ(refused_at<ReleaseRequest>(R"({"repository":"k","reason":")" + reason + "\"}"), "/reason");
  }
}

TEST(ProfileCodec, RoundTripsWithinItsLimits) {
  const ProfiledKernel kernel{.kernel = "k<64>", .counters = {{"dram__bytes.sum", 1.5}}};
  expect_round_trip(ProfileRequest{.suite = "s", .benchmark = "b"});
  expect_round_trip(ProfileList{.profiles = {{.id = 1,
                                              .run = 2,
                                              .suite = "s",
                                              .benchmark = "b",
                                              .state = ProfileState::done,
                                              .text = "t",
                                              .actor = "ann",
                                              .runner = "r",
                                              .changes = {"c"},
                                              .base = kernel,
                                              .head = kernel,
                                              .created_at = from_millis(3),
                                              .finished_at = from_millis(4)}}});
  expect_round_trip(ProfileClaim{.profile = 1,
                                 .run = 2,
                                 .lease = "l",
                                 .url = "u",
                                 .base = "b",
                                 .head = "h",
                                 .manifest = "m",
                                 .suite = "s",
                                 .benchmark = "n",
                                 .fork = true});
  expect_round_trip(ProfileEnd{.lease = "l", .again = true, .text = "t", .base = kernel, .head = kernel});
  EXPECT_EQ(refused_at<ProfileRequest>(R"({"suite":"","benchmark":"b"})"), "/suite");
  EXPECT_EQ(refused_at<ProfileRequest>(R"({"suite":"s","benchmark":")" + std::string(513, 'x') + "\"}"), "/benchmark");
  EXPECT_EQ(refused_at<ProfileEnd>(R"({"lease":"l","base":{"kernel":"k"}})"), "/base");
}

TEST(PruneCodec, RoundTripsWithinItsLimits) {
  expect_round_trip(PruneRequest{.older_than_days = 90, .dry_run = true});
  PruneReply reply;
  reply.runs = 2;
  reply.series = 3;
  reply.bytes = 4;
  reply.kept_runs = 5;
  reply.free_bytes = 6;
  expect_round_trip(reply);
  EXPECT_EQ(refused_at<PruneRequest>(R"({"older_than_days":0})"), "/older_than_days");
  EXPECT_EQ(refused_at<PruneRequest>(R"({"older_than_days":36501})"), "/older_than_days");
}

TEST(DiffCodec, RoundTrips) {
  DiffRow row;
  row.suite = "s";
  row.benchmark = "b";
  row.basis = "pairs";
  row.epoch = 2;
  row.run = 7;
  row.a_sessions = 1;
  row.b_processes = 4;
  row.a_median_ns = 100;
  row.ratio = 1.1;
  row.ratio_low = 1.05;
  row.note = "n";
  expect_round_trip(BaselineDiff{.a = {.asked = "v1", .commit = "c", .baseline = "v1"},
                                 .b = {.asked = "d", .commit = "d", .baseline = {}},
                                 .rows = {row},
                                 .notices = {"n"}});
}

TEST(BaselineFileCodec, RoundTripsWithinItsLimits) {
  BaselineFileHead head;
  head.repository = "k";
  head.program = "p";
  expect_round_trip(head);
  head.benchmarks = 2;
  expect_round_trip(head);
  expect_round_trip(ImportReply{.baselines = 1, .runs = 2, .known = 3});
  BaselineLine line;
  line.name = "v1";
  line.commit = "c";
  line.actor = "ann";
  line.reason = "r";
  line.promoted_at = "t";
  line.anchor = true;
  line.testbed.driver = "1";
  line.clock_low_mhz = 1200;
  line.suite = "s";
  line.benchmark = "b";
  line.median_ns = 1.5;
  line.spread = .1;
  line.processes = 1;
  line.sessions = {{.run = 3,
                    .measured_at = "u",
                    .promoted = true,
                    .processes = {{.id = "p", .samples = 9, .quantiles_ns = {1, 2, 3, 4, 5}}}}};
  expect_round_trip(line);
  line.sessions[0].processes[0].samples = 4;
  EXPECT_EQ(refused_at<BaselineLine>(encode(line)), "/sessions/0/processes/0/quantiles_ns");
  line.sessions.clear();
  EXPECT_EQ(refused_at<BaselineLine>(encode(line)), "/sessions");
}

TEST(CalibrationCodec, RoundTripsWithinItsLimits) {
  CalibratedBenchmark one;
  one.suite = "s";
  one.benchmark = "b";
  one.injected = .03;
  one.pairs = 32;
  one.ratio = 1.01;
  one.degrees = 31;
  one.detectable = .02;
  one.trials = 2;
  one.regressed = 1;
  one.suspected = 1;
  CalibrationUpload upload{
      .repository = "k", .testbed = {}, .commit = "c", .rule_version = 2, .program = "p", .benchmarks = {one}};
  expect_round_trip(upload);
  expect_round_trip(CalibrationReply{.epoch = 3, .quarantined = {"s: b: why"}});
  upload.benchmarks[0].regressed = 3;
  EXPECT_EQ(refused_at<CalibrationUpload>(encode(upload)), "/benchmarks/0/regressed");
  upload.benchmarks.clear();
  EXPECT_EQ(refused_at<CalibrationUpload>(encode(upload)), "/benchmarks");
}

}  // namespace codec_upkeep_test
}  // namespace kernelgate::wire
