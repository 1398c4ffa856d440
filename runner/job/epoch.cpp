// SPDX-License-Identifier: Apache-2.0
#include "runner/job/epoch.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "core/log/log.hpp"
#include "platform/process/command_line.hpp"
#include "runner/build/build_cache.hpp"
#include "runner/job/builds.hpp"
#include "runner/job/epoch_shift.hpp"
#include "runner/measure/measure.hpp"
#include "runner/testbed/needs.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;
using wire::EpochFigure;

constexpr int kProcesses = 3;  // of each suite: their median bears one bad process
constexpr const char* kControlSuite = "control";

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

// Times all benchmarks of a suite; those that fail are left out.
Result<std::vector<EpochFigure>> time_suite(JobStage& stage, const SuiteSetup& setup, const MeasuredSide& side) {
  std::map<std::string, std::vector<double>> medians;
  StartRequest start;
  start.benchmarks = side.listing.benchmarks;
  start.min_time = side.listing.min_time;
  start.plan = suite::plan_repetitions(setup.spec.sample_ms, start.benchmarks.size(), 0);
  const auto say = [&stage](const std::string& text) { (void)stage.state(RunState::measuring, text); };
  for (int i = 0; i < kProcesses && !start.benchmarks.empty(); ++i) {
    const std::string progress = "a new epoch: timing " + setup.spec.name;
    if (auto told = stage.state(RunState::measuring, progress); !told) return pass_on(told);
    if (auto admitted = stage.machine.probe->admit(say, stage.stop); !admitted) return pass_on(admitted);
    auto started = start_suite(setup, side.side, start, stage.stop);
    if (!started) return pass_on(started);
    if (started->ended.end != ProcessEnd::ok)
      if (auto well = stage.machine.probe->after_failure(stage.stop); !well) return pass_on(well);
    for (const auto& series : started->series)
      if (series.error.empty() && !series.samples_ns.empty())
        medians[series.benchmark].push_back(median(series.samples_ns));
  }
  std::vector<EpochFigure> out;
  for (const auto& [benchmark, values] : medians)
    out.push_back({setup.spec.name, benchmark, median(values), static_cast<int>(values.size())});
  return out;
}

class EpochStart {
 public:
  EpochStart(JobStage& stage, const EpochRequest& epoch) : stage_(stage), epoch_(epoch) {}

  Result<EpochEntered> run() {
    const auto before = load();
    if (before && same_facts(before->facts, facts()) && before->commit == epoch_.anchor) return EpochEntered{};
    if (!before && epoch_.anchor.empty()) return EpochEntered{};  // nothing to hold later epochs against
    EpochEntered out;
    out.is_new = before && !same_facts(before->facts, facts());
    EpochFigures now;
    now.facts = facts();
    if (auto timed = time_control(now); !timed) return pass_on(timed);
    if (out.is_new) {
      EpochFigures again = now;
      const auto kept = replay(*before, again);
      if (!kept) return pass_on(kept);
      const auto shift = compare_epochs(*before, again, *kept);
      out.notices = describe(shift);
      out.upload = {.lease = {},
                    .commit = again.commit,
                    .kept = *kept,
                    .text = out.notices.front(),
                    .control_ratio = shift.control,
                    .figures = again.anchored};
      if (again.commit == epoch_.anchor) now = std::move(again);
    }
    if (now.commit.empty())
      if (auto built = build_and_time(epoch_.anchor, now); !built) return pass_on(built);
    std::move(notices_.begin(), notices_.end(), std::back_inserter(out.notices));
    keep(before, now);
    return out;
  }

 private:
  [[nodiscard]] const wire::TestbedFacts& facts() const { return stage_.machine.facts.testbed; }

  [[nodiscard]] std::optional<EpochFigures> load() const {
    std::ifstream file(epoch_.file, std::ios::binary);
    if (!file) return std::nullopt;
    std::stringstream text;
    text << file.rdbuf();
    auto read = decode_figures(text.str());
    if (!read) log_warn(epoch_.file.string() + ": " + to_string(read.error()));
    return read ? std::optional(std::move(*read)) : std::nullopt;
  }

  // The build stays in the cache until another takes its place.
  void keep(const std::optional<EpochFigures>& before, const EpochFigures& now) const {
    const BuildCache& builds = *stage_.machine.builds;
    if (!now.build.empty())
      if (const auto pinned = builds.pin(now.build); !pinned) log_warn(to_string(pinned.error()));
    if (before && !before->build.empty() && before->build != now.build) builds.unpin(before->build);
    std::error_code error;
    fs::create_directories(epoch_.file.parent_path(), error);
    const fs::path fresh = epoch_.file.string() + ".new";
    std::ofstream(fresh, std::ios::binary | std::ios::trunc) << encode_figures(now);
    fs::rename(fresh, epoch_.file, error);
    if (error) log_warn("the epoch's figures were not kept: " + error.message());
  }

