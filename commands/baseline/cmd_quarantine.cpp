// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/baseline/baseline_flags.hpp"
#include "commands/commands.hpp"

namespace kernelgate::cli::cmd_quarantine {
namespace {

struct Flags {
  local::BaselineTarget target;
  wire::QuarantineRequest wanted;
  wire::ReleaseRequest release;
  std::int64_t id = 0;
  bool all = false;
  std::string format = "table";
};

Status list(local::Baselines& baselines, const Flags& flags) {
  const auto found = baselines.quarantines(flags.all);
  if (!found) return pass_on(found);
  const bool json = flags.format == "json";
  std::fputs((json ? local::quarantine_json(*found) : local::quarantine_table(*found)).c_str(), stdout);
  return {};
}

Status show(const Result<wire::QuarantineRecord>& done) {
  if (!done) return pass_on(done);
  std::fputs(local::quarantine_table({*done}).c_str(), stdout);
  return {};
}

Status add(local::Baselines& baselines, const Flags& flags) { return show(baselines.quarantine(flags.wanted)); }

Status release(local::Baselines& baselines, const Flags& flags) {
  return show(baselines.release(flags.id, flags.release));
}

using Action = Status (*)(local::Baselines&, const Flags&);

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      app.add_subcommand("quarantine", "Benchmarks that are too unstable to decide, and their way back");
  command->require_subcommand(1);
  const auto one = [&](const char* name, const char* what, Action action) {
    CLI::App* made = command->add_subcommand(name, what);
    add_baseline_flags(*made, flags->target);
    made->callback([flags, action, &exit_code] {
      const auto baselines = local::Baselines::open(flags->target);
      const Status done = baselines ? action(**baselines, *flags) : Status(pass_on(baselines));
      exit_code = done ? 0 : complain(done.error());
    });
    return made;
  };
  CLI::App* shown = one("list", "What is quarantined, why, and what may come back", list);
  shown->add_flag("--all", flags->all, "Those too that were released");
  shown->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  CLI::App* made = one("add", "Set a benchmark aside: its timing is shown and fails no run", add);
  made->add_option("--suite", flags->wanted.suite, "Its suite")->required();
  made->add_option("--benchmark", flags->wanted.benchmark, "Its name, as in a run's table")->required();
  made->add_option("--reason", flags->wanted.reason, "Why it cannot decide")->required();
  CLI::App* back = one("release", "Let a benchmark decide again", release);
  back->add_option("--id", flags->id, "Number of the quarantine")->required();
  back->add_option("--reason", flags->release.reason, "Why it can decide again")->required();
}

}  // namespace kernelgate::cli::cmd_quarantine
