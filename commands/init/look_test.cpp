// SPDX-License-Identifier: Apache-2.0
#include "commands/init/look.hpp"

#include <gmock/gmock.h>

#include "commands/init/cmake_text.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::init {
namespace look_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> lines_of(const Found& found) {
  std::vector<std::string> out;
  for (const FoundSuite& suite : found.suites)
    out.push_back(suite.name + " " + std::string(to_string(suite.format)) + " " + suite.run + " " + suite.where);
  return out;
}

Found of_cmake(const std::string& text) { return look_at({{"CMakeLists.txt", text}}); }

TEST(CMakeText, CommentsQuotesAndLoopsAreRead) {
  CMakeVariables variables;
  const auto calls = read_cmake(
      "# add_executable(no)\n"
      "set(names one two) # three)\n"
      "foreach(name IN LISTS names)\n"
      "  ADD_EXECUTABLE(${name}_bench \"${name} (x).cpp\")\n"
      "endforeach()\n"
      "if(NOT (A AND B))\nendif()\n"
      "message(\"${unknown} \\\"said\\\"\")\n",
      variables);
  std::vector<std::string> said;
  for (const CMakeCall& call : calls) {
    std::string line = std::to_string(call.line) + " " + call.name;
    for (const std::string& word : call.words) line += " [" + word + "]";
    said.push_back(line);
  }
  EXPECT_THAT(said, ElementsAre("2 set [names] [one] [two]", "4 add_executable [one_bench] [one (x).cpp]",
                                "4 add_executable [two_bench] [two (x).cpp]", "6 if [NOT] [(A] [AND] [B)]", "7 endif",
                                "8 message [${unknown} \"said\"]"));
  EXPECT_EQ(variables.at("names"), "one;two");
}

TEST(CMakeText, WhatIsCutOffEndsTheReading) {
  CMakeVariables variables;
  EXPECT_EQ(read_cmake("add_executable(a b", variables).size(), 1U);
  EXPECT_EQ(read_cmake("set(a \"b", variables).size(), 1U);
  EXPECT_EQ(read_cmake("foreach(a b)\nset(c d)", variables).size(), 1U);
  EXPECT_THAT(read_cmake("foreach(", variables), IsEmpty());
}

TEST(CMakeText, WhatDoublesOrLoopsWithoutEndIsLeftOut) {
  const auto size_of = [](const std::string& text) {
    CMakeVariables variables;
    std::size_t size = 0;
    for (const CMakeCall& call : read_cmake(text, variables)) {
      size += 1;
      for (const std::string& word : call.words) size += word.size();
    }
    return size;
  };
  std::string doubling = "set(a x)\n", loops, ends, deep;
  for (int i = 0; i < 60; ++i) {
    doubling += "set(a \"${a}${a}\")\n";
    if (i < 20) loops += "foreach(v" + std::to_string(i) + " a b c d e f g h)\n";
    if (i < 20) ends += "endforeach()\n";
  }
  for (int i = 0; i < 10'000; ++i) deep += "foreach(v a)\n";
  constexpr std::size_t kMost = 32 * limits::kManifestMax.value;
  EXPECT_LT(size_of(doubling), kMost);
  EXPECT_LT(size_of(loops + "project(p)\n" + ends), kMost);
  EXPECT_EQ(size_of(deep + "project(p)\n"), 0U);
}

TEST(LookAtCMake, ProgramsThatLinkABenchmarkLibraryAreSuites) {
  const Found found = of_cmake(
      "project(x LANGUAGES CXX)\n"
      "add_library(common STATIC c.cpp)\n"
      "target_link_libraries(common PUBLIC benchmark::benchmark_main)\n"
      "add_executable(direct a.cpp)\n"
      "target_link_libraries(direct PRIVATE benchmark::benchmark)\n"
      "add_executable(indirect b.cpp)\n"
      "target_link_libraries(indirect common)\n"
      "add_executable(app d.cpp)\n"
      "target_link_libraries(app fmt::fmt)\n"
      "add_executable(gemm_check e.cpp)\n");
  EXPECT_THAT(lines_of(found), ElementsAre("direct google-benchmark {build}/direct CMakeLists.txt:4",
                                           "indirect google-benchmark {build}/indirect CMakeLists.txt:6"));
  EXPECT_EQ(found.configure, "cmake -S {source} -B {build} -DCMAKE_BUILD_TYPE=Release");
  EXPECT_EQ(found.build, "cmake --build {build} --parallel --target direct indirect");
  EXPECT_THAT(found.checks, ElementsAre("{build}/gemm_check"));
  EXPECT_EQ(found.fetch, "");
  EXPECT_FALSE(found.uses_cuda);
}

TEST(LookAtCMake, FoldersVariablesSwitchesAndDownloadsCount) {
  const Found found = look_at(
      {{"lib/CMakeLists.txt",
        "project(x CUDA)\noption(X_BENCHMARKS \"build them\" OFF)\nset(kernels gemm conv)\nadd_subdirectory(bench)\n"
        "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_subdirectory(gpu there)\n"},
       {"lib/bench/CMakeLists.txt",
        "FetchContent_Declare(benchmark GIT_TAG v1)\nforeach(k ${kernels})\nadd_executable(${k} k.cpp)\n"
        "target_link_libraries(${k} nvbench::main)\nendforeach()\n"},
       {"lib/gpu/CMakeLists.txt", "add_executable(late l.cpp)\ntarget_link_libraries(late benchmark)\n"},
       {"other/deep/CMakeLists.txt", "add_executable(apart a.cpp)\ntarget_link_libraries(apart benchmark)\n"}});
  EXPECT_THAT(lines_of(found), ElementsAre("gemm nvbench {build}/bin/gemm lib/bench/CMakeLists.txt:3",
                                           "conv nvbench {build}/bin/conv lib/bench/CMakeLists.txt:3",
                                           "late google-benchmark {build}/bin/late lib/gpu/CMakeLists.txt:1"));
  EXPECT_TRUE(found.uses_cuda);
  EXPECT_EQ(found.fetch, "cmake -S {source}/lib -B {build} -DCMAKE_BUILD_TYPE=Release -DX_BENCHMARKS=ON");
  EXPECT_EQ(found.configure, found.fetch + " -DFETCHCONTENT_FULLY_DISCONNECTED=ON");
}

TEST(LookAtCMake, ANameThatOnlyCMakeKnowsIsSaid) {
  const Found found = of_cmake(
      "function(add_bench name)\n add_executable(${name} b.cpp)\n target_link_libraries(${name} benchmark::benchmark)\n"
      "endfunction()\n");
  EXPECT_THAT(found.suites, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("CMakeLists.txt:2: a benchmark program, but its name, ${name}")));
}

