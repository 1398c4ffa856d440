// SPDX-License-Identifier: Apache-2.0
#include "runner/job/suites.hpp"

#include <algorithm>

#include "core/decision/rule/stored.hpp"
#include "runner/build/identity.hpp"
#include "runner/job/failures.hpp"
#include "runner/job/pinning.hpp"
#include "runner/job/profiles.hpp"
#include "runner/job/programs.hpp"
#include "runner/job/resume.hpp"
#include "runner/measure/measure.hpp"
#include "runner/testbed/needs.hpp"

namespace kernelgate {
namespace {

class SuiteJudge {
 public:
  SuiteJudge(JobStage& stage, const EffectiveManifest& effective_manifest, const SuiteBuilds& builds, JobResult& result)
      : stage_(stage),
        effective_manifest_(effective_manifest),
        builds_(builds),
        result_(result),
        programs_(stage, builds, result.evidence.notices) {}

  // `in_base`: base's effective manifest has the suite; otherwise only head's manifest does.
  Status prepare(const SuiteSpec& spec, bool in_base) {
    SuiteEvidence evidence;
    evidence.name = spec.name;
    evidence.has_base = in_base && builds_.base != nullptr && has_program(*builds_.base, spec.run);
    evidence.has_head = has_program(*builds_.head, spec.run);
    if (!evidence.has_base && !evidence.has_head)
      return fail(Errc::not_found, "neither base nor head builds what suite " + spec.name + " runs", spec.run,
                  "fix its run line in the manifest");
    if (evidence.has_base) evidence.base_program = program_sha256(builds_.base->build, spec.run);
    if (evidence.has_head) evidence.head_program = program_sha256(builds_.head->build, spec.run);
    if (evidence.has_base && evidence.has_head) {
      const auto same = programs_.same(spec, spec.run);
      if (!same) return pass_on(same);
      evidence.identical = *same;
    }
    if (auto read = read_code(spec, evidence); !read) return read;
    if (evidence.has_head && !spec.check.empty()) {
      if (auto checked = check(spec, evidence); !checked) return checked;
    }
    result_.evidence.suites.push_back(std::move(evidence));
    return {};
  }

  Status measure(const SuiteSpec& spec, SuiteEvidence& evidence) {
    if (!evidence.checks_passed) return {};
    MeasureRequest request;
    if (evidence.has_base) {
      auto side = list_side(stage_, spec, *builds_.base);
      if (!side) return pass_on(side);
      request.base = std::move(*side);
    }
    if (evidence.identical && !stage_.request.calibration && request.base->listing.ended.end == ProcessEnd::ok) {
      evidence.base_benchmarks = evidence.head_benchmarks = request.base->listing.benchmarks;
      return {};
    }
    if (evidence.has_head) {
      auto side = list_side(stage_, spec, *builds_.head);
      if (!side) return pass_on(side);
      request.head = std::move(*side);
    }
    evidence.identical = false;
    request.setup = {stage_.machine.sandbox, spec, stage_.machine.cpus, stage_.machine.facts.has_gpu};
    request.policy = measuring_policy();
    request.policy.gpu_seconds = std::max(0.0, request.policy.gpu_seconds - result_.gpu_s_used);
    request.stored = stage_.request.stored;
    request.clock = clock_of(spec);
    request.device_clock = stage_.machine.device_clock;
    request.alone = stage_.session_processes();
    attach_stored(evidence, stage_.request.sessions, request.policy, result_.evidence.base_build);
    request.seed = stage_.request.seed;
    return measure_pairs(request, evidence);
  }

 private:
  Status read_code(const SuiteSpec& spec, SuiteEvidence& evidence) {
    for (const Side side : {Side::base, Side::head}) {
      if (!(side == Side::base ? evidence.has_base : evidence.has_head)) continue;
      auto kernels = programs_.kernels(side, spec.run);
      if (!kernels) return pass_on(kernels);
      (side == Side::base ? evidence.base_code : evidence.head_code) = std::move(*kernels);
    }
    return {};
  }

  // NVBench reads the device's clock itself; a calibration is of the host's.
  ClockKind clock_of(const SuiteSpec& spec) {
    if (spec.clock == SuiteClock::host || spec.format == SuiteFormat::nvbench || stage_.request.calibration)
      return ClockKind::host;
    const bool asked = spec.clock != SuiteClock::automatic;
    if (!asked && !spec.requires_gpu) return ClockKind::host;
    if (!stage_.machine.facts.has_gpu || stage_.machine.device_clock.empty()) {
      if (asked)
        result_.evidence.notices.push_back(
            spec.name + ": no device times, the host's clock judges: " +
            (stage_.machine.facts.has_gpu
                 ? "libkernelgate_device_clock.so is to lie beside kernelgate or in --probe-dir"
                 : "there is no GPU on this machine"));
      return ClockKind::host;
    }
    return spec.clock == SuiteClock::device ? ClockKind::device : ClockKind::both;
  }

  // Calibration takes all its pairs: by a rule that judges once, with all of them.
  [[nodiscard]] Policy measuring_policy() const {
    Policy policy = effective_manifest_.manifest.policy;
    if (const auto& plan = stage_.request.calibration) {
      policy.rule = Rule::mwu_cliff;
      policy.against = Against::pairs;
      policy.max_pairs = plan->pairs;
      policy.gpu_seconds = plan->gpu_seconds;
    }
    return policy;
  }

