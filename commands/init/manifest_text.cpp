// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "commands/init/look.hpp"

namespace kernelgate::init {
namespace {

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// A suite's name may hold letters, digits and "_.-" alone.
std::string plain_name(const std::string& name, std::set<std::string>& taken) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                       ((c == '.' || c == '-') && !out.empty());
    out += plain ? c : '_';
  }
  if (out.empty()) out = "suite";
  const std::string first = out;
  for (int n = 2; !taken.insert(out).second; ++n) out = fmt::format("{}_{}", first, n);
  return out;
}

std::string build_text(const Found& found) {
  std::string out = "[build]\n";
  if (!found.fetch.empty())
    out +=
        "# Runs once, with network: CMake downloads what FetchContent names. The lines below have none.\n"
        "fetch     = " +
        toml_text(found.fetch) + "\n";
  if (!found.configure.empty()) out += "configure = " + toml_text(found.configure) + "\n";
  out += "build     = " + toml_text(found.build) + "\n";
  out +=
      "# The files that the build reads. A commit that changes none of them is not measured, so name them:\n"
      "# inputs = [\"src/**\", \"bench/**\", \"CMakeLists.txt\"]\n"
      "# Benchmark code that both sides are built with, so that old and new run the same cases:\n"
      "# overlay = [\"bench/**\"]\n";
  return out;
}

std::string suite_text(const Found& found, const FoundSuite& suite, std::set<std::string>& taken) {
  const bool gpu = suite.format == SuiteFormat::nvbench;
  std::string out = fmt::format("\n# {}\n[[suite]]\nname   = {}\nformat = {}\nrun    = {}\n", suite.where,
                                toml_text(plain_name(suite.name, taken)),
                                toml_text(std::string(to_string(suite.format))), toml_text(suite.run));
  out += "# A program that checks the results and fails where they are wrong. A wrong kernel is never timed:\n";
  if (!suite.check.empty())
    out += "check  = " + toml_text(suite.check) + "\n";
  else
    out += "# check = " + toml_text(found.checks.empty() ? "{build}/my_check" : found.checks.front()) + "\n";
  if (gpu) return out + "requires = { gpu = true }\n";
  if (found.uses_cuda) out += "# requires = { gpu = true }  # measure it on machines with a GPU alone\n";
  if (suite.format == SuiteFormat::google_benchmark && !found.uses_cuda)
    out +=
        "sample_ms = 20            # least length of a repetition: long, since a CPU is noisy\n"
        "# time = \"cpu\"            # processor time instead of wall time, for kernels of one thread\n";
  return out;
}

bool on_gpu(const Found& found) {
  for (const FoundSuite& suite : found.suites)
    if (suite.format == SuiteFormat::nvbench) return true;
  return found.uses_cuda;
}

}  // namespace

std::string manifest_text(const Found& found) {
  std::string out =
      "# What kernelgate builds, checks and times in this repository, written by 'kernelgate init'.\n"
      "# 'kernelgate doctor' checks it; docs/MANIFEST.md has every key.\n"
      "# {source} is the folder of the checked-out tree, {build} an empty folder for the build.\n"
      "schema = 1\n\n";
  out += build_text(found);
  std::set<std::string> taken;
  for (const FoundSuite& suite : found.suites) out += suite_text(found, suite, taken);
  if (found.suites.empty())
    out +=
        "\n# No benchmark program was found: name one of Google Benchmark, NVBench or pytest-benchmark, or\n"
        "# one that prints samples (docs/FORMATS.md).\n"
        "[[suite]]\nname = \"EDIT\"\nrun  = \"{build}/EDIT\"\n";
  out += "\n[policy]\n";
  if (on_gpu(found))
    return out +
           "# A true change up to tolerate does not matter to you; one of catch or more is caught.\n"
           "tolerate = 0.01\ncatch    = 0.03\n";
  return out +
         "# A true change up to tolerate does not matter to you; one of catch or more is caught. Times on a CPU\n"
         "# spread by some per cent; 'kernelgate doctor --calibrate' says what can be told apart here.\n"
         "tolerate = 0.05\ncatch    = 0.15\n";
}

}  // namespace kernelgate::init
