// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/sanitizer.hpp"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <climits>
#include <fstream>
#include <sstream>

namespace kernelgate::gpu {
namespace sanitizer_test {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SanitizerReport read(const std::string& name) {
  std::ifstream file(fs::path(KG_GOLDEN) / "sanitizer" / (name + ".txt"));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return parse_sanitizer(text.str());
}

TEST(Sanitizer, NamesKernelLineAndThread) {
  const auto report = read("memcheck");
  ASSERT_THAT(report.findings, SizeIs(1));
  const auto& first = report.findings[0];
  EXPECT_EQ(first.what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(first.kernel, "<unnamed>::illegal_address_kernel(const float *, float *)");
  EXPECT_EQ(first.place, "crash_bench.cu:24");
  EXPECT_EQ(first.thread, "thread (232,0,0) in block (3,0,0)");
  EXPECT_THAT(first.detail, HasSubstr("out of bounds; and is 4,397,157,322,145 bytes after"));
  EXPECT_THAT(first.detail, testing::Not(HasSubstr("Host Frame")));
  EXPECT_EQ(report.errors, 11);
  EXPECT_TRUE(report.complete);
}

TEST(Sanitizer, AnAssertionNamesItsThread) {
  const auto report = read("memcheck_assert");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].what, "Warp assert");
  EXPECT_EQ(report.findings[0].thread, "thread (157,0,0) in block (76,0,0)");
  EXPECT_EQ(report.errors, 349);
}

TEST(Sanitizer, ATrapNamesItsLine) {
  const auto report = read("memcheck_trap");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].what, "Trace/breakpoint trap");
  EXPECT_EQ(report.findings[0].place, "crash_bench.cu:36");
}

TEST(Sanitizer, WithoutLineNumbersItSaysSo) {
  const auto report = read("memcheck_no_lines");
  EXPECT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(describe("memcheck", report),
            "memcheck: Invalid __global__ write of size 16 bytes in misaligned_address_kernel(const float *, float *) "
            "(built without line numbers) by thread (0,0,0) in block (0,0,0): Access at 0x7f30b2a00004 is misaligned; "
            "33 errors in all");
}

TEST(Sanitizer, ReadsTheOlderOrderOfWords) {
  const auto report = read("memcheck_old");
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kernel, "unaligned_kernel(void)");
  EXPECT_EQ(report.findings[0].place, "memcheck_demo.cu:6");
  EXPECT_EQ(report.errors, 1);
}

TEST(Sanitizer, RacesNameBothPlaces) {
  const auto report = read("racecheck");
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(report.findings[0].what, "Error: Race reported between Write access");
  EXPECT_EQ(report.findings[0].kernel, "sum_kernel(float *)");
  EXPECT_EQ(report.findings[0].place, "reduce.cu:12");
  EXPECT_THAT(report.findings[0].detail, HasSubstr("Read access at sum_kernel(float *)+0xf0 in reduce.cu:15"));
  EXPECT_EQ(report.errors, 2);
}

TEST(Sanitizer, PlacesAreToldWithinTheTree) {
  SanitizerReport report;
  report.findings = {{}};
  report.findings[0].place = std::string(kInsideSource) + "/a/b.cu:7";
  EXPECT_THAT(describe("memcheck", report), HasSubstr(" at a/b.cu:7"));
  report.findings[0].place = "/usr/include/c.h:9";
  EXPECT_THAT(describe("memcheck", report), HasSubstr(" at /usr/include/c.h:9"));
}

TEST(Sanitizer, NothingWrongAndNothingRunAreToldApart) {
  EXPECT_EQ(describe("memcheck", read("clean")), "memcheck: found nothing wrong");
  EXPECT_EQ(read("clean").errors, 0);
  EXPECT_THAT(describe("memcheck", read("not_instrumented")), HasSubstr("before first instrumented API call"));
  EXPECT_FALSE(read("not_instrumented").complete);
}

