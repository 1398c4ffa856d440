// SPDX-License-Identifier: Apache-2.0
#include "runner/job/builds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "platform/files/foreign_file.hpp"
#include "platform/process/command_line.hpp"
#include "runner/gpu/cuda_error.hpp"
#include "runner/measure/measure.hpp"
#include "runner/testbed/needs.hpp"

namespace kernelgate {
namespace {

// What is remembered of a program holds for the folder and the environment that it ran in.
Sha256& with_setting(Sha256& hash, const CommandSetting& setting) {
  if (setting == CommandSetting()) return hash;
  hash.field(setting.cwd);
  for (const auto& [name, value] : setting.env) hash.field(name).field(value);
  hash.field("path");
  for (const std::string& folder : setting.path) hash.field(folder);
  return hash;
}

std::string note_name(const SuiteSpec& spec) {
  Sha256 hash;
  hash.field(spec.name).field(spec.check);
  return "check-" + with_setting(hash, spec.setting).hex().substr(0, 16);
}

std::optional<CheckReport> remembered(const Build& build, const SuiteSpec& spec, Side side) {
  const std::string note = build.load_note(note_name(spec));
  if (note.empty()) return std::nullopt;
  CheckReport report;
  std::istringstream lines(note);
  for (std::string line; std::getline(lines, line);) {
    if (line == "end") return report;  // written last: a note cut short is none
    auto one = wire::decode<CheckCase>(line);
    if (!one || !one->passed) return std::nullopt;
    one->side = side;
    report.cases.push_back(std::move(*one));
  }
  return std::nullopt;
}

// Only what passed is remembered: a failure may be the machine's, and is worth a second look.
void remember(const Build& build, const SuiteSpec& spec, const CheckReport& report) {
  if (!report.passed()) return;
  std::string note;
  for (const auto& one : report.cases) note += wire::encode(one) + "\n";
  // Without its note the check only runs again.
  (void)build.store_note(note_name(spec), note + "end\n");
}

std::string listing_note(const SuiteSpec& spec) {
  Sha256 hash;
  hash.field(spec.run).field(std::to_string(spec.sample_ms)).field(to_string(spec.format));
  return "list-" + with_setting(hash, spec.setting).hex().substr(0, 16);
}

// What a build lists does not change, so the device is not held to ask it again.
std::optional<Listing> remembered_listing(const Build& build, const SuiteSpec& spec) {
  Listing listing;
  std::istringstream lines(build.load_note(listing_note(spec)));
  std::string text;
  if (!std::getline(lines, text)) return std::nullopt;
  listing.min_time = static_cast<suite::MinTime>(std::atoi(text.c_str()));
  while (std::getline(lines, text)) {
    if (text.empty()) return listing;  // written last: a note cut short is none
    listing.benchmarks.push_back(text);
  }
  return std::nullopt;
}

void remember(const Build& build, const SuiteSpec& spec, const Listing& listing) {
  if (listing.ended.end != ProcessEnd::ok || listing.benchmarks.empty()) return;
  std::string note = std::to_string(static_cast<int>(listing.min_time)) + "\n";
  for (const std::string& name : listing.benchmarks) note += name + "\n";
  (void)build.store_note(listing_note(spec), note + "\n");
}

// Where there is no GPU, a CUDA program that does not find one is no fault of the commit.
Status blame_for(const JobStage& stage, const SuiteSpec& spec, const std::string& text) {
  if (stage.machine.facts.has_gpu || !gpu::says_no_gpu(text)) return {};
  return fail(Errc::unsupported, spec.name + " needs a GPU and this machine has none (" + text + ")", {},
              "say so in the manifest: requires = { gpu = true }");
}

Status cannot_run(const SuiteSpec& spec, const Listing& listing) {
  return fail(Errc::unavailable, spec.name + " cannot run here: " + listing.ended.text);
}

std::string side_name(Side side) { return std::string(to_string(side)); }

Result<CheckReport> finish_check(JobStage& stage, const SuiteSpec& spec, const CheckRequest& request) {
  const HeadClock clock(stage, request.side == Side::head);
  auto report = run_check(*stage.machine.sandbox, request, stage.stop);
  if (!report) return report;
  if (report->tool_missing && (request.side == Side::base || stage.request.own_machine))
    return fail(Errc::unavailable, spec.name + ": the check cannot run here: " + report->failures.back().text);
  for (const CaseFailure& failure : report->failures)
    if (auto fault = blame_for(stage, spec, failure.text); !fault) return pass_on(fault);
  const auto died = [](const CaseFailure& failure) { return failure.verdict != Verdict::broken; };
  if (std::any_of(report->failures.begin(), report->failures.end(), died))
    if (auto well = stage.machine.probe->after_failure(stage.stop); !well) return pass_on(well);
  const std::string name = fmt::format("check-{}-{}", side_name(request.side), spec.name);
  if (auto told = stage.log(name, report->log); !told) return pass_on(told);
  return report;
}

bool is_protected(const JobRequest& request, const CommitHash& commit) {
  if (request.protected_branch.empty()) return false;
  const auto tip = request.git->resolve("refs/heads/" + request.protected_branch);
  if (!tip) return false;
  const auto common = request.git->merge_base(commit, *tip);
  return common && *common == commit;
}

}  // namespace

Result<Build> build_commit(JobStage& stage, const EffectiveManifest& effective_manifest, const CommitHash& commit,
                           BuildRole role) {
  const bool is_base = role == BuildRole::base;
  const std::string name = is_base ? "base" : "head";
  const HeadClock clock(stage, !is_base);
  stage.let_device_go();
  if (auto told = stage.state(RunState::building, fmt::format("building {} {}", name, commit.short_str())); !told)
    return pass_on(told);
  BuildRequest request{.git = stage.request.git,
                       .origin = stage.request.origin,
                       .source = Source{commit, {}, {}},
                       .recipe = is_base ? effective_manifest.manifest.build : effective_manifest.head_recipe,
                       .trust = stage.request.trust,
                       .is_protected = is_protected(stage.request, commit)};
  const bool has_heads_code = !is_base || !request.recipe.overlay.empty();
  if (stage.request.trust != "trusted" && has_heads_code) {
    const BuildRecipe& bases = effective_manifest.manifest.build;
    request.recipe.fetch = stage.request.fork_fetch ? bases.fetch : "";
    request.recipe.setting = bases.setting;  // else a PATH of head's would say what base's fetch line starts
    request.recipe.submodules = bases.submodules;
  }
  if (const auto& defines = stage.request.defines)
    request.recipe = at_point(std::move(request.recipe), is_base ? defines->base : defines->head);
  if (is_base && !request.recipe.overlay.empty()) {
    request.source.overlay_from = stage.request.head;
    request.source.overlay = request.recipe.overlay;
  }
  auto build = stage.machine.builds->build(request, stage.stop);
  if (!build) return build;
  if (auto told = stage.log("build-" + name, build->log); !told) return pass_on(told);
  return build;
}

BuildRecipe at_point(BuildRecipe recipe, const std::string& defines) {
  recipe.configure = with_defines(std::move(recipe.configure), defines);
  recipe.build = with_defines(std::move(recipe.build), defines);
  return recipe;
}

std::string failure_text(const Build& build) {
  std::string_view tail = build.log;
  if (tail.size() > limits::kFailureTextMax) tail.remove_prefix(tail.size() - limits::kFailureTextMax);
  return fmt::format("{} failed:\n{}", build.failed_stage, tail);
}

Result<ShellLine> locate_line(const JobStage& stage, const Build& build, const SuiteSpec& spec,
                              const std::string& line) {
  return build.locate(*stage.machine.sandbox, spec.setting, line);
}

bool has_program(const Build& build, const std::string& line) {
  constexpr std::string_view kPrefix = "{build}/";
  const std::string command = command_of(line);
  if (command.rfind(kPrefix, 0) != 0) return true;
  const std::string word = command.substr(0, command.find_first_of(" \t\n"));
  if (word.find_first_of("'\"\\$*?") != word.npos) return true;
  return std::filesystem::exists(build.build / word.substr(kPrefix.size()));
}

Result<CheckReport> check_build(JobStage& stage, const Build& build, const SuiteSpec& spec, Side side) {
  if (auto known = remembered(build, spec, side)) return std::move(*known);
  if (auto told = stage.state(RunState::checking, fmt::format("{}: checking {}", spec.name, side_name(side))); !told)
    return pass_on(told);
  if (auto held = stage.hold_device(RunState::checking); !held) return pass_on(held);
  const auto line = locate_line(stage, build, spec, spec.check);
  if (!line) return pass_on(line);
  const CheckRequest request{.suite = spec.name,
                             .side = side,
                             .line = line->text(),
                             .mounts = build.mounts(),
                             .timeout = spec.timeout,
                             .gpu = stage.machine.facts.has_gpu};
  auto report = finish_check(stage, spec, request);
  if (report) remember(build, spec, *report);
  return report;
}

Result<CheckReport> check_by_base(JobStage& stage, const Build& base, const Build& head, const SuiteSpec& spec) {
  CheckRequest request{.suite = spec.name,
                       .side = Side::head,
                       .line = {},
                       .mounts = base.mounts(),
                       .timeout = spec.timeout,
                       .gpu = stage.machine.facts.has_gpu};
  for (const std::string& file : spec.check_library) {
    if (!is_plain_file(base.build, file)) return fail(Errc::invalid, "base builds no plain file " + file, spec.name);
    if (!is_plain_file(head.build, file)) {
      ProcessResult none;
      none.exit_code = 1;
      none.err = "head builds no plain file " + file + ", which base's check is to be run against";
      return judge_check(request, none);
    }
    request.mounts.push_back({head.build / file, std::string(kInsideBuild) + "/" + file, false});
  }
  const std::string progress = fmt::format("{}: checking head by base's check", spec.name);
  if (auto told = stage.state(RunState::checking, progress); !told) return pass_on(told);
  if (auto held = stage.hold_device(RunState::checking); !held) return pass_on(held);
  const auto line = locate_line(stage, base, spec, spec.check);
  if (!line) return pass_on(line);
  request.line = line->text();
  return finish_check(stage, spec, request);
}

Result<std::string> why_broken(JobStage& stage, const EffectiveManifest& effective_manifest, const Build& build) {
  for (const auto& spec : effective_manifest.manifest.suites) {
    if (!stage.request.only_suite.empty() && spec.name != stage.request.only_suite) continue;
    if (!unmet_needs(spec, stage.machine.facts).empty()) continue;
    if (!spec.check.empty() && has_program(build, spec.check)) {
      const auto report = check_build(stage, build, spec, Side::base);
      if (!report) return pass_on(report);
      if (!report->passed()) {
        const auto& first = report->failures.front();
        return fmt::format("its check of {} is {}: {}: {}", spec.name, to_string(first.verdict), first.benchmark,
                           first.text);
      }
    }
    if (!has_program(build, spec.run)) continue;
    const auto side = list_side(stage, spec, build);
    if (!side) return pass_on(side);
    if (side->listing.tool_missing) return pass_on(cannot_run(spec, side->listing));
    if (side->listing.ended.end != ProcessEnd::ok)
      return fmt::format("its suite {} does not list its benchmarks: {}", spec.name, side->listing.ended.text);
  }
  return std::string();
}

Result<MeasuredSide> list_side(JobStage& stage, const SuiteSpec& spec, const Build& build) {
  auto line = locate_line(stage, build, spec, spec.run);
  if (!line) return pass_on(line);
  MeasuredSide out{{std::move(line->command), build.mounts(), std::move(line->before)}, {}};
  if (auto known = remembered_listing(build, spec)) {
    out.listing = std::move(*known);
  } else {
    if (auto held = stage.hold_device(RunState::checking); !held) return pass_on(held);
    SuiteSetup setup;
    setup.sandbox = stage.machine.sandbox;
    setup.spec = spec;
    setup.gpu = stage.machine.facts.has_gpu;
    auto listing = list_benchmarks(setup, out.side, stage.stop);
    if (!listing) return pass_on(listing);
    if (listing->tool_missing && stage.request.own_machine) return pass_on(cannot_run(spec, *listing));
    if (listing->ended.end != ProcessEnd::ok)
      if (auto fault = blame_for(stage, spec, listing->ended.text); !fault) return pass_on(fault);
    remember(build, spec, *listing);
    out.listing = std::move(*listing);
  }
  if (!stage.request.filter.empty()) {
    const std::regex filter(stage.request.filter);
    std::erase_if(out.listing.benchmarks,
                  [&filter](const std::string& name) { return !std::regex_search(name, filter); });
  }
  return out;
}

}  // namespace kernelgate
