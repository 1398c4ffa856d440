// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run from a commit to its evidence: base, manifest, builds, checks, measuring. The same for the
// daemon and for `kernelgate run`; who asks, and who is told, are behind the request and the
// reporter. Judges nothing: the evidence goes to decide_run(). One thread; blocks.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/decision/evidence/policy.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "core/wire/messages.hpp"
#include "platform/git/git.hpp"
#include "runner/build/build_cache.hpp"
#include "runner/measure/disturbance.hpp"
#include "runner/sandbox/sandbox.hpp"
#include "runner/source/checkout.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate {

// The machine that does it. All pointers outlive the job.
struct JobMachine {
  const Sandbox* sandbox = nullptr;
  const BuildCache* builds = nullptr;
  DisturbanceProbe* probe = nullptr;
  MachineFacts facts;
  std::vector<int> cpus;                 // pin suites to these; empty: not pinned
  std::filesystem::path sanitizer{};     // compute-sanitizer; empty: not here
  std::filesystem::path cuda_tools{};    // folder of cuobjdump and ncu; empty: they are looked for
  std::optional<Ceilings> ceilings{};    // of the GPU
  std::filesystem::path device_clock{};  // libkernelgate_device_clock.so; empty: not here
};

// A program against itself, or against one that is known to be slower: every benchmark gets all pairs, even where base
// and head are proven to be the same.
struct CalibrationPlan {
  int pairs = 0;
  double gpu_seconds = 0;  // budget, in place of the policy's
};

// Two points of one commit: what stands for {defines} in the lines that build each.
struct BuildDefines {
  std::string base, head;
};

// What an earlier run of the same key had measured when it was stopped.
struct KeptSamples {
  std::string key;  // of JobResult; empty: none
  std::vector<Process> processes;
};

struct JobRequest {
  const Git* git = nullptr;
  CheckoutOrigin origin;
  CommitHash head;
  wire::BaseRequest base;
  std::string registered_manifest{};                             // wins over the trees' own; empty: none
  std::string registered_origin = "registered kernelgate.toml";  // its name in errors
  std::vector<StoredVariance> stored{};
  std::vector<std::string> bad_commits{};  // known to be broken or not to build
  std::vector<std::string> baselines{};    // commits that stand in where no ancestor can be base, best first
  std::vector<StoredSessions> sessions{};  // what head alone may be compared with
  std::optional<Against> against{};        // wins over the manifest's; local runs only
  std::uint64_t seed = 0;
  std::string trust = "trusted";
  bool own_machine = false;        // a person's own run: a tool that is missing is this machine's fault, not head's
  bool fork_fetch = false;         // run base's fetch line for a fork; otherwise a fork has no network at all
  std::string protected_branch{};  // what its commits compile may be used by every build; empty: nothing is
  std::string only_suite{};        // empty: all
  std::optional<CalibrationPlan> calibration{};
  std::string filter{};                   // regular expression searched in benchmark names; empty: all
  std::optional<BuildDefines> defines{};  // of a sweep: then no other commit takes the place of base
  std::chrono::milliseconds wall_max = limits::kRunMax;
  KeptSamples kept{};
};

// Told what happens, as it happens. An error from it ends the job: the lease is lost, nobody wants
// the answer.
struct JobReporter {
  virtual ~JobReporter() = default;
  [[nodiscard]] virtual Status state(RunState state, const std::string& progress) = 0;
  // Once base is known, and again if another base takes its place. A value: that run already
  // answers this one.
  [[nodiscard]] virtual Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) = 0;
  [[nodiscard]] virtual Status process(const Process& process) = 0;
  [[nodiscard]] virtual Status log(const std::string& name, const std::string& text) = 0;
};

struct JobResult {
  RunEvidence evidence;                     // what went wrong on our side is in it too
  wire::Resolved resolved;                  // as last reported
  Policy policy;                            // of the effective manifest
  std::string manifest_text;                // of the effective manifest
  std::optional<std::int64_t> reused_from;  // then there is no evidence
  bool stopped = false;                     // on a person's own machine: the evidence is what was measured until then
  std::string samples_key;                  // of the processes that were measured; empty: there was nothing to pair
  std::string device_trouble;  // not empty: the device is taken or unhealthy, the run is better done elsewhere
  double gpu_s_held = 0;       // from the first check to the end of measuring, builds left out
  double gpu_s_used = 0;       // of the processes that were timed
  double wall_s = 0;
};

// A recipe with a point's defines in the place of {defines}.
[[nodiscard]] BuildRecipe at_point(BuildRecipe recipe, const std::string& defines);

// An error: a stop was asked for (and nothing was measured yet, or the machine is not the caller's own), or the
// reporter ended the job.
[[nodiscard]] Result<JobResult> run_job(const JobMachine& machine, const JobRequest& request, JobReporter& reporter,
                                        std::stop_token stop = {});

}  // namespace kernelgate
