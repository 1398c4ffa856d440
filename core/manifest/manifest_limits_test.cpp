// SPDX-License-Identifier: Apache-2.0

// Every limit of a manifest: what lies on it is taken, what lies beyond is refused and named.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <functional>

#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace manifest_limits_test {

std::string manifest(const std::string& build_more, const std::string& suite_more, const std::string& more) {
  return "schema = 1\n[build]\nbuild = \"make\"\n" + build_more + "\n[[suite]]\nname = \"s\"\nrun = \"./s\"\n" +
         suite_more + "\n" + more + "\n";
}

std::string list(std::int64_t count, const std::function<std::string(std::int64_t)>& entry) {
  std::string out = "[";
  for (std::int64_t i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + entry(i);
  return out + "]";
}

std::string quoted(std::int64_t i) { return fmt::format("\"f{}\"", i); }
std::string letters(std::int64_t count) { return "\"" + std::string(static_cast<std::size_t>(count), 'a') + "\""; }

std::string repeated(std::int64_t count, const std::function<std::string(std::int64_t)>& table) {
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) out += table(i);
  return out;
}

std::string workload(std::int64_t name, std::int64_t entries) {
  const auto entry = [](std::int64_t i) { return fmt::format("{{ match = \"b{}\", weight = 1 }}", i); };
  return fmt::format("[[workload]]\nname = \"w{}\"\nentries = {}\n", name, list(entries, entry));
}

struct Limit {
  const char* name;
  std::int64_t least, most;  // least: 0 where the next smaller one is no limit
  std::function<std::string(std::int64_t)> text;
  const char* named;  // in the error
};

void PrintTo(const Limit& limit, std::ostream* out) { *out << limit.name; }

class ManifestLimit : public testing::TestWithParam<Limit> {};

TEST_P(ManifestLimit, IsMetAndNotPassed) {
  const Limit& limit = GetParam();
  for (const std::int64_t inside : {std::max<std::int64_t>(limit.least, 1), limit.most}) {
    const auto parsed = parse_manifest(limit.text(inside), "k.toml");
    EXPECT_TRUE(parsed) << inside << ": " << to_string(parsed.error());
  }
  for (const std::int64_t outside : {limit.least - 1, limit.most + 1}) {
    if (outside < 0) continue;
    const auto parsed = parse_manifest(limit.text(outside), "k.toml");
    ASSERT_FALSE(parsed) << outside;
    EXPECT_NE(to_string(parsed.error()).find(limit.named), std::string::npos) << to_string(parsed.error());
    EXPECT_EQ(parsed.error().where.rfind("k.toml", 0), 0U) << parsed.error().where;
  }
}

std::string policy(const char* line, std::int64_t value) {
  return manifest("", "", "[policy]\n" + fmt::format(fmt::runtime(line), value));
}

