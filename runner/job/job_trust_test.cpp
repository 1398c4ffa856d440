// SPDX-License-Identifier: Apache-2.0
// What a commit must not reach by its own build, check or manifest (docs/THREATS.md).
#include <gmock/gmock.h>

#include "runner/job/job.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate {
namespace job_trust_test {

using testing::HasSubstr;
using testing::IsEmpty;

class JobTrustTest : public testing::Test {
 protected:
  RunDecision judge(const CommitHash& head, const CommitHash& base) {
    return repository_.judge(repository_.request_for(head, base));
  }
  TableRepository repository_;
};

// `int main() { return 0; }` in the place of the check program.
TEST_F(JobTrustTest, AHeadThatSilencesItsCheckIsBroken) {
  const auto base = repository_.commit({{"times", "a\t100\n"}});
  const auto head = repository_.commit({{"times", "a\t99\n"}, {"check.sh", "exit 0\n"}});
  const auto decision = judge(head, base);
  EXPECT_EQ(decision.conclusion, Conclusion::broken);
  EXPECT_EQ(decision.comparisons.at(0).verdict, Verdict::broken);
  EXPECT_THAT(repository_.reporter.processes, IsEmpty());
  const auto allowed = repository_.commit({{"kernelgate.toml", repository_.manifest("missing_cases = \"warn\"\n")}});
  const auto next = repository_.commit({{"times", "a\t98\n"}});
  EXPECT_EQ(judge(next, allowed).conclusion, Conclusion::passed);
}

TEST_F(JobTrustTest, AForksFetchLineDoesNotRunUnlessItIsAllowed) {
  const auto fetching = [this](const std::string& line) {
    auto text = repository_.manifest("");
    return text.replace(text.find("build = "), 0, "fetch = \"" + line + "\"\n");
  };
  const auto base = repository_.commit({{"kernelgate.toml", fetching("echo of-base")}, {"times", "a\t100\n"}});
  const auto head = repository_.commit({{"kernelgate.toml", fetching("echo of-head")}, {"times", "a\t101\n"}});
  const auto log_of = [&](bool fork, bool allowed) {
    auto request = repository_.request_for(head, base);
    request.trust = fork ? "fork" : "trusted";
    request.fork_fetch = allowed;
    (void)repository_.judge(request);
    return repository_.reporter.logs["build-head"];
  };
  EXPECT_THAT(log_of(false, false), HasSubstr("of-head"));
  EXPECT_THAT(log_of(true, false), testing::Not(HasSubstr("echo of-")));
  EXPECT_THAT(log_of(true, true), HasSubstr("of-base"));
}

TEST_F(JobTrustTest, BaseIsBuiltBeforeHead) {
  const auto base = repository_.commit({{"build.sh", "date +%s%N; " + repository_.copying_build()}});
  const auto head = repository_.commit({{"times", "a\t101\n"}});
  (void)judge(head, base);
  const auto built_at = [this](const std::string& side) {
    const std::string& log = repository_.reporter.logs["build-" + side];
    return std::stoll(log.substr(log.find('\n') + 1));
  };
  EXPECT_LT(built_at("base"), built_at("head"));
}

}  // namespace job_trust_test
}  // namespace kernelgate
