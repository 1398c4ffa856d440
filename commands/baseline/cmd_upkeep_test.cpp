// SPDX-License-Identifier: Apache-2.0
// prune, baseline diff, export --baselines, import.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/command_fixture.hpp"

namespace kernelgate::cli {
namespace cmd_upkeep_test {

using testing::HasSubstr;

class UpkeepCommands : public StoreCommand {
 protected:
  std::string file(const std::string& name) { return folder / name; }
  void promote(RunId run) {
    ASSERT_EQ(call({"baseline", "promote", "--run", std::to_string(run.value), "--name", "v1", "--reason", "out"}), 0)
        << err_;
  }
};

TEST_F(UpkeepCommands, PruneThinsOldRunsButNoBaseline) {
  promote(ended(1, Conclusion::passed, Verdict::unchanged));
  (void)ended(2, Conclusion::passed, Verdict::unchanged);
  ASSERT_EQ(call({"prune", "--older-than", "90d", "--dry-run"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("would thin 1 runs, 1 series: 32 bytes of samples would come back; 1 old runs are"));
  ASSERT_EQ(call({"prune", "--older-than", "90d"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("thinned 1 runs, 1 series: 32 bytes"));
  ASSERT_EQ(call({"prune", "--older-than", "90d"}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("thinned 0 runs"));
  for (const char* age : {"90", "0d", "-1d", "d", "99999d", "1w"})
    EXPECT_EQ(call({"prune", "--older-than", age}), 2) << age;
  EXPECT_EQ(call({"prune"}), 2);
}

TEST_F(UpkeepCommands, DiffNamesItsBasisAndRefusesWhatItDoesNotKnow) {
  promote(ended(1, Conclusion::passed, Verdict::unchanged));
  (void)ended(2, Conclusion::passed, Verdict::unchanged);
  ASSERT_EQ(call({"baseline", "diff", "v1", db::hash_of(2)}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("v1 (0000000000) to 0000000000: above zero is slower\n"));
  EXPECT_THAT(out_, HasSubstr("1/1 sessions, 1/1 processes; one session on a side"));
  ASSERT_EQ(call({"baseline", "diff", "v1", db::hash_of(2), "--format", "json"}), 0);
  EXPECT_THAT(out_, HasSubstr("\"basis\":\"sessions\""));
  EXPECT_EQ(call({"baseline", "diff", "v1", "v2"}), 2);
  EXPECT_THAT(err_, HasSubstr("no baseline or measured commit 'v2'"));
  EXPECT_EQ(call({"baseline", "diff", "v1", db::hash_of(1)}), 2);
  EXPECT_THAT(err_, HasSubstr("both are commit"));
  EXPECT_EQ(call({"baseline", "diff", "v1", "0000000"}), 2);
  EXPECT_THAT(err_, HasSubstr("more than one commit starts with"));
  EXPECT_EQ(call({"baseline", "diff", "v1"}), 2);
}

TEST_F(UpkeepCommands, BaselinesGoOutAndComeInOnce) {
  EXPECT_EQ(call({"export", "--baselines", file("none.jsonl")}), 2);
  EXPECT_THAT(err_, HasSubstr("no baseline is promoted"));
  promote(ended(1, Conclusion::passed, Verdict::unchanged));
  ASSERT_EQ(call({"export", "--baselines", file("b.jsonl")}), 0) << err_;
  EXPECT_EQ(call({"export", "--baselines", file("b.jsonl")}), 2);
  EXPECT_THAT(err_, HasSubstr("is there already"));
  ASSERT_EQ(call({"import", file("b.jsonl")}), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("0 baselines and 0 of their runs are new here, 1 baselines were known"));
  EXPECT_EQ(call({"import", file("b.jsonl"), "--testbed", "other"}), 2);
  EXPECT_THAT(err_, HasSubstr("is known here as one of another repository, commit, epoch"));
  std::ofstream(file("bad.jsonl")) << "{}\n";
  EXPECT_EQ(call({"import", file("bad.jsonl")}), 2);
  EXPECT_THAT(err_, HasSubstr("line 1"));
  EXPECT_EQ(call({"import", file("absent.jsonl")}), 2);
}

TEST_F(UpkeepCommands, ExportIsOfARunOrOfBaselines) {
  EXPECT_EQ(call({"export"}), 2);
  EXPECT_THAT(err_, HasSubstr("--run or --baselines"));
  EXPECT_EQ(call({"export", "--run", "1"}), 2);
  EXPECT_EQ(call({"export", "--run", "1", "--output", file("r"), "--baselines", file("b")}), 2);
  EXPECT_EQ(call({"export", "--output", file("r"), "--baselines", file("b")}), 2);
  EXPECT_EQ(call({"export", "--run", "1", "--output", file("r"), "--name", "v1"}), 2);
}

}  // namespace cmd_upkeep_test
}  // namespace kernelgate::cli
