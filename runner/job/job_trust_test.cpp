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

// The library is wrong, and head's check program says that all is well.
TEST(CheckFromBase, HeadsLibraryIsJudgedByBasesCheck) {
  TableRepository repository(SandboxConfig{});
  const std::string build = repository.copying_build() + "mkdir -p $2/lib; cp $1/answer $2/lib/; cp $1/check.sh $2/\n";
  const auto manifest = [&](const std::string& lines) {
    auto text = TableRepository::manifest("", lines);
    const std::string line = "check = \"sh {build}/check.sh\"";
    return text.replace(text.find(line), line.size(), "check = \"sh {build}/check.sh {build}\"");
  };
  const std::string check = "[ $(cat $1/lib/answer) = 42 ] && echo '{\"name\":\"answer\",\"passed\":true}' || exit 1\n";
  const std::string lie = "echo '{\"name\":\"answer\",\"passed\":true}'\n";
  const auto judged = [&](const std::string& lines, const std::string& answer) {
    const auto base = repository.commit({{"kernelgate.toml", manifest(lines)},
                                         {"build.sh", build},
                                         {"check.sh", check},
                                         {"answer", "42\n"},
                                         {"times", "a\t100\n"}});
    const auto head = repository.commit({{"check.sh", lie}, {"answer", answer}, {"times", "a\t99\n"}});
    return repository.judge(repository.request_for(head, base));
  };
  EXPECT_EQ(judged("", "41\n").conclusion, Conclusion::passed) << "head's check is taken at its word";
  const std::string lines = "check_from = \"base\"\ncheck_library = [\"lib/answer\"]\n";
  EXPECT_EQ(judged(lines, "41\n").conclusion, Conclusion::broken);
  EXPECT_EQ(judged(lines, "42\n").conclusion, Conclusion::passed);
  const auto head = repository.commit({{"build.sh", build + "ln -sf /etc/hostname $2/lib/answer\n"}});
  const auto decision = repository.judge(repository.request_for(head));
  EXPECT_EQ(decision.conclusion, Conclusion::broken) << "a link leads out";
  EXPECT_THAT(decision.comparisons.at(0).reason, HasSubstr("head builds no plain file lib/answer"));
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

TEST_F(JobTrustTest, ARunHasABoundInTime) {
  const auto decide = [this](const std::string& base_build, const std::string& head_build) {
    const auto base = repository_.commit({{"build.sh", base_build + repository_.copying_build()}});
    const auto head = repository_.commit({{"build.sh", head_build + repository_.copying_build()}});
    auto request = repository_.request_for(head, base);
    request.wall_max = std::chrono::seconds(8);  // the larger half is the sleeper's, also on a busy machine
    const auto started = std::chrono::steady_clock::now();
    auto decision = repository_.judge(request);
    EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(40));
    return decision;
  };
  const auto heads = decide("", "sleep 60\n");
  EXPECT_EQ(heads.conclusion, Conclusion::broken) << heads.reason;
  EXPECT_EQ(heads.comparisons.at(0).verdict, Verdict::timed_out);
  EXPECT_THAT(heads.comparisons.at(0).reason, HasSubstr("the run was ended after 0.1 min"));
  const auto bases = decide("sleep 61\n", "");
  EXPECT_EQ(bases.conclusion, Conclusion::infrastructure) << bases.summary;
  EXPECT_THAT(bases.reason, HasSubstr("the run was ended after 0.1 min"));
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
