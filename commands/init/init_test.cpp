// SPDX-License-Identifier: Apache-2.0
#include "commands/init/init.hpp"

#include <gmock/gmock.h>

#include "commands/commands.hpp"
#include "commands/run/run.hpp"
#include "tests/support/test_repository.hpp"

namespace kernelgate::init {
namespace init_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// A program of Google Benchmark that says its own times: the verdict hangs on no clock.
std::string bench_of(const std::string& seconds) {
  return "#include <benchmark/benchmark.h>\n"
         "static void gemm(benchmark::State& state) {\n"
         "  for (auto _ : state) state.SetIterationTime(" +
         seconds +
         ");\n"
         "}\n"
         "BENCHMARK(gemm)->UseManualTime();\nBENCHMARK_MAIN();\n";
}

const TestRepository::Files kProject{
    {"CMakeLists.txt",
     "cmake_minimum_required(VERSION 3.16)\nproject(tiny LANGUAGES CXX)\nset(CMAKE_CXX_STANDARD 17)\n"
     "find_package(benchmark REQUIRED)\nadd_subdirectory(bench)\n"},
    {"bench/CMakeLists.txt",
     "add_executable(gemm_bench gemm.cpp)\ntarget_link_libraries(gemm_bench PRIVATE benchmark::benchmark)\n"},
    {"bench/gemm.cpp", bench_of("0.001")}};

class Init : public testing::Test {
 protected:
  int call(std::vector<const char*> words) {
    words.insert(words.begin(), "kernelgate");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = cli::run(static_cast<int>(words.size()), words.data());
    out = testing::internal::GetCapturedStdout();
    err = testing::internal::GetCapturedStderr();
    return code;
  }

  Init() {
    std::string pattern = (fs::temp_directory_path() / "kg-init-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~Init() override { (void)remove_tree(folder); }

  fs::path folder;
  std::string out, err;
};

TEST_F(Init, TheManifestThatItWritesJudgesARealSuite) {
  const TestRepository repository(folder / "tiny");
  repository.commit("a suite", kProject);
  const auto written = write_manifest(repository.path / "bench");
  ASSERT_TRUE(written) << to_string(written.error());
  EXPECT_EQ(written->manifest, repository.path / "kernelgate.toml");
  repository.commit("a manifest");
  repository.commit("slower", {{"bench/gemm.cpp", bench_of("0.002")}});
  local::RunOptions options;
  options.repository = repository.path;
  options.no_sandbox = true;
  const auto outcome = local::run_here(options, [](const std::string&) {}, {});
  ASSERT_TRUE(outcome) << to_string(outcome.error());
  EXPECT_EQ(outcome->decision.conclusion, Conclusion::regressed) << outcome->decision.summary << outcome->failure_log;
  EXPECT_THAT(outcome->decision.summary, HasSubstr("gemm"));
}

TEST_F(Init, SaysWhatItFoundAndEndsWithDoctor) {
  const TestRepository repository(folder / "tiny");
  for (const auto& [name, text] : kProject) repository.write(name, text);
  repository.write("ignored/CMakeLists.txt", "add_executable(no a.cpp)\ntarget_link_libraries(no benchmark)\n");
  repository.write(".gitignore", "ignored/\n");
  (void)call({"init", "--repo", repository.path.c_str()});
  EXPECT_THAT(out, HasSubstr("Found:\n  gemm_bench (google-benchmark): bench/CMakeLists.txt:1\n\n"));
  EXPECT_THAT(out, HasSubstr("inputs: the files that count"));
  EXPECT_THAT(out, HasSubstr("This machine as a runner:"));
  EXPECT_THAT(out, HasSubstr("kernelgate.toml is valid. Its suites:\n"));
  EXPECT_EQ(err, "");
}

TEST_F(Init, NeverWritesOverAManifest) {
  const TestRepository repository(folder / "tiny");
  repository.write("kernelgate.toml", "mine\n");
  EXPECT_EQ(call({"init", "-C", repository.path.c_str()}), 2);
  EXPECT_THAT(err, HasSubstr("there is a manifest already; it is left as it is"));
  std::ifstream file(repository.path / "kernelgate.toml");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "mine\n");
  fs::remove(repository.path / "kernelgate.toml");
  fs::create_symlink("nowhere", repository.path / "kernelgate.toml");
  EXPECT_EQ(call({"init", "-C", repository.path.c_str()}), 2) << "a link that leads nowhere is theirs too";
}

TEST_F(Init, WithoutASuiteItSaysWhatToFillIn) {
  const TestRepository repository(folder / "tiny");
  const auto written = write_manifest(repository.path);
  ASSERT_TRUE(written);
  const std::string said = describe(*written);
  EXPECT_THAT(said, HasSubstr("no benchmark program"));
  EXPECT_THAT(said, HasSubstr("[[suite]]: name and run line"));
}

TEST_F(Init, OutsideOfGitItSaysHowToBegin) {
  fs::create_directories(folder / "empty");
  EXPECT_EQ(call({"init", "--repo", (folder / "empty").c_str()}), 2);
  EXPECT_THAT(err, HasSubstr("run 'git init' first"));
  EXPECT_THAT(err, HasSubstr("kernelgate duel OLD NEW"));
  EXPECT_FALSE(fs::exists(folder / "empty/kernelgate.toml"));
  (void)call({"doctor", "--repo", (folder / "empty").c_str()});
  EXPECT_THAT(out, HasSubstr("'kernelgate init' writes one")) << "the next step of an empty folder";
}

}  // namespace init_test
}  // namespace kernelgate::init
