// SPDX-License-Identifier: Apache-2.0
// Every field of a manifest, malformed: the error names the place, what is wrong and how to fix
// it.
#include <gtest/gtest.h>

#include <string>

#include "core/manifest/manifest.hpp"

namespace kernelgate {
namespace manifest_malformed_test {

// A good manifest of four parts; a case replaces one of them or adds lines at the end.
constexpr const char* kSchema = "schema = 1\n";
constexpr const char* kBuild = "[build]\nbuild = \"make\"\n";
constexpr const char* kSuite = "[[suite]]\nname = \"s\"\nrun = \"./s\"\n";

std::string manifest(const std::string& schema, const std::string& build, const std::string& suite,
                     const std::string& more) {
  return schema + build + suite + more;
}

std::string error_of(const std::string& text) {
  const Result<Manifest> parsed = parse_manifest(text, "k.toml");
  if (parsed) return "accepted";
  EXPECT_TRUE(parsed.error().code == Errc::invalid || parsed.error().code == Errc::too_large);
  return to_string(parsed.error());
}

struct Case {
  std::string text;
  const char* want;  // the whole message, or its beginning when it ends in '*'
};

void expect_errors(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    const std::string got = error_of(c.text);
    const std::string want = c.want;
    if (want.back() == '*')
      EXPECT_EQ(got.substr(0, want.size() - 1), want.substr(0, want.size() - 1)) << c.text;
    else
      EXPECT_EQ(got, want) << c.text;
  }
}

std::string schema(const char* lines) { return manifest(lines, kBuild, kSuite, ""); }
std::string build(const char* lines) { return manifest(kSchema, lines, kSuite, ""); }
std::string build_with(const char* line) { return manifest(kSchema, std::string(kBuild) + line + "\n", kSuite, ""); }
std::string suite(const char* lines) { return manifest(kSchema, kBuild, lines, ""); }
std::string suite_with(const char* line) { return manifest(kSchema, kBuild, std::string(kSuite) + line + "\n", ""); }
std::string policy(const char* lines) {
  return manifest(kSchema, kBuild, kSuite, std::string("[policy]\n") + lines + "\n");
}
std::string overriding(const char* lines) { return policy((std::string("[[policy.override]]\n") + lines).c_str()); }
std::string sweep(const char* lines) {
  return manifest(kSchema, kBuild, kSuite, std::string("[[sweep]]\n") + lines + "\n");
}

std::string workload(const std::string& lines) {
  return manifest(kSchema, kBuild, kSuite, "[[workload]]\n" + lines + "\n");
}

TEST(MalformedManifest, TopLevel) {
  ASSERT_EQ(error_of(schema(kSchema)), "accepted");
  expect_errors({
      {"", "k.toml:1:1: 'schema' is missing (the first line is 'schema = 1')\n*"},
      {schema(""), "k.toml:1:1: 'schema' is missing (the first line is 'schema = 1')"},
      {schema("schema = 2\n"), "k.toml:1:10: 'schema' is 2 (this version of kernelgate reads schema 1)"},
      {schema("schema = \"1\"\n"), "k.toml:1:10: 'schema' must be an integer, but is a string (give an integer)"},
      {schema("schema = 1.0\n"), "k.toml:1:10: 'schema' must be an integer, but is a fraction (give an integer)"},
      {schema("schema = 1\nschema = 1\n"), "k.toml:2:*"},
      {schema("schema = \n"), "k.toml:1:*"},
      {schema("schema = 1\nname = \"\xff\"\n"), "k.toml:2:*"},
      {schema("schema = 1\npolcy = {}\n"), "k.toml:2:1: unknown key 'polcy' (did you mean 'policy'?)"},
      {schema("schema = 1\nzzzzzzzzz = 1\n"),
       "k.toml:2:1: unknown key 'zzzzzzzzz' (known keys: 'schema', 'build', 'suite', 'policy', "
       "'workload', 'sweep' or 'sanitizer')"},
      {schema("schema = 1\npolicy = 3\n"), "k.toml:2:10: 'policy' must be a table, but is an integer (give a table)"},
      {manifest(kSchema, "", kSuite, ""), "k.toml:1:1: 'build' is missing (declare [build] with the key 'build')"},
      {manifest(kSchema, kBuild, "", ""),
       "k.toml:1:1: no [[suite]] is declared (declare at least one suite with name and run)"},
      {manifest(kSchema, kBuild, "[suite]\nname = \"s\"\nrun = \"./s\"\n", ""),
       "k.toml:4:1: 'suite' must be a list of tables, but is a table (write [[suite]] with two "
       "brackets)"},
      {schema("schema = 1\nsuite = [1]\n").substr(0, 23) + kBuild,
       "k.toml:2:10: 'suite' must hold tables, but holds an integer (write [[suite]])"},
      {std::string(300 << 10, '#'), "k.toml: the manifest has 307200 bytes (262144 bytes at most)"},
  });
}

TEST(MalformedManifest, Build) {
  ASSERT_EQ(error_of(build_with("timeout_s = 7200")), "accepted");
  expect_errors({
      {build("[build]\n"),
       "k.toml:2:1: 'build' of [build] is missing (give the command that builds, or \"\" if "
       "nothing is to be built)"},
      {build("[build]\nbuild = 1\n"),
       "k.toml:3:9: 'build' of [build] must be a string, but is an integer (give a string)"},
      {build("[build]\nbuild = \"make {sorce}\"\n"),
       "k.toml:3:9: 'build' of [build] has an unknown placeholder '{sorce}' (did you mean "
       "'{source}'?)"},
      {build("[build]\nbuild = \"make \\u0000\"\n"), "k.toml:3:*"},
      {build_with("fetch = true"), "k.toml:4:9: 'fetch' of [build] must be a string, but is true or false *"},
      {build_with("configure = [\"a\"]"), "k.toml:4:13: 'configure' of [build] must be a string, but is a list *"},
      {build_with("configure = \"{nothing}\""),
       "k.toml:4:13: 'configure' of [build] has an unknown placeholder '{nothing}' (known are "
       "'{source}', '{build}' and '{defines}')"},
      {build_with("configur = \"x\""), "k.toml:4:1: unknown key 'configur' in [build] (did you mean 'configure'?)"},
      {build_with("inputs = \"**\""), "k.toml:4:10: 'inputs' of [build] must be a list, but is a string (give a list)"},
      {build_with("inputs = [1]"),
       "k.toml:4:11: 'inputs' of [build] must hold strings, but holds an integer (put it in "
       "quotes)"},
      {build_with("inputs = []"), "k.toml:4:10: 'inputs' of [build] is empty (name what the build reads, or *"},
      {build_with("inputs = [\"/abs\"]"), "k.toml:4:11: glob '/abs' of 'inputs' of [build] begins with '/' *"},
      {build_with("inputs = [\"ok\", \"../up\"]"),
       "k.toml:4:17: glob '../up' of 'inputs' of [build] leaves the repository *"},
      {build_with("overlay = [\"[a-\"]"),
       "k.toml:4:12: glob '[a-' of 'overlay' of [build] has a '[' that is never closed *"},
      {build_with("overlay = {}"), "k.toml:4:11: 'overlay' of [build] must be a list, but is a table *"},
      {build_with("timeout_s = 0"), "k.toml:4:13: 'timeout_s' of [build] is 0 (give an integer from 1 to 7200)"},
      {build_with("timeout_s = 7201"), "k.toml:4:13: 'timeout_s' of [build] is 7201 *"},
      {build_with("timeout_s = 1.5"), "k.toml:4:13: 'timeout_s' of [build] must be an integer, but is a fraction *"},
  });
}

TEST(MalformedManifest, Suite) {
  ASSERT_EQ(error_of(suite_with("requires = { gpu = true, compute = \"10.0\" }")), "accepted");
  expect_errors({
      {suite("[[suite]]\nrun = \"./s\"\n"), "k.toml:4:1: 'name' of [[suite]] is missing (give the suite a name)"},
      {suite("[[suite]]\nname = \"\"\nrun = \"./s\"\n"), "k.toml:5:8: 'name' of [[suite]] is empty *"},
      {suite("[[suite]]\nname = \"a/b\"\nrun = \"./s\"\n"), "k.toml:5:8: 'name' of [[suite]] is 'a/b' *"},
      {suite("[[suite]]\nname = \"..\"\nrun = \"./s\"\n"), "k.toml:5:8: 'name' of [[suite]] is '..' *"},
      {suite("[[suite]]\nname = 7\nrun = \"./s\"\n"), "k.toml:5:8: 'name' of [[suite]] must be a string, *"},
      {suite("[[suite]]\nname = \"s\"\n"), "k.toml:4:1: 'run' of [[suite]] is missing *"},
      {suite("[[suite]]\nname = \"s\"\nrun = 1\n"),
       "k.toml:6:7: 'run' of [[suite]] must be a string, but is an integer (give a string)"},
      {suite("[[suite]]\nname = \"s\"\nrun = \" \"\n"), "k.toml:6:7: 'run' of [[suite]] is empty *"},
      {suite("[[suite]]\nname = \"s\"\nrun = \"{bild}/s\"\n"),
       "k.toml:6:7: 'run' of [[suite]] has an unknown placeholder '{bild}' (did you mean "
       "'{build}'?)"},
      {suite((std::string(kSuite) + kSuite).c_str()),
       "k.toml:8:8: two suites are named 's' (give each suite a name of its own)"},
      {suite_with("format = \"criterion\""),
       "k.toml:7:10: 'format' of [[suite]] is 'criterion' (give 'google-benchmark', *"},
      {suite_with("format = \"nvbench\"\ntime = \"cpu\""),
       "k.toml:8:8: 'time' of [[suite]] is 'cpu', and nvbench keeps samples of one time only (leave it out)"},
      {suite_with("format = \"google_benchmark\""),
       "k.toml:7:10: 'format' of [[suite]] is 'google_benchmark' (did you mean "
       "'google-benchmark'?)"},
      {suite_with("check = 1"), "k.toml:7:9: 'check' of [[suite]] must be a string, but is an integer *"},
      {suite_with("check = \"{x}\""), "k.toml:7:9: 'check' of [[suite]] has an unknown placeholder '{x}' *"},
      {suite_with("check = \"c\"\ncheck_from = \"base\"\ncheck_library = [\"lib/libk.so\"]"), "accepted"},
      {suite_with("check = \"c\"\ncheck_from = \"base\""),
       "k.toml:8:14: 'check_from' of [[suite]] is 'base' without a check_library *"},
      {suite_with("check_from = \"base\"\ncheck_library = [\"k.so\"]"),
       "k.toml:7:14: 'check_from' of [[suite]] is given without a check *"},
      {suite_with("check_library = [\"k.so\"]"),
       "k.toml:7:17: 'check_library' of [[suite]] is given without check_from *"},
      {suite_with("check = \"c\"\ncheck_from = \"base\"\ncheck_library = [\"../k.so\"]"),
       "k.toml:9:17: 'check_library' of [[suite]] has '../k.so' *"},
      {suite_with("check = \"c\"\ncheck_from = \"base\"\ncheck_library = [\"/k.so\"]"),
       "k.toml:9:17: 'check_library' of [[suite]] has '/k.so' *"},
      {suite_with("check = \"c\"\ncheck_from = \"both\""), "k.toml:8:14: 'check_from' of [[suite]] is 'both' *"},
      {suite_with("time = \"manual\""), "k.toml:7:8: 'time' of [[suite]] is 'manual' (give 'real' or 'cpu')"},
      {suite_with("time = true"), "k.toml:7:8: 'time' of [[suite]] must be a string, *"},
      {suite_with("sample_ms = 0"), "k.toml:7:13: 'sample_ms' of [[suite]] is 0 (give a number from 0.01 to 10000)"},
      {suite_with("sample_ms = nan"), "k.toml:7:13: 'sample_ms' of [[suite]] is nan *"},
      {suite_with("sample_ms = inf"), "k.toml:7:13: 'sample_ms' of [[suite]] is inf *"},
      {suite_with("sample_ms = \"1\""), "k.toml:7:13: 'sample_ms' of [[suite]] must be a number, but is a string *"},
      {suite_with("timeout_s = 3601"),
       "k.toml:7:13: 'timeout_s' of [[suite]] is 3601 (give an integer from 1 to 3600)"},
      {suite_with("timeout_s = -1"), "k.toml:7:13: 'timeout_s' of [[suite]] is -1 *"},
      {suite_with("requires = true"), "k.toml:7:12: 'requires' of [[suite]] must be a table, *"},
      {suite_with("requires = { gpu = 1 }"),
       "k.toml:7:20: 'gpu' of requires must be true or false, but is an integer *"},
      {suite_with("requires = { gpu = true, compute = 9.0 }"),
       "k.toml:7:36: 'compute' of requires must be a string, but is a fraction *"},
      {suite_with("requires = { gpu = true, compute = \"sm_90\" }"), "k.toml:7:36: 'compute' of requires is 'sm_90' *"},
      {suite_with("requires = { gpu = true, compute = \"9.\" }"), "k.toml:7:36: 'compute' of requires is '9.' *"},
      {suite_with("requires = { compute = \"9.0\" }"),
       "k.toml:7:24: 'compute' of requires is given without a GPU (add 'gpu = true')"},
      {suite_with("requires = { cpu = true }"), "k.toml:7:14: unknown key 'cpu' in requires (did you mean 'gpu'?)"},
      {suite_with("nmae = \"x\""), "k.toml:7:1: unknown key 'nmae' in [[suite]] (did you mean 'name'?)"},
  });
}

TEST(MalformedManifest, Clock) {
  ASSERT_EQ(error_of(suite_with("clock = \"auto\"")), "accepted");
  ASSERT_EQ(error_of(policy("not_felt = \"fail\"")), "accepted");
  expect_errors({
      {suite_with("clock = \"gpu\""), "k.toml:7:9: 'clock' of [[suite]] is 'gpu' *"},
      {suite_with("clock = \"both\"\nformat = \"nvbench\""),
       "k.toml:7:9: 'clock' of [[suite]] asks for the device's clock, which NVBench reads itself (leave it out)"},
      {policy("not_felt = \"pass\""), "k.toml:8:12: 'not_felt' of [policy] is 'pass' (give 'warn' or 'fail')"},
  });
}

TEST(MalformedManifest, Policy) {
  ASSERT_EQ(error_of(policy("max_pairs = 64")), "accepted");
  expect_errors({
      {policy("tolarate = 0.01"), "k.toml:8:1: unknown key 'tolarate' in [policy] (did you mean 'tolerate'?)"},
      {policy("rule = \"pair\""), "k.toml:8:8: 'rule' of [policy] is 'pair' (did you mean 'pairs'?)"},
      {policy("rule = 1"), "k.toml:8:8: 'rule' of [policy] must be a string, but is an integer *"},
      {policy("tolerate = \"1%\""), "k.toml:8:12: 'tolerate' of [policy] must be a number, but is a string *"},
      {policy("tolerate = -0.1"), "k.toml:8:12: 'tolerate' of [policy] is -0.1 (give a number from 0 to 1)"},
      {policy("tolerate = 0.03"),
       "k.toml:8:12: 'tolerate' of [policy] leaves no band: tolerate is 0.03, catch is 0.03 "
       "(tolerate must be "
       "below catch)"},
      {policy("tolerate = 0.1\ncatch = 0.05"), "k.toml:9:9: 'catch' of [policy] leaves no band: *"},
      {policy("catch = 1.5"), "k.toml:8:9: 'catch' of [policy] is 1.5 *"},
      {policy("catch = nan"), "k.toml:8:9: 'catch' of [policy] is nan *"},
      {policy("small = \"ignore\""), "k.toml:8:9: 'small' of [policy] is 'ignore' (give 'warn' or 'fail')"},
      {policy("small = false"), "k.toml:8:9: 'small' of [policy] must be a string, *"},
      {policy("missing = \"error\""), "k.toml:8:11: 'missing' of [policy] is 'error' (give 'warn' or 'fail')"},
      {policy("max_pairs = 1"), "k.toml:8:13: 'max_pairs' of [policy] is 1 (give an integer from 2 to 64)"},
      {policy("max_pairs = 65"), "k.toml:8:13: 'max_pairs' of [policy] is 65 *"},
      {policy("max_pairs = 16.0"), "k.toml:8:13: 'max_pairs' of [policy] must be an integer, but is a fraction *"},
      {policy("gpu_seconds = 0"), "k.toml:8:15: 'gpu_seconds' of [policy] is 0 (give a number from 1 to 86400)"},
      {policy("gpu_seconds = \"x\""), "k.toml:8:15: 'gpu_seconds' of [policy] must be a number, *"},
      {policy("error_growth = 0.5"), "k.toml:8:16: 'error_growth' of [policy] is 0.5 *"},
      {policy("error_growth = []"), "k.toml:8:16: 'error_growth' of [policy] must be a number, but is a list *"},
      {policy("error_growth_action = \"block\""), "k.toml:8:23: 'error_growth_action' of [policy] is 'block' *"},
      {policy("against = \"store\""), "k.toml:8:11: 'against' of [policy] is 'store' (did you mean 'stored'?)"},
      {policy("against = 1"), "k.toml:8:11: 'against' of [policy] must be a string, *"},
      {policy("stored = \"ignore\""), "k.toml:8:10: 'stored' of [policy] is 'ignore' (give 'warn' or 'fail')"},
      {policy("override = {}"), "k.toml:8:12: 'override' of [policy] must be a list of tables, but is a table *"},
      {policy("catch = 2026-01-01"), "k.toml:8:9: 'catch' of [policy] must be a number, but is a date or time *"},
  });
}

TEST(MalformedManifest, Override) {
  ASSERT_EQ(error_of(overriding("match = \".*\"\ncatch = 0.05")), "accepted");
  expect_errors({
      {overriding("catch = 0.05"), "k.toml:8:1: 'match' of [[policy.override]] is missing *"},
      {overriding("match = \"\"\ncatch = 0.05"), "k.toml:9:9: 'match' of [[policy.override]] is empty *"},
      {overriding("match = \"(\"\ncatch = 0.05"),
       "k.toml:9:9: 'match' of [[policy.override]] is no regular expression*"},
      {overriding("match = \"(a)\\\\1\"\ncatch = 0.05"), "k.toml:9:9: 'match' of [[policy.override]] is no regular *"},
      {overriding("match = 1\ncatch = 0.05"), "k.toml:9:9: 'match' of [[policy.override]] must be a string, *"},
      {overriding("match = \"a\""), "k.toml:9:9: 'match' of [[policy.override]] changes nothing *"},
      {overriding("match = \"a\"\ntolerate = 0.05"),
       "k.toml:10:12: 'tolerate' of [[policy.override]] leaves no band: *"},
      {overriding("match = \"a\"\ncatch = 0.01"), "k.toml:10:9: 'catch' of [[policy.override]] leaves no band: *"},
      {overriding("match = \"a\"\ntolerate = true"),
       "k.toml:10:12: 'tolerate' of [[policy.override]] must be a number*"},
      {overriding("match = \"a\"\nsmall = \"no\""), "k.toml:10:9: 'small' of [[policy.override]] is 'no' *"},
      {overriding("match = \"a\"\nmissing = 0"), "k.toml:10:11: 'missing' of [[policy.override]] must be a string, *"},
      {overriding("match = \"a\"\ncatch = 0.05\nmax_pairs = 4"),
       "k.toml:11:1: unknown key 'max_pairs' in [[policy.override]] *"},
  });
}

TEST(MalformedManifest, Sweep) {
  ASSERT_EQ(error_of(sweep("suite = \"s\"\naxes = { A = [1, 2] }")), "accepted");
  expect_errors({
      {sweep("axes = { A = [1] }"), "k.toml:7:1: 'suite' of [[sweep]] is missing (name the suite to sweep)"},
      {sweep("suite = \"t\"\naxes = { A = [1] }"),
       "k.toml:8:9: 'suite' of [[sweep]] is 't', and no suite has this name (give 's')"},
      {sweep("suite = 1\naxes = { A = [1] }"), "k.toml:8:9: 'suite' of [[sweep]] must be a string, *"},
      {sweep("suite = \"s\""), "k.toml:7:1: 'axes' of [[sweep]] is missing *"},
      {sweep("suite = \"s\"\naxes = [1]"), "k.toml:9:8: 'axes' of [[sweep]] must be a table, but is a list *"},
      {sweep("suite = \"s\"\naxes = {}"), "k.toml:9:8: 'axes' of [[sweep]] is empty *"},
      {sweep("suite = \"s\"\naxes = { A = 1 }"), "k.toml:9:14: 'A' of axes must be a list, but is an integer *"},
      {sweep("suite = \"s\"\naxes = { A = [] }"), "k.toml:9:14: 'A' of axes has no values *"},
      {sweep("suite = \"s\"\naxes = { A = [true] }"), "k.toml:9:15: axis 'A' holds a value that cannot be a define *"},
      {sweep("suite = \"s\"\naxes = { A = [\"x; rm\"] }"), "k.toml:9:15: axis 'A' holds a value that cannot *"},
      {sweep("suite = \"s\"\naxes = { A = [1, 1] }"), "k.toml:9:18: axis 'A' names a value twice (drop one)"},
      {sweep("suite = \"s\"\naxes = { \"A B\" = [1] }"), "k.toml:9:18: 'A B' of axes cannot be the name of a define *"},
      {sweep("suite = \"s\"\naxes = { A = [1, 2] }\nreference = { A = 3 }"),
       "k.toml:10:19: 'A' of reference is not a value of its axis *"},
      {sweep("suite = \"s\"\naxes = { A = [1, 2], B = [1] }\nreference = { A = 1 }"),
       "k.toml:10:13: 'B' of reference is missing (give a value of each axis)"},
      {sweep("suite = \"s\"\naxes = { A = [1, 2] }\nreference = { A = 1, C = 1 }"),
       "k.toml:10:22: unknown key 'C' in reference *"},
      {sweep("suite = \"s\"\naxis = { A = [1] }"), "k.toml:7:1: 'axes' of [[sweep]] is missing *"},
  });
}

TEST(MalformedManifest, Workload) {
  const std::string good = "name = \"decode 1\"\nentries = [{ match = \"a\", weight = 2.5 }]";
  ASSERT_EQ(error_of(workload(good)), "accepted");
  const auto entries = [](const std::string& text) { return workload("name = \"w\"\nentries = " + text); };
  std::string many = "[", workloads;
  for (int i = 0; i < 65; ++i) {
    many += "{ match = \"a\", weight = 1 },";
    workloads += "[[workload]]\nname = \"w" + std::to_string(i) + "\"\nentries = [{ match = \"a\", weight = 1 }]\n";
  }
  many += "]";
  std::string all;
  for (int i = 0; i < 4; ++i) all += "[[workload]]\nname = \"w" + std::to_string(i) + "\"\nentries = " + many + "\n";
  expect_errors({
      {workload("entries = [{ match = \"a\", weight = 1 }]"),
       "k.toml:7:1: 'name' of [[workload]] is missing (give the workload a name)"},
      {workload("name = \"\"\nentries = [{ match = \"a\", weight = 1 }]"),
       "k.toml:8:8: 'name' of [[workload]] is empty *"},
      {workload("name = \"a\\tb\"\nentries = [{ match = \"a\", weight = 1 }]"),
       "k.toml:8:8: 'name' of [[workload]] is *"},
      {workload("name = 1\nentries = [{ match = \"a\", weight = 1 }]"),
       "k.toml:8:8: 'name' of [[workload]] must be a string, *"},
      {workload(good) + "[[workload]]\n" + good, "k.toml:11:8: two workloads are named 'decode 1' *"},
      {workload("name = \"w\""), "k.toml:7:1: 'entries' of [[workload]] is missing *"},
      {entries("[]"), "k.toml:9:11: 'entries' of [[workload]] is empty (name at least one benchmark)"},
      {entries("{ match = \"a\" }"), "k.toml:9:11: 'entries' of [[workload]] must be a list, but is a table *"},
      {entries("[\"a\"]"), "k.toml:9:12: 'entries' of [[workload]] must hold tables, but holds a string *"},
      {entries("[{ weight = 1 }]"), "k.toml:9:12: 'match' of entries of [[workload]] is missing *"},
      {entries("[{ match = \"a\" }]"), "k.toml:9:12: 'weight' of entries of [[workload]] is missing *"},
      {entries("[{ match = \"(\", weight = 1 }]"), "k.toml:9:22: 'match' of entries of [[workload]] is no regular *"},
      {entries("[{ match = \"a\", weight = 0 }]"), "k.toml:9:36: 'weight' of entries of [[workload]] is 0 *"},
      {entries("[{ match = \"a\", weight = -1 }]"), "k.toml:9:36: 'weight' of entries of [[workload]] is -1 *"},
      {entries("[{ match = \"a\", weight = inf }]"), "k.toml:9:36: 'weight' of entries of [[workload]] is inf *"},
      {entries("[{ match = \"a\", weight = \"1\" }]"),
       "k.toml:9:36: 'weight' of entries of [[workload]] must be a number*"},
      {entries("[{ match = \"a\", wait = 1 }]"), "k.toml:9:12: 'weight' of entries of [[workload]] is missing *"},
      {workload(good + "\nsuite = \"s\""), "k.toml:10:1: unknown key 'suite' in [[workload]] *"},
      {entries(many), "k.toml:9:11: 'entries' of [[workload]] has 65 entries (64 at most)"},
      {manifest(kSchema, kBuild, kSuite, workloads), "k.toml:7:*"},
      {manifest(kSchema, kBuild, kSuite, all), "k.toml:7:*"},
      {manifest(kSchema, kBuild, kSuite, "[workload]\n"), "k.toml:7:1: 'workload' must be a list of tables, *"},
  });
}

TEST(MalformedManifest, SaysAllErrorsInTheOrderOfTheText) {
  const std::string got = error_of(
      "schema = 2\n[build]\nbuild = 1\n[[suite]]\nname = \"s\"\nrun = \"./s\"\nsample_ms = 0\n"
      "[policy]\ntolarate = 0.01\n");
  EXPECT_EQ(got,
            "k.toml:1:10: 'schema' is 2 (this version of kernelgate reads schema 1)\n"
            "k.toml:3:9: 'build' of [build] must be a string, but is an integer (give a string)\n"
            "k.toml:7:13: 'sample_ms' of [[suite]] is 0 (give a number from 0.01 to 10000)\n"
            "k.toml:9:1: unknown key 'tolarate' in [policy] (did you mean 'tolerate'?)");
}

TEST(MalformedManifest, Sanitizer) {
  const auto sanitizer = [](const std::string& lines) {
    return manifest(kSchema, kBuild, kSuite, "[sanitizer]\n" + lines + "\n");
  };
  expect_errors({{sanitizer("memcheck = true\nracecheck = false"), "accepted"},
                 {sanitizer("memcheck = 1"), "k.toml:8:12: 'memcheck' of [sanitizer] *"},
                 {sanitizer("memchek = true"), "k.toml:8:1: unknown key 'memchek' in [sanitizer] *"},
                 {manifest(kSchema, kBuild, kSuite, "[[sanitizer]]\nmemcheck = true\n"), "k.toml:7:1: *"}});
}

// One such line ended the program: toml++ asserts what the file may break.
TEST(ManifestMalformed, WhatTheParserAssertsIsAnError) {
  for (const char* line : {"[}x]\n", "[[}x]]\n", "[a.}]\n", "[\x01]\n", "gr\u00f6\u00dfe = 1\n", "[build\ufef6]\n"})
    EXPECT_NE(error_of(kSchema + std::string(line)).find("not TOML"), std::string::npos) << line;
}

TEST(ManifestMalformed, TablesThatNestWithoutEndAreRefused) {
  std::string deep = "a";
  for (int i = 0; i < 130'000; ++i) deep += ".a";
  for (const std::string& text : {deep + " = 1\n", "[" + deep + "]\n", "x = { " + deep + " = 1 }\n",
                                  "x = [\"\"\"\"\"\"\", {" + deep + " = 1 }]\n"})
    EXPECT_NE(error_of(kSchema + text).find("dots outside of texts"), std::string::npos) << text.substr(0, 20);
}

TEST(ManifestMalformed, DotsInTextsAndCommentsAreNone) {
  const std::string dots(5000, '.');
  const std::string text = manifest(kSchema, kBuild, kSuite, "check = '" + dots + "'  # " + dots + "\n") + "# \"\n" +
                           "[policy]\n# " + dots + "\n";
  EXPECT_EQ(error_of(text), "accepted");
  EXPECT_EQ(error_of("\ufeff" + manifest(kSchema, kBuild, kSuite, "check = \"größe\"  # größe\n")), "accepted");
}

}  // namespace manifest_malformed_test
}  // namespace kernelgate