  // Base's own figures go along: growth of the error is judged too.
  Status check(const SuiteSpec& spec, SuiteEvidence& evidence) {
    if (evidence.identical) {
      const auto same = programs_.same(spec, spec.check);
      if (!same) return pass_on(same);
      if (*same) return {};  // base's passed, and head's is the same program
    }
    if (evidence.has_base && has_program(*builds_.base, spec.check)) {
      auto base = check_build(stage_, *builds_.base, spec, Side::base);
      if (!base) return pass_on(base);
      evidence.checks = std::move(base->cases);
    }
    auto head = check_head(spec, evidence.has_base);
    if (!head) return pass_on(head);
    if (effective_manifest_.manifest.policy.missing_cases == OnFinding::fail && head->passed())
      add_missing_cases(evidence.checks, *head);
    if (head->cases.empty())
      result_.evidence.notices.push_back(spec.name + ": its check prints no case: only its exit code is judged");
    evidence.checks_ran = true;
    evidence.checks_passed = head->passed();
    std::move(head->cases.begin(), head->cases.end(), std::back_inserter(evidence.checks));
    evidence.failures = std::move(head->failures);
    if (!evidence.checks_passed) return explain_failures(stage_, spec, builds_, evidence);
    return run_sanitizers(stage_, effective_manifest_.manifest.sanitizer, spec, *builds_.head, evidence,
                          result_.evidence.notices);
  }

  Result<CheckReport> check_head(const SuiteSpec& spec, bool has_base) {
    if (spec.check_library.empty()) return check_build(stage_, *builds_.head, spec, Side::head);
    std::string why;
    if (!has_base || !has_program(*builds_.base, spec.check)) why = "there is no base with this check";
    if (stage_.machine.sandbox->mode() == SandboxMode::none) why = "without a sandbox base's files are not replaced";
    if (why.empty()) return check_by_base(stage_, *builds_.base, *builds_.head, spec);
    result_.evidence.notices.push_back(spec.name + ": head's own check judged it, not base's: " + why);
    return check_build(stage_, *builds_.head, spec, Side::head);
  }

  // From what an earlier run had measured of the same programs when it was stopped.
  Status go_on(SuiteEvidence& evidence) {
    const KeptSamples& kept = stage_.request.kept;
    if (kept.key.empty() || kept.key != result_.samples_key || stage_.request.calibration) return {};
    const std::vector<Process> processes = whole_pairs(kept.processes, evidence.name);
    for (const Process& process : processes) {
      order_ = std::max(order_, process.order + 1);
      evidence.processes.push_back(process);
      if (auto told = stage_.process(process); !told) return told;
    }
    if (!processes.empty())
      result_.evidence.notices.push_back(evidence.name + ": goes on from " + std::to_string(processes.size()) +
                                         " processes of a run that was stopped");
    return {};
  }

  Status measure_pairs(const MeasureRequest& request, SuiteEvidence& evidence) {
    if (auto taken = go_on(evidence); !taken) return taken;
    if (auto held = stage_.hold_device(RunState::measuring); !held) return held;
    MeasureHooks hooks;
    hooks.process_ended = [this](const Process& process) {
      result_.gpu_s_used += process.gpu_s;
      if (process.side == Side::head) stage_.charge_head(process.wall_s);
      return stage_.process(process);
    };
    Status told;
    hooks.progress = [this, &told](const std::string& text) { told = stage_.state(RunState::measuring, text); };
    auto measured =
        measure_suite(request, evidence, order_, result_.evidence.notices, *stage_.machine.probe, hooks, stage_.stop);
    if (!told || !measured) return told ? measured : told;
    if (auto explained = explain_failures(stage_, request.setup.spec, builds_, evidence); !explained) return explained;
    if (!stage_.request.calibration) {
      hooks.process_ended = [this](const Process& process) {
        result_.gpu_s_used += process.gpu_s;
        return Status();
      };
      measured = measure_pinned(stage_, request, evidence, result_.evidence.notices, hooks);
      if (!told || !measured) return told ? measured : told;
    }
    return profile_regressions(stage_, request, evidence, result_.evidence.notices);
  }

  JobStage& stage_;
  const EffectiveManifest& effective_manifest_;
  const SuiteBuilds& builds_;
  JobResult& result_;
  ProgramPairs programs_;
  int order_ = 0;
};

}  // namespace

Status meet_needs(const JobStage& stage, const EffectiveManifest& effective_manifest) {
  for (const auto* suites : {&effective_manifest.manifest.suites, &effective_manifest.added})
    for (const auto& spec : *suites) {
      if (!stage.request.only_suite.empty() && stage.request.only_suite != spec.name) continue;
      if (auto unmet = unmet_needs(spec, stage.machine.facts); !unmet.empty())
        return fail(Errc::unsupported, std::move(unmet));
    }
  return {};
}

Status judge_suites(JobStage& stage, const EffectiveManifest& effective_manifest, const SuiteBuilds& builds,
                    JobResult& result) {
  SuiteJudge judge(stage, effective_manifest, builds, result);
  std::vector<SuiteSpec> specs;
  const auto wanted = [&stage](const SuiteSpec& spec) {
    return stage.request.only_suite.empty() || stage.request.only_suite == spec.name;
  };
  const auto prepare_all = [&](const std::vector<SuiteSpec>& suites, bool in_base) -> Status {
    for (const auto& spec : suites) {
      if (!wanted(spec)) continue;
      if (auto ready = judge.prepare(spec, in_base); !ready) return ready;
      specs.push_back(spec);
    }
    return {};
  };
  Status done = prepare_all(effective_manifest.manifest.suites, true);
  if (done) done = prepare_all(effective_manifest.added, false);
  for (std::size_t i = 0; done && i < specs.size(); ++i) done = judge.measure(specs[i], result.evidence.suites[i]);
  stage.let_device_go();
  return done;
}

}  // namespace kernelgate