  Status time_control(EpochFigures& now) {
    if (epoch_.control.empty()) {
      if (stage_.machine.facts.has_gpu)
        notices_.push_back("a new epoch without a control suite: kg_probe_control is not there");
      return {};
    }
    if (auto held = stage_.hold_device(RunState::measuring); !held) return held;
    SuiteSetup setup = setup_for({});
    setup.spec.name = kControlSuite;
    MeasuredSide side;
    side.side.mounts = {{fs::absolute(epoch_.control).parent_path(), std::string(kInsideBuild), false}};
    const std::string inside = std::string(kInsideBuild) + "/" + epoch_.control.filename().string();
    side.side.line = shell_word(stage_.machine.sandbox->locate(side.side.mounts, inside));
    auto listing = list_benchmarks(setup, side.side, stage_.stop);
    if (!listing) return pass_on(listing);
    side.listing = std::move(*listing);
    if (side.listing.benchmarks.empty())
      notices_.push_back("the control suite does not list its benchmarks: " + side.listing.ended.text);
    auto timed = time_suite(stage_, setup, side);
    if (!timed) return pass_on(timed);
    now.control = std::move(*timed);
    return {};
  }

  // Times what was timed at the start of the epoch before. True: the very binaries, which the cache has kept.
  Result<bool> replay(const EpochFigures& before, EpochFigures& again) {
    auto kept = stage_.machine.builds->find(before.build, stage_.stop);
    if (!kept) return pass_on(kept);
    const auto timed = *kept ? time_build(**kept, before.commit, again) : build_and_time(before.commit, again);
    if (!timed) return pass_on(timed);
    return kept->has_value();
  }

  Status build_and_time(const std::string& text, EpochFigures& figures) {
    const auto commit = CommitHash::parse(text);
    if (!commit || !stage_.request.git->has_commit(*commit)) {
      if (!text.empty()) notices_.push_back("the anchored baseline " + text.substr(0, 10) + " cannot be fetched here");
      return {};
    }
    JobRequest own = stage_.request;
    own.head = *commit;
    const auto effective_manifest = find_effective_manifest(own, std::nullopt);
    if (!effective_manifest) return pass_on(effective_manifest);
    if (!effective_manifest->effective_manifest) return {};
    const auto build = build_commit(stage_, *effective_manifest->effective_manifest, *commit, BuildRole::head);
    if (!build) return pass_on(build);
    if (build->ok) return time_build(*build, text, figures);
    notices_.push_back("the anchored baseline " + commit->short_str() + " does not build here");
    return {};
  }

  Status time_build(const Build& build, const std::string& commit, EpochFigures& now) {
    JobRequest own = stage_.request;
    if (const auto hash = CommitHash::parse(commit)) own.head = *hash;
    const auto effective_manifest = find_effective_manifest(own, std::nullopt);
    if (!effective_manifest) return pass_on(effective_manifest);
    if (!effective_manifest->effective_manifest) return {};
    now.commit = commit;
    now.build = build.key;
    for (const auto& spec : effective_manifest->effective_manifest->manifest.suites) {
      if (!unmet_needs(spec, stage_.machine.facts).empty() || !has_program(build, spec.run)) continue;
      const auto side = list_side(stage_, spec, build);
      if (!side) return pass_on(side);
      const auto timed = time_suite(stage_, setup_for(spec), *side);
      if (!timed) return pass_on(timed);
      now.anchored.insert(now.anchored.end(), timed->begin(), timed->end());
    }
    return {};
  }

  [[nodiscard]] SuiteSetup setup_for(const SuiteSpec& spec) const {
    return {stage_.machine.sandbox, spec, stage_.machine.cpus, stage_.machine.facts.has_gpu};
  }

  JobStage& stage_;
  const EpochRequest& epoch_;
  std::vector<std::string> notices_;
};

}  // namespace

Result<EpochEntered> enter_epoch(const JobMachine& machine, const JobRequest& request, const EpochRequest& epoch,
                                 JobReporter& reporter, const std::stop_token& stop) {
  JobStage stage(machine, request, reporter, stop);
  auto entered = EpochStart(stage, epoch).run();
  if (stage.refusal()) return tl::unexpected<Error>(*stage.refusal());
  if (stop.stop_requested()) return fail(Errc::unavailable, "the run was stopped");
  stage.let_device_go();
  if (entered) {
    entered->held_s = stage.held_s();
    return entered;
  }
  EpochEntered failed;
  failed.held_s = stage.held_s();
  failed.notices = {"the new epoch's start was not measured: " + to_string(entered.error())};
  return failed;
}

}  // namespace kernelgate