const Limit kLimits[] = {
    {"suites", 1, limits::kSuitesMax,
     [](auto n) {
       return "schema = 1\n[build]\nbuild = \"\"\n" +
              repeated(n, [](auto i) { return fmt::format("[[suite]]\nname = \"s{}\"\nrun = \"./s\"\n", i); });
     },
     "suite"},
    {"overrides", 0, limits::kOverridesMax,
     [](auto n) {
       return manifest("", "", repeated(n, [](auto i) {
                         return fmt::format("[[policy.override]]\nmatch = \"b{}\"\ntolerate = 0.002\n", i);
                       }));
     },
     "override"},
    {"globs", 0, limits::kGlobsMax, [](auto n) { return manifest("overlay = " + list(n, quoted), "", ""); }, "overlay"},
    {"inputs", 1, limits::kGlobsMax, [](auto n) { return manifest("inputs = " + list(n, quoted), "", ""); }, "inputs"},
    {"glob", 1, limits::kGlobMax, [](auto n) { return manifest("inputs = [" + letters(n) + "]", "", ""); }, "inputs"},
    {"check_library", 1, limits::kGlobsMax,
     [](auto n) {
       return manifest("", "check = \"./c\"\ncheck_from = \"base\"\ncheck_library = " + list(n, quoted), "");
     },
     "check_library"},
    {"check_library_path", 1, limits::kGlobMax,
     [](auto n) {
       return manifest("", "check = \"./c\"\ncheck_from = \"base\"\ncheck_library = [" + letters(n) + "]", "");
     },
     "check_library"},
    {"match", 1, limits::kMatchMax,
     [](auto n) { return manifest("", "", "[[policy.override]]\ntolerate = 0.002\nmatch = " + letters(n)); }, "match"},
    {"workloads", 0, limits::kWorkloadsMax,
     [](auto n) { return manifest("", "", repeated(n, [](auto i) { return workload(i, 1); })); }, "workload"},
    {"entries", 1, limits::kWorkloadsMax, [](auto n) { return manifest("", "", workload(0, n)); }, "entries"},
    {"entries_in_all", 0, limits::kWorkloadEntriesMax,
     [](auto n) {
       return manifest("", "", repeated((n + 63) / 64, [n](auto i) {
                         return workload(i, std::min<std::int64_t>(64, n - 64 * i));
                       }));
     },
     "entries in all"},
    {"workload_name", 1, limits::kManifestNameMax,
     [](auto n) {
       return manifest("", "", "[[workload]]\nentries = [{ match = \"b\", weight = 1 }]\nname = " + letters(n));
     },
     "name"},
    {"suite_name", 1, limits::kManifestNameMax,
     [](auto n) { return "schema = 1\n[build]\nbuild = \"\"\n[[suite]]\nrun = \"./s\"\nname = " + letters(n) + "\n"; },
     "name"},
    {"command", 0, limits::kCommandMax, [](auto n) { return manifest("configure = " + letters(n), "", ""); },
     "configure"},
    {"build_timeout", 1, limits::kBuildTimeoutMax.count(),
     [](auto n) { return manifest(fmt::format("timeout_s = {}", n), "", ""); }, "timeout_s"},
    {"suite_timeout", 1, limits::kSuiteTimeoutMax.count(),
     [](auto n) { return manifest("", fmt::format("timeout_s = {}", n), ""); }, "timeout_s"},
    {"max_pairs", 2, limits::kPairsMax, [](auto n) { return policy("max_pairs = {}", n); }, "max_pairs"},
    {"gpu_seconds", 1, static_cast<std::int64_t>(limits::kGpuSecondsMax),
     [](auto n) { return policy("gpu_seconds = {}", n); }, "gpu_seconds"},
    {"sweep_points", 1, limits::kSweepPointsMax,
     [](auto n) {
       return manifest("", "", "[[sweep]]\nsuite = \"s\"\naxes = { M = " + list(n, [](auto i) {
                                 return std::to_string(i);
                               }) + " }");
     },
     "axes"},
    {"sweep_word", 1, limits::kManifestNameMax,
     [](auto n) { return manifest("", "", "[[sweep]]\nsuite = \"s\"\naxes = { M = [" + letters(n) + "] }"); }, "axis"},
    {"bytes", 0, static_cast<std::int64_t>(limits::kManifestMax.value),
     [](auto n) {
       const std::string plain = manifest("", "", "#");
       return plain + std::string(std::max<std::int64_t>(n - static_cast<std::int64_t>(plain.size()), 0), '\n');
     },
     "bytes"},
};

INSTANTIATE_TEST_SUITE_P(All, ManifestLimit, testing::ValuesIn(kLimits),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Sweep, AxesMultiply) {
  const auto sweep = [](int a, int b) {
    const auto number = [](auto i) { return std::to_string(i); };
    return parse_manifest(
        manifest("", "",
                 "[[sweep]]\nsuite = \"s\"\naxes = { A = " + list(a, number) + ", B = " + list(b, number) + " }"),
        "k.toml");
  };
  EXPECT_TRUE(sweep(16, 32));
  EXPECT_FALSE(sweep(16, 33));
  EXPECT_FALSE(sweep(400, 400));
}

struct Refused {
  const char* name;
  std::string text;
};
void PrintTo(const Refused& each, std::ostream* out) { *out << each.name; }

class OddManifest : public testing::TestWithParam<Refused> {};

TEST_P(OddManifest, IsRefused) { EXPECT_FALSE(parse_manifest(GetParam().text, "k.toml")) << GetParam().text; }

std::string compute(const char* text) {
  return manifest("", std::string("requires = { gpu = true, compute = \"") + text + "\" }", "");
}

INSTANTIATE_TEST_SUITE_P(
    All, OddManifest,
    testing::Values(Refused{"axis_without_a_name", manifest("", "", "[[sweep]]\nsuite = \"s\"\naxes = { \"\" = [1] }")},
                    Refused{"axis_value_without_a_letter",
                            manifest("", "", "[[sweep]]\nsuite = \"s\"\naxes = { A = [\"\"] }")},
                    Refused{"axis_of_infinity", manifest("", "", "[[sweep]]\nsuite = \"s\"\naxes = { A = [inf] }")},
                    Refused{"compute_without_minor", compute("9.")}, Refused{"compute_without_major", compute(".0")},
                    Refused{"compute_of_three", compute("9.0.1")}, Refused{"compute_with_a_letter", compute("9.0a")},
                    Refused{"fraction_of_pairs", policy("max_pairs = {}.5", 2)},
                    Refused{"tolerate_of_nan", policy("tolerate = nan\n#{}", 0)},
                    Refused{"catch_of_infinity", policy("catch = inf\n#{}", 0)},
                    Refused{"weight_of_nothing",
                            manifest("", "", "[[workload]]\nname = \"w\"\nentries = [{ match = \"b\", weight = 0 }]")},
                    Refused{"path_that_leaves", manifest("",
                                                         "check = \"./c\"\ncheck_from = \"base\"\n"
                                                         "check_library = [\"../x\"]",
                                                         "")}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace manifest_limits_test
}  // namespace kernelgate
