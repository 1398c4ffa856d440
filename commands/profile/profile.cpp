// SPDX-License-Identifier: Apache-2.0
#include "commands/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "commands/local_machine.hpp"
#include "core/decision/explain/counters.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/profiles.hpp"
#include "runner/job/profiles.hpp"

namespace kernelgate::local {
namespace {

namespace fs = std::filesystem;

class Profiler {
 public:
  Profiler(const ProfileOptions& options, const Subject& subject, LocalMachine& machine, const RunProgress& progress,
           std::stop_token stop)
      : options_(options), subject_(subject), machine_(machine), progress_(progress), stop_(std::move(stop)) {}

  // The suite that has the benchmark, and the profile of its longest kernel.
  Result<KernelProfile> profile(const CommitHash& commit, const char* name) {
    progress_(fmt::format("building {} {}", name, commit.short_str()));
    const auto build = machine_.builds.build({.git = &subject_.git,
                                              .origin = {&machine_.mirrors, subject_.git.git_dir().string()},
                                              .source = Source{commit, {}, {}},
                                              .recipe = subject_.manifest.build},
                                             stop_);
    if (!build) return pass_on(build);
    if (!build->ok) return fail(Errc::invalid, std::string(name) + " does not build", commit.str());
    if (auto held = machine_.probe->hold(progress_, stop_); !held) return pass_on(held);
    auto page = profile_in(*build, name);
    machine_.probe->let_go();
    if (!page) return pass_on(page);
    if (auto kept = keep(*page, name); !kept) return pass_on(kept);
    return page->kernels.front();
  }

 private:
  Result<gpu::Profile> profile_in(const Build& build, const char* name) {
    JobMachine machine = machine_.job_machine({});
    machine.cuda_tools = options_.cuda_tools;
    for (const SuiteSpec& spec : subject_.manifest.suites) {
      if (!options_.run.suite.empty() && spec.name != options_.run.suite) continue;
      auto line = build.locate(machine_.sandbox, spec.setting, spec.run);
      if (!line) return pass_on(line);
      MeasuredSide side{{std::move(line->command), build.mounts(), std::move(line->before)}, {}};
      auto listing = list_benchmarks({&machine_.sandbox, spec, {}, machine_.facts.has_gpu}, side.side, stop_);
      if (!listing) return pass_on(listing);
      side.listing = std::move(*listing);
      const auto& names = side.listing.benchmarks;
      if (std::find(names.begin(), names.end(), options_.benchmark) == names.end()) continue;
      progress_(fmt::format("{}: profiling {} of {}", spec.name, options_.benchmark, name));
      return profile_side(machine, spec, side, options_.benchmark, stop_);
    }
    return fail(Errc::not_found, std::string(name) + " has no benchmark '" + options_.benchmark + "'", "--benchmark");
  }

  Status keep(const gpu::Profile& profile, const char* name) const {
    if (options_.out.empty()) return {};
    std::error_code error;
    fs::create_directories(options_.out, error);
    const fs::path file = options_.out / (std::string(name) + ".csv");
    std::ofstream out(file, std::ios::binary);
    out << profile.page;
    if (!out.flush()) return fail(Errc::io, "cannot be written", file.string());
    return {};
  }

  const ProfileOptions& options_;
  const Subject& subject_;
  LocalMachine& machine_;
  const RunProgress& progress_;
  const std::stop_token stop_;
};

}  // namespace

Result<ProfileOutcome> profile_here(const ProfileOptions& options, const RunProgress& progress, std::stop_token stop) {
  const auto subject = find_subject(options.run);
  if (!subject) return pass_on(subject);
  const auto base = subject->git.resolve(options.run.base.empty() ? subject->head.str() + "^" : options.run.base);
  if (!base) return pass_on(base);
  auto machine = open_machine(subject->git, options.run, progress, stop);
  if (!machine) return pass_on(machine);
  Profiler profiler(options, *subject, **machine, progress, std::move(stop));
  auto before = profiler.profile(*base, "base");
  if (!before) return pass_on(before);
  auto after = profiler.profile(subject->head, "head");
  if (!after) return pass_on(after);
  ProfileOutcome out;
  out.title = fmt::format("{}: {} against {}", options.benchmark, subject->head.short_str(), base->short_str());
  out.changes = counter_changes(*before, *after);
  out.base = std::move(*before);
  out.head = std::move(*after);
  return out;
}

std::string profile_table(const ProfileOutcome& outcome) {
  std::string out = report::harmless(outcome.title) + "\n";
  out += "kernel: " + report::harmless(outcome.head.kernel) + "\n";
  if (outcome.changes.empty()) out += "no counter moved by 5 % or more\n";
  for (const std::string& change : outcome.changes) out += report::harmless(change) + "\n";
  return out;
}

std::string profile_json(const ProfileOutcome& outcome) {
  const auto side = [](const KernelProfile& one) {
    return wire::ProfiledKernel{.kernel = one.kernel, .counters = one.counters};
  };
  return wire::print(wire::ProfileDocument{
      .title = outcome.title, .changes = outcome.changes, .base = side(outcome.base), .head = side(outcome.head)});
}

}  // namespace kernelgate::local