TEST(Sanitizer, RubbishIsNoReport) {
  for (const char* text : {"", "=========", "=========\n=========     at x", "========= ERROR SUMMARY: many",
                           "========= Invalid x\n=========     at "}) {
    const auto report = parse_sanitizer(text);
    EXPECT_LE(report.findings.size(), 1U) << text;
  }
}

TEST(Sanitizer, AFindingMayFollowTheProgramsOwnWords) {
  const auto report = parse_sanitizer(
      "12 of 40 ...========= Invalid __global__ write of size 4 bytes\n"
      "=========     at k(int)+0x70 in k.cu:3\n========= ERROR SUMMARY: 1 error\n");
  EXPECT_EQ(describe("memcheck", report), "memcheck: Invalid __global__ write of size 4 bytes in k(int) at k.cu:3");
}

TEST(Sanitizer, ErrorsWithoutAKernelAreNotNothing) {
  const auto report = parse_sanitizer("========= Program hit cudaErrorX\n========= ERROR SUMMARY: 2 errors\n");
  EXPECT_EQ(describe("memcheck", report), "memcheck: counted 2 errors and named no kernel");
  EXPECT_EQ(parse_sanitizer("========= ERROR SUMMARY: 99999999999999 errors\n").errors, INT_MAX);
}

TEST(Sanitizer, TheProgramsOwnTextDoesNotGrowTheReport) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "========= Invalid " + std::string(100, 'x') + "\n";
  text += "=========     at " + std::string(1 << 20, 'k') + "\n========= Invalid " + std::string(1 << 20, 'y');
  const auto report = parse_sanitizer(text);
  EXPECT_EQ(report.findings.size(), 100U);
  EXPECT_LT(describe("memcheck", report).size(), 1000U);
  EXPECT_LT(parse_sanitizer(text.substr(text.size() - (1 << 20) - 18)).findings.at(0).what.size(), 2001U);
}

class SanitizerRun : public testing::Test {
 protected:
  SanitizerRun() {
    std::string pattern = (fs::temp_directory_path() / "kg_sanitizer_XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~SanitizerRun() override { fs::remove_all(folder); }
  // A tool that prints `text` and then runs what it was given.
  Result<SanitizerReport> run(const std::string& body, std::chrono::seconds timeout = std::chrono::seconds(60)) const {
    const fs::path program = folder / "compute-sanitizer";
    std::ofstream(program) << "#!/bin/sh\n" << body << '\n';
    fs::permissions(program, fs::perms::owner_all);
    const auto sandbox = Sandbox::open({.none = true});
    SanitizerJob job;
    job.program = program;
    job.argv = {"true"};
    job.mounts = {{folder, std::string(kInsideBuild), false}};
    job.timeout = timeout;
    return run_sanitizer(*sandbox, job, {});
  }
  fs::path folder;
};

TEST_F(SanitizerRun, ReadsWhatTheToolPrints) {
  const auto report = run("echo \"$@\" >&2; cat '" KG_GOLDEN "/sanitizer/memcheck.txt'; exit 1");
  ASSERT_TRUE(report);
  EXPECT_THAT(report->findings, SizeIs(1));
  EXPECT_THAT(report->trouble, IsEmpty());
}

TEST_F(SanitizerRun, AToolThatFailsOrHangsIsTroubleAndNoError) {
  EXPECT_THAT(run("echo no licence; exit 3")->trouble, HasSubstr("gave no summary: exit code 3"));
  EXPECT_THAT(run("sleep 600", std::chrono::seconds(1))->trouble, HasSubstr("did not end within 1 s"));
}

TEST_F(SanitizerRun, IsFoundOnThePath) {
  (void)run("exit 0");
  EXPECT_EQ(find_sanitizer("/nowhere:" + folder.string()), folder / "compute-sanitizer");
}

}  // namespace sanitizer_test
}  // namespace kernelgate::gpu
