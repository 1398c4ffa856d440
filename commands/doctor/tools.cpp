// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "commands/doctor/machine.hpp"
#include "core/units/limits.hpp"
#include "platform/process/process.hpp"

namespace kernelgate::doctor {
namespace {

struct Tool {
  const char* topic;
  std::vector<const char*> names;  // the first that answers counts
  Grade without;
  const char* fix;
};

const std::array<Tool, 6>& tools() {
  static const std::array<Tool, 6> kTools{{
      {"git", {"git"}, Grade::missing, "apt-get install git"},
      {"C++ compiler", {"c++", "g++", "clang++"}, Grade::missing, "apt-get install g++"},
      {"cmake", {"cmake"}, Grade::warning, "apt-get install cmake, where a manifest's build needs it"},
      {"ninja", {"ninja"}, Grade::warning, "apt-get install ninja-build, where a manifest's build needs it"},
      {"ccache", {"ccache"}, Grade::warning, "apt-get install ccache: commits share what they have in common"},
      {"nvcc", {"nvcc"}, Grade::warning, "install the CUDA toolkit, where a manifest's build needs it"},
  }};
  return kTools;
}

// The most telling line of `name --version`; empty where the program is absent or fails.
std::string version_of(const std::string& name, const std::string& path) {
  ProcessSpec spec;
  spec.argv = {name, "--version"};
  spec.env = {"PATH=" + path, "LC_ALL=C"};
  spec.timeout = limits::kVersionTimeout;
  const Result<ProcessResult> done = run_process(spec);
  if (!done || !done->ok()) return {};
  const std::size_t release = done->out.find("release ");  // nvcc says it on its fourth line
  const std::size_t from = name == "nvcc" && release != std::string::npos ? release : 0;
  return done->out.substr(from, done->out.find('\n', from) - from);
}

Finding find_tool(const Tool& tool, const std::string& path) {
  for (const char* name : tool.names) {
    const std::string version = version_of(name, path);
    if (!version.empty()) return {.topic = tool.topic, .grade = Grade::ok, .text = version};
  }
  return {.topic = tool.topic, .grade = tool.without, .text = "not found", .fix = tool.fix};
}

}  // namespace

std::vector<Finding> find_tools(const std::string& path) {
  std::vector<Finding> out;
  for (const Tool& tool : tools()) out.push_back(find_tool(tool, path));
  return out;
}

}  // namespace kernelgate::doctor
