// SPDX-License-Identifier: Apache-2.0
#include "commands/characterize/characterize.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/table_repository.hpp"

namespace kernelgate::local {
namespace characterize_test {

using testing::HasSubstr;
using testing::SizeIs;

Process process(std::vector<double> samples, double sm_mhz) {
  Process out;
  out.side = Side::head;
  out.gpu_s = 2;
  Series series;
  series.benchmark = "gemm/fp16/cold";
  series.samples_ns = std::move(samples);
  series.counters = {{"flops", 7e8}, {"bytes", 1e6}, {"sm_mhz", sm_mhz}};
  out.series = {series};
  return out;
}

TEST(CharacterizeFigures, AreThoseOfProcessMedians) {
  SuiteEvidence evidence;
  evidence.name = "gemm";
  evidence.head_benchmarks = {"gemm/fp16/cold", "absent"};
  for (int i = 0; i < 10; ++i) {
    const double median = 1000 + i;
    evidence.processes.push_back(process({median - 10, median - 5, median, median + 5, median + 10}, 1900 + i));
  }
  evidence.processes[3].disturbed = true;
  Ceilings ceilings;
  ceilings.copy_bytes_s = 4e12;
  ceilings.flops = {{"fp16", 7e14}};
  const SuiteFigures figures = figures_of(evidence, ceilings);
  ASSERT_THAT(figures.benchmarks, SizeIs(2));
  const BenchmarkFigures& gemm = figures.benchmarks[0];
  EXPECT_EQ(gemm.samples, 50);
  EXPECT_EQ(gemm.processes, 10);
  EXPECT_EQ(gemm.median_ns, 1004.5);
  EXPECT_EQ(gemm.low_ns, 1001);  // ranks 2 and 9 of 10: 97.9 %
  EXPECT_EQ(gemm.high_ns, 1008);
  EXPECT_NEAR(gemm.coverage, 0.978515625, 1e-9);
  EXPECT_NEAR(gemm.spread_within, 10 / 1004.5, 1e-6);
  EXPECT_NEAR(gemm.spread_between, 3.0277 / 1004.5, 1e-6);  // standard deviation of 0 … 9
  EXPECT_NEAR(gemm.roof->fraction, 1e3 / 1004.5, 1e-9);
  EXPECT_EQ(gemm.sm_mhz_low, 1900);
  EXPECT_EQ(gemm.sm_mhz_high, 1909);
  EXPECT_EQ(figures.benchmarks[1].processes, 0);
  EXPECT_EQ(figures.disturbed, 1);
  EXPECT_EQ(figures.gpu_s, 20);
}

class CharacterizeTest : public testing::Test {
 protected:
  CharacterizeTest() {
    options_.run.repository = repository_.folder();
    options_.run.no_sandbox = true;
    options_.run.suite = "Table";
  }
  Result<std::vector<SuiteFigures>> characterize() {
    return characterize_here(options_, [](const std::string&) {}, {});
  }
  TableRepository repository_;
  CharacterizeOptions options_;
};

TEST_F(CharacterizeTest, TakesTheSamplesAskedForInTenProcesses) {
  repository_.commit({{"times", "a\t100\nb\t2000\n"}});
  options_.price_per_hour = 3600;
  const auto suites = characterize();
  ASSERT_TRUE(suites) << to_string(suites.error());
  ASSERT_THAT(*suites, SizeIs(1));
  const SuiteFigures& suite = suites->front();
  ASSERT_THAT(suite.benchmarks, SizeIs(2));
  EXPECT_EQ(suite.processes, 10);
  EXPECT_EQ(suite.benchmarks[1].samples, 100);
  EXPECT_EQ(suite.benchmarks[1].median_ns, 2000);
  EXPECT_EQ(suite.benchmarks[1].spread_between, 0);
  EXPECT_EQ(suite.checks.cases, 1);
  EXPECT_EQ(suite.checks.failed, 0);
  EXPECT_NEAR(suite.price, suite.gpu_s, 1e-9);
  EXPECT_THAT(characterize_markdown(*suites), HasSubstr("| b | 100 in 10 | 2.00 µs | 2.00 µs to 2.00 µs (97.9 %) |"));
  const auto json = nlohmann::json::parse(characterize_json(*suites));
  EXPECT_EQ(json["suites"][0]["benchmarks"][0]["samples"], 100);
  EXPECT_EQ(json["suites"][0]["checks"]["cases"], 1);
}

TEST_F(CharacterizeTest, AWrongKernelIsNotTimed) {
  repository_.commit({{"times", "a\t100\n"}, {"check.sh", TableRepository::failing_check("0.5")}});
  const auto suites = characterize();
  ASSERT_TRUE(suites) << to_string(suites.error());
  EXPECT_EQ(suites->front().processes, 0);
  EXPECT_EQ(suites->front().checks.failed, 1);
  EXPECT_THAT(characterize_markdown(*suites), HasSubstr("nothing was timed"));
}

TEST_F(CharacterizeTest, WhatThisMachineLacksIsSaid) {
  const std::string needs = "requires = { gpu = true, compute = \"99.0\" }\n";
  repository_.commit({{"kernelgate.toml", TableRepository::manifest("", needs)}});
  const auto suites = characterize();
  ASSERT_FALSE(suites);
  EXPECT_EQ(suites.error().code, Errc::unsupported);
  EXPECT_THAT(to_string(suites.error()), HasSubstr("Table needs "));
}

TEST_F(CharacterizeTest, ACrashIsSaidAndTheOthersAreTimed) {
  repository_.commit({{"times", "a\t100\nb\t100\texit 1\n"}});
  const auto suites = characterize();
  ASSERT_TRUE(suites) << to_string(suites.error());
  EXPECT_EQ(suites->front().benchmarks[0].processes, 10);
  EXPECT_EQ(suites->front().benchmarks[1].processes, 0);
  EXPECT_THAT(suites->front().notes.front(), HasSubstr("ended early"));
}

}  // namespace characterize_test
}  // namespace kernelgate::local
