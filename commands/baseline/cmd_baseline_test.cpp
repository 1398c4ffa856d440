// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "db/baselines/acknowledgements.hpp"
#include "db/baselines/baselines.hpp"
#include "tests/support/command_fixture.hpp"

namespace kernelgate::cli {
namespace cmd_baseline_test {

using testing::HasSubstr;

class BaselineCommand : public StoreCommand {
 protected:
  int call(std::vector<std::string> words) {
    words.insert(words.begin(), "baseline");
    return StoreCommand::call(std::move(words));
  }
  int promote(RunId run) {
    return call({"promote", "--run", std::to_string(run.value), "--name", "main", "--reason", "release", "--anchor"});
  }
  void expect_refused(RunId run, const std::string& why) {
    EXPECT_EQ(promote(run), 2);
    EXPECT_THAT(err_, HasSubstr("cannot become a baseline: " + why));
  }
};

TEST_F(BaselineCommand, RefusesWhatCannotBeABaseline) {
  expect_refused(ended(1, Conclusion::regressed, Verdict::regressed), "it concluded regressed");
  expect_refused(ended(2, Conclusion::passed, Verdict::identical), "it timed nothing");
  expect_refused(ended(3, Conclusion::passed, Verdict::unchanged, "thermal"), "s, pair 0 was disturbed: thermal");
  const RunId good = ended(4, Conclusion::passed, Verdict::unchanged);
  (void)epoch("another driver");
  expect_refused(good, "its epoch is over");
}

TEST_F(BaselineCommand, PromotesAcceptsAndShows) {
  ASSERT_EQ(promote(ended(1, Conclusion::passed, Verdict::unchanged)), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("baseline main: 0000000000, 1 benchmarks"));
  const std::string run = std::to_string(ended(2, Conclusion::regressed, Verdict::regressed).value);
  ASSERT_EQ(call({"accept", "--run", run, "--benchmark", "^b$", "--reason", "needed", "--expires-days", "30"}), 0);
  EXPECT_THAT(out_, HasSubstr("accepted:\n"));
  EXPECT_THAT(out_, HasSubstr("s: b +5.00 %"));
  EXPECT_THAT(out_, testing::Not(HasSubstr("no baseline")));
  ASSERT_EQ(call({"accept", "--run", run, "--benchmark", "b", "--reason", "needed", "--expires-days", "30"}), 2);
  EXPECT_THAT(err_, HasSubstr("already accepted: acknowledgement 1 by"));
  for (const char* days : {"0", "-1", "999999999"})
    EXPECT_EQ(call({"accept", "--run", run, "--benchmark", "^b$", "--reason", "needed", "--expires-days", days}), 2);
  EXPECT_EQ(call({"accept", "--run", run, "--benchmark", "conv", "--reason", "needed"}), 2);
  EXPECT_THAT(err_, HasSubstr("matches 'conv'"));
  ASSERT_EQ(call({"list"}), 0);
  EXPECT_THAT(out_, HasSubstr("main (anchor)"));
  EXPECT_THAT(out_, HasSubstr("needed"));
  ASSERT_EQ(call({"list", "--format", "json"}), 0);
  EXPECT_THAT(out_, HasSubstr("\"anchor\": true"));
  EXPECT_EQ(call({"revoke", "--ack", "1", "--reason", "fixed"}), 0);
  EXPECT_EQ(call({"revoke", "--ack", "1", "--reason", "fixed"}), 2);
  EXPECT_EQ(call({"list", "--repository", "k"}), 2);
  EXPECT_EQ(call({"remeasure", "--name", "other"}), 2);
  EXPECT_EQ(call({"remeasure", "--repository", local::kRepositoryName}), 2);
  EXPECT_THAT(err_, HasSubstr("only the repository at hand"));
}

}  // namespace cmd_baseline_test
}  // namespace kernelgate::cli
