// SPDX-License-Identifier: Apache-2.0
#include "commands/profile/profile.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace profile_test {

using testing::ElementsAre;
using testing::HasSubstr;

// The profiler shows the file profile.csv of the build (tests/support/ncu).
class LocalProfileTest : public testing::Test {
 protected:
  LocalProfileTest() {
    options_.run.repository = repository_.folder();
    options_.run.no_sandbox = true;
    options_.benchmark = "a";
    options_.cuda_tools = KG_TABLE_CUDA_TOOLS;
    options_.out = repository_.folder() / "pages";
    commit("91");
    commit("40");
  }
  void commit(const std::string& hit_rate) {
    std::string manifest = TableRepository::manifest("");
    manifest.insert(manifest.find("\"*.c\""), "\"*.csv\", ");
    repository_.commit({{"kernelgate.toml", manifest},
                        {"build.sh", TableRepository::copying_build() + "cp \"$1/profile.csv\" \"$2/\"\n"},
                        {"profile.csv", "\"ID\",\"Kernel Name\",\"lts__t_sector_hit_rate.pct\"\n\"0\",\"gemm\",\"" +
                                            hit_rate + "\"\n"}});
  }
  Result<ProfileOutcome> profile() {
    return profile_here(options_, [](const std::string&) {}, {});
  }
  TableRepository repository_;
  ProfileOptions options_;
};

TEST_F(LocalProfileTest, ShowsTheCountersThatMovedAndKeepsThePages) {
  const auto outcome = profile();
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_THAT(outcome->changes, ElementsAre("L2 hit rate 91 % -> 40 %"));
  EXPECT_THAT(profile_table(*outcome), HasSubstr("kernel: gemm\nL2 hit rate 91 % -> 40 %\n"));
  EXPECT_EQ(nlohmann::json::parse(profile_json(*outcome))["base"]["counters"]["lts__t_sector_hit_rate.pct"], 91);
  std::ifstream page(options_.out / "head.csv");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(text, HasSubstr("\"gemm\",\"40\""));
}

TEST_F(LocalProfileTest, SaysWhatIsMissing) {
  options_.benchmark = "b";
  EXPECT_EQ(profile().error().code, Errc::not_found);
  options_.benchmark = "a";
  options_.cuda_tools = repository_.folder();
  EXPECT_EQ(profile().error().code, Errc::unsupported);
}

}  // namespace profile_test
}  // namespace kernelgate::local
