// SPDX-License-Identifier: Apache-2.0
#pragma once

// The runner: claims jobs from a server, runs each to its end, and asks for the next. One job at a
// time: two would disturb each other's times. Survives a server that is away. Owns its work folder;
// a second runner in the same folder is refused. While the GPU is taken or unhealthy, the run in work goes back to
// the queue and none is claimed.

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"

namespace kernelgate {

struct RunnerConfig {
  std::string server;  // http://HOST:PORT
  std::string token;
  std::filesystem::path work;  // mirrors, builds, lock
  std::string name;            // empty: the host's name
  std::string testbed;         // empty: the host's name
  bool once = false;           // ends after one job
  bool no_sandbox = false;     // commits run with all rights of this user
  bool fork_fetch = false;     // base's fetch line runs for forks too, with the network
  std::vector<std::string> fork_submodule_hosts{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"};
  Bytes memory_max{};                              // of a program; 0: kProgramMemoryShare of the machine's
  Bytes tree_max = limits::kBuildTreeMax;          // of one commit's source and build, on the disk
  Bytes mirror_max = limits::kMirrorMax;           // of one repository's mirror
  std::chrono::minutes run_max = limits::kRunMax;  // wall time of one run
  std::vector<std::filesystem::path> toolchains;   // folders of tools that programs see beyond /usr
  std::filesystem::path cgroup;                    // where control groups are made; empty: a place is looked for
  std::vector<int> cpus;                           // pin suites to these; empty: not pinned
  int gpu = 0;                                     // index of the GPU to measure on
  std::filesystem::path control;                   // control suite; empty: kg_probe_control on a GPU, else none
  double price_per_hour = 0;                       // of the device; 0: not known
  std::filesystem::path probe_folder;              // of the programs that ask a GPU for its health; empty: beside ours
  std::chrono::seconds poll{20};
  std::chrono::milliseconds heartbeat{limits::kHeartbeatEvery};
  std::chrono::milliseconds away_max{limits::kServerAwayMax};
};

// Returns when `stop` is requested (a job in work is given back first), after one job with `once`,
// or with an error that waiting cannot fix: no sandbox, a refused token, a folder in use.
[[nodiscard]] Status run_daemon(const RunnerConfig& config, std::stop_token stop);

}  // namespace kernelgate
