// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/units/digest.hpp"

namespace kernelgate {
namespace manifest_test {

using testing::ElementsAre;

constexpr std::string_view kFull = R"(schema = 1
[build]
fetch     = "git submodule update --init"
configure = "cmake -S {source} -B {build} -G Ninja -DCMAKE_BUILD_TYPE=Release"
build     = "cmake --build {build}"
inputs    = ["kernels/**", "CMakeLists.txt"]
overlay   = ["bench/**"]
timeout_s = 600
[[suite]]
name = "bsr_gemm"
format = "google-benchmark"
run  = "{build}/bsr_gemm_bench"
check = "{build}/bsr_gemm_check"
time = "cpu"
clock = "device"
sample_ms = 20
timeout_s = 90
requires = { gpu = true, compute = "9.0" }
[[suite]]
name = "attention"
run  = "{build}/attention_bench"
[policy]
rule = "mwu_cliff"
tolerate = 0.02
catch    = 0.06
small = "fail"
missing = "fail"
max_pairs = 12
gpu_seconds = 300
error_growth = 4
error_growth_action = "fail"
against = "stored"
stored = "fail"
[[policy.override]]
match = "attention/.*"
catch = 0.05
[[policy.override]]
match = "größe \"x\""
tolerate = 0
small = "warn"
missing = "warn"
[[workload]]
name = "decode"
entries = [
  { match = "gemm/.*/M:1$", weight = 24 },
  { match = "attention/decode", weight = 0.5 },
]
[[sweep]]
suite = "attention"
axes = { BLOCK_M = [64, 80, 128], SCALE = [0.5, 1.0], MODE = ["fast", "exact"] }
)";

Manifest full() { return parse_manifest(kFull, "kernelgate.toml").value(); }

TEST(Manifest, ReadsEveryKey) {
  const Result<Manifest> parsed = parse_manifest(kFull, "kernelgate.toml");
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  const Manifest& m = *parsed;
  EXPECT_EQ(m.build.fetch, "git submodule update --init");
  EXPECT_EQ(m.build.configure, "cmake -S {source} -B {build} -G Ninja -DCMAKE_BUILD_TYPE=Release");
  EXPECT_EQ(m.build.build, "cmake --build {build}");
  EXPECT_THAT(m.build.inputs, ElementsAre("kernels/**", "CMakeLists.txt"));
  EXPECT_THAT(m.build.overlay, ElementsAre("bench/**"));
  EXPECT_EQ(m.build.timeout, std::chrono::seconds{600});
  ASSERT_EQ(m.suites.size(), 2U);
  EXPECT_EQ(m.suites[0].name, "bsr_gemm");
  EXPECT_EQ(m.suites[0].run, "{build}/bsr_gemm_bench");
  EXPECT_EQ(m.suites[0].check, "{build}/bsr_gemm_check");
  EXPECT_EQ(m.suites[0].time, TimeSource::cpu);
  EXPECT_EQ(m.suites[0].sample_ms, 20);
  EXPECT_EQ(m.suites[0].clock, SuiteClock::device);
  EXPECT_EQ(m.suites[1].clock, SuiteClock::automatic);
  EXPECT_EQ(m.suites[0].timeout, std::chrono::seconds{90});
  EXPECT_TRUE(m.suites[0].requires_gpu);
  EXPECT_EQ(m.suites[0].requires_compute, "9.0");
  EXPECT_EQ(m.policy.rule, Rule::mwu_cliff);
  EXPECT_EQ(m.policy.tolerate, 0.02);
  EXPECT_EQ(m.policy.catch_limit, 0.06);
  EXPECT_EQ(m.policy.small, OnFinding::fail);
  EXPECT_EQ(m.policy.missing, OnFinding::fail);
  EXPECT_EQ(m.policy.max_pairs, 12);
  EXPECT_EQ(m.policy.gpu_seconds, 300);
  EXPECT_EQ(m.policy.error_growth, 4);
  EXPECT_EQ(m.policy.error_growth_action, OnFinding::fail);
  ASSERT_EQ(m.policy.overrides.size(), 2U);
  EXPECT_EQ(m.policy.overrides[0].catch_limit, 0.05);
  EXPECT_EQ(m.policy.overrides[0].tolerate, std::nullopt);
  EXPECT_EQ(m.policy.overrides[1].match, "größe \"x\"");
  EXPECT_EQ(m.policy.overrides[1].tolerate, 0);
  ASSERT_EQ(m.policy.workloads.size(), 1U);
  EXPECT_EQ(m.policy.workloads[0].name, "decode");
  ASSERT_EQ(m.policy.workloads[0].entries.size(), 2U);
  EXPECT_EQ(m.policy.workloads[0].entries[0].match, "gemm/.*/M:1$");
  EXPECT_EQ(m.policy.workloads[0].entries[0].weight, 24);
  EXPECT_EQ(m.policy.workloads[0].entries[1].weight, 0.5);
  ASSERT_EQ(m.sweeps.size(), 1U);
  EXPECT_EQ(m.sweeps[0].suite, "attention");
  EXPECT_EQ(m.sweeps[0].axes.at("BLOCK_M").size(), 3U);
  EXPECT_EQ(std::get<double>(m.sweeps[0].axes.at("SCALE")[0]), 0.5);
  EXPECT_EQ(std::get<std::string>(m.sweeps[0].axes.at("MODE")[1]), "exact");
  EXPECT_EQ(m.text_sha256, sha256_hex(kFull));
}

TEST(Manifest, DefaultsHoldWhereAKeyIsAbsent) {
  const Result<Manifest> parsed =
      parse_manifest("schema = 1\n[build]\nbuild = \"make\"\n[[suite]]\nname = \"s\"\nrun = \"./s\"\n", "k.toml");
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_THAT(parsed->build.inputs, ElementsAre("**"));
  EXPECT_EQ(parsed->build.timeout, std::chrono::seconds{1800});
  EXPECT_EQ(parsed->suites[0].time, TimeSource::real);
  EXPECT_EQ(parsed->suites[0].sample_ms, 0.5);
  EXPECT_EQ(parsed->suites[0].timeout, std::chrono::seconds{120});
  EXPECT_FALSE(parsed->suites[0].requires_gpu);
  EXPECT_EQ(canonical_text(parsed->policy), canonical_text(Policy{}));
}

TEST(Expand, ReplacesPlaceholdersAndLeavesTheShellsBraces) {
  EXPECT_EQ(expand("cmake -S {source} -B {build}/x", "/s", "/b").value(), "cmake -S /s -B /b/x");
  EXPECT_EQ(expand("{build}{build}", "/s", "/b").value(), "/b/b");
  EXPECT_EQ(expand("awk '{print $1}' ${HOME} ${source} {} {", "/s", "/b").value(),
            "awk '{print $1}' ${HOME} ${source} {} {");
  const Result<std::string> wrong = expand("{sorce}/x", "/s", "/b");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(to_string(wrong.error()), "unknown placeholder '{sorce}' (did you mean '{source}'?)");
}

TEST(EffectiveManifest, NamesWhatHeadChanged) {
  const Manifest base = full();
  EXPECT_TRUE(effective_manifest_changes(base, base).empty());
  Manifest head = base;
  head.policy.tolerate = 0.05;
  head.policy.missing = OnFinding::warn;
  head.policy.against = Against::pairs;
  head.policy.stored = OnFinding::warn;
  head.policy.overrides.pop_back();
  head.policy.workloads[0].entries.pop_back();
  head.build.inputs.push_back("src/**");
  head.build.configure = "make";  // head builds itself as it likes: no part of the effective manifest
  head.suites[0].check.clear();
  head.suites[0].time = TimeSource::real;
  head.suites[1].name = "attn";
  EXPECT_THAT(
      effective_manifest_changes(base, head),
      ElementsAre("policy.tolerate: 0.02 became 0.05", "policy.missing: 'fail' became 'warn'",
                  "policy.against: 'stored' became 'pairs'", "policy.stored: 'fail' became 'warn'",
                  "policy.override: [attention/.* catch=0.05, größe \"x\" tolerate=0 small=warn "
                  "missing=warn] became [attention/.* catch=0.05]",
                  "workload: [decode: gemm/.*/M:1$=24 attention/decode=0.5] became [decode: gemm/.*/M:1$=24]",
                  "build.inputs: [kernels/**, CMakeLists.txt] became [kernels/**, CMakeLists.txt, "
                  "src/**]",
                  "suite 'bsr_gemm' check: '{build}/bsr_gemm_check' became ''",
                  "suite 'bsr_gemm' time: 'cpu' became 'real'", "suite 'attention' is gone", "suite 'attn' is new"));
}

}  // namespace manifest_test
}  // namespace kernelgate