TEST(LookAtMake, RulesThatLinkTheLibraryAreSuites) {
  const Found recipe = look_at({{"perf/Makefile",
                                 "CXX := g++\n\nall: gemm\ngemm: gemm.cpp\n\t$(CXX) $< -o $@ -lbenchmark -lpthread\n"
                                 "tool: t.cpp\n\t$(CXX) $< -o $@ -lbenchmarking\n"}});
  EXPECT_THAT(lines_of(recipe), ElementsAre("gemm google-benchmark {build}/perf/gemm perf/Makefile:5"));
  EXPECT_EQ(recipe.build, "cp -r {source}/. {build} && make -C {build}/perf -j gemm");
  EXPECT_EQ(recipe.configure, "");
  const Found variable =
      look_at({{"Makefile", "LDLIBS = -lbenchmark_main\nbench_sort: sort.cpp\nbench.o: b.cpp\nsort: s.cpp\n"}});
  EXPECT_THAT(lines_of(variable), ElementsAre("bench_sort google-benchmark {build}/bench_sort Makefile:2"));
  EXPECT_THAT(look_at({{"Makefile", "all:\n\techo no benchmarks\n"}}).suites, IsEmpty());
}

TEST(LookAtPython, FilesThatUseTheFixtureAreOneSuiteAFolder) {
  const Found found = look_at({{"bench/test_gemm.py", "import x\n\ndef test_gemm(benchmark, size):\n  pass\n"},
                               {"bench/test_conv.py", "def test_conv(size: int, benchmark):\n  pass\n"},
                               {"tests/test_unit.py", "def test_benchmark(thing):\n  pass\n"},
                               {"bench_root.py", "def test_r(benchmark):\n  pass\n"}});
  EXPECT_THAT(lines_of(found),
              ElementsAre("pytest pytest-benchmark cd {source} && python3 -m pytest bench_root.py bench_root.py:1",
                          "bench pytest-benchmark cd {source}/bench && python3 -m pytest test_gemm.py test_conv.py "
                          "bench/test_gemm.py:1"));
  EXPECT_EQ(found.build, "");
}

TEST(Look, OnlyBuildFilesAndTestsAreOfInterest) {
  for (const char* path : {"CMakeLists.txt", "a/b/CMakeLists.txt", "GNUmakefile", "t/test_a.py", "a_test.py"})
    EXPECT_TRUE(is_of_interest(path)) << path;
  for (const char* path : {"CMakeLists.txt.in", "main.cpp", "setup.py", "Makefile.am", "README.md"})
    EXPECT_FALSE(is_of_interest(path)) << path;
}

TEST(Look, ProgramsOfOurOwnSuiteAreSamples) {
  const std::string text = "import torch\nfrom kernelgate_suite import Case, Suite\nsuite.bench(check=lambda: 0)\n";
  const Found found = look_at({{"bench/softmax_bench.py", text},
                               {"bench/bench_other.py", "import kernelgate_suite\n"},
                               {"tools/kernelgate_suite.py", "def x(): pass\n"},
                               {"bench/test_a.py", "def test_a(benchmark):\n"}});
  ASSERT_EQ(found.suites.size(), 3U);
  EXPECT_EQ(found.suites[0].name, "softmax_bench");
  EXPECT_EQ(found.suites[0].run, "python3 {source}/bench/softmax_bench.py");
  EXPECT_EQ(found.suites[0].check, "python3 {source}/bench/softmax_bench.py --check");
  EXPECT_EQ(found.suites[0].where, "bench/softmax_bench.py:2");
  EXPECT_EQ(found.suites[1].check, "");
  EXPECT_EQ(found.suites[2].format, SuiteFormat::pytest_benchmark);
  const auto manifest = parse_manifest(manifest_text(found), "kernelgate.toml");
  ASSERT_TRUE(manifest) << to_string(manifest.error());
  EXPECT_EQ(manifest->suites[0].check, found.suites[0].check);
  EXPECT_EQ(manifest->suites[1].check, "");
}

TEST(Look, WhatIsNotReadIsSaid) {
  const Found found = look_at({{"Cargo.toml", "[dev-dependencies]\ncriterion = \"0.5\"\n"}});
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("Cargo.toml: criterion's benchmarks are not read")));
}

TEST(ManifestText, EveryKindParsesAndKeepsWhatWasFound) {
  const std::string cmake = "add_executable(a-b.c a.cpp)\ntarget_link_libraries(a-b.c ";
  struct Case {
    std::vector<SourceFile> files;
    SuiteFormat format;
    bool gpu;
    double catches;
  };
  const std::vector<Case> cases{
      {{{"CMakeLists.txt", cmake + "benchmark)"}}, SuiteFormat::google_benchmark, false, 0.15},
      {{{"CMakeLists.txt", "project(x CUDA)\n" + cmake + "benchmark)"}}, SuiteFormat::google_benchmark, false, 0.03},
      {{{"CMakeLists.txt", cmake + "nvbench)"}}, SuiteFormat::nvbench, true, 0.03},
      {{{"Makefile", "\"a\\:\nbench:\n\tcc -lbenchmark\n"}}, SuiteFormat::google_benchmark, false, 0.15},
      {{{"test_x.py", "def test_x(benchmark):"}}, SuiteFormat::pytest_benchmark, false, 0.15},
      {{{"a/bench.py", "from kernelgate_suite import Suite\n"}}, SuiteFormat::samples, false, 0.15},
      {{}, SuiteFormat::google_benchmark, false, 0.15},
  };
  for (const Case& one : cases) {
    const Found found = look_at(one.files);
    const std::string text = manifest_text(found);
    const auto manifest = parse_manifest(text, "kernelgate.toml");
    ASSERT_TRUE(manifest) << to_string(manifest.error()) << "\n" << text;
    ASSERT_EQ(manifest->suites.size(), 1U);
    EXPECT_EQ(manifest->suites[0].format, one.format) << text;
    EXPECT_EQ(manifest->suites[0].requires_gpu, one.gpu) << text;
    EXPECT_EQ(manifest->policy.catch_limit, one.catches) << text;
    EXPECT_EQ(manifest->build.build, found.build);
    EXPECT_EQ(manifest->build.configure, found.configure);
    if (found.suites.empty())
      EXPECT_THAT(text, HasSubstr("EDIT"));
    else
      EXPECT_EQ(manifest->suites[0].run, found.suites[0].run);
  }
}

TEST(ManifestText, NamesAreMadePlainAndDiffer) {
  Found found;
  found.build = "make \"all\\\"";
  for (const char* name : {"a/b", "a b", ".c"}) found.suites.push_back({name, SuiteFormat::nvbench, "run", "t", "f:1"});
  const auto manifest = parse_manifest(manifest_text(found), "kernelgate.toml");
  ASSERT_TRUE(manifest) << to_string(manifest.error());
  EXPECT_EQ(manifest->suites[0].name, "a_b");
  EXPECT_EQ(manifest->suites[1].name, "a_b_2");
  EXPECT_EQ(manifest->suites[2].name, "_c");
  EXPECT_EQ(manifest->build.build, "make \"all\\\"");
  EXPECT_THAT(manifest_text(found), Not(HasSubstr("EDIT")));
}

}  // namespace look_test
}  // namespace kernelgate::init
