// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "commands/baseline/baseline.hpp"
#include "commands/baseline/baseline_flags.hpp"
#include "commands/commands.hpp"
#include "commands/numbers.hpp"
#include "commands/progress_line.hpp"
#include "core/units/limits.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_baseline {
namespace {

struct Flags {
  local::BaselineTarget target;
  wire::Promotion promotion;
  local::Remeasure remeasure;
  wire::AcceptRequest acceptance;
  wire::RevokeAcceptanceRequest back;
  std::int64_t acknowledgement = 0;
  std::string a, b;  // of a difference
  std::string format = "table";
};

Status list(local::Baselines& baselines, const Flags& flags) {
  const auto found = baselines.list();
  if (!found) return pass_on(found);
  const std::string text = flags.format == "json" ? baseline_json(*found) : baseline_table(*found);
  std::fputs(text.c_str(), stdout);
  return {};
}

Status promote(local::Baselines& baselines, const Flags& flags) {
  const auto made = baselines.promote(flags.promotion);
  if (!made) return pass_on(made);
  std::printf("baseline %s: %s, %zu benchmarks\n", made->baseline.name.c_str(),
              made->baseline.commit.substr(0, 10).c_str(), made->benchmarks.size());
  return {};
}

Status remeasure(local::Baselines& baselines, const Flags& flags) {
  const StopSignals signals;
  Result<wire::RemeasureReply> reply;
  {
    ProgressLine line(stderr);
    reply = baselines.remeasure(
        flags.remeasure, [&line](const std::string& text) { line.show(text); }, signals.token());
  }
  if (!reply) return pass_on(reply);
  for (const wire::Remeasured& one : reply->baselines)
    std::printf("%s %s: %s%s%s\n", one.name.c_str(), one.commit.substr(0, 10).c_str(),
                one.run ? ("run " + std::to_string(*one.run)).c_str() : "no session",
                one.why_not.empty() ? "" : ", not counted: ", one.why_not.c_str());
  const auto failed = std::find_if(reply->baselines.begin(), reply->baselines.end(),
                                   [](const wire::Remeasured& one) { return !one.why_not.empty(); });
  if (failed == reply->baselines.end()) return {};
  return fail(Errc::unavailable, "not every baseline has a new session", failed->name);
}

Status accept(local::Baselines& baselines, const Flags& flags) {
  const auto made = baselines.accept(flags.acceptance);
  if (!made) return pass_on(made);
  std::fputs(local::acceptance_table(*made).c_str(), stdout);
  return {};
}

Status revoke(local::Baselines& baselines, const Flags& flags) {
  const auto done = baselines.revoke(flags.acknowledgement, flags.back);
  if (!done) return pass_on(done);
  std::printf("acknowledgement %lld is revoked\n", static_cast<long long>(done->id));
  return {};
}

Status diff(local::Baselines& baselines, const Flags& flags) {
  const auto found = baselines.diff(flags.a, flags.b);
  if (!found) return pass_on(found);
  std::fputs((flags.format == "json" ? local::diff_json(*found) : local::diff_table(*found)).c_str(), stdout);
  return {};
}

using Action = Status (*)(local::Baselines&, const Flags&);

void add_actions(CLI::App& promote, CLI::App& accept, CLI::App& revoke, Flags& flags) {
  promote.add_option("--run", flags.promotion.run, "The run that passed")->required()->check(whole_number(1));
  promote.add_option("--name", flags.promotion.name, "main, release-1.2 …")->required();
  promote.add_option("--reason", flags.promotion.reason, "Why this one is the effective manifest from now on")
      ->required();
  promote.add_flag("--anchor", flags.promotion.anchor, "A release: slow creep is shown against it");
  accept.add_option("--run", flags.acceptance.run, "The run that ended regressed")->required()->check(whole_number(1));
  accept.add_option("--benchmark", flags.acceptance.match, "Regular expression searched in names of benchmarks")
      ->required();
  accept.add_option("--reason", flags.acceptance.reason, "Why this slowdown is accepted")->required();
  accept.add_option("--expires-days", flags.acceptance.expires_in_days, "For so many days (default: for good)")
      ->check(whole_number(1, limits::kAcceptDaysMax));
  revoke.add_option("--ack", flags.acknowledgement, "Number of the acknowledgement")
      ->required()
      ->check(whole_number(1));
  revoke.add_option("--reason", flags.back.reason, "Why it no longer holds")->required();
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("baseline", "Promoted baselines, their sessions, accepted regressions");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, Action action) {
    CLI::App* one = command->add_subcommand(name, what);
    add_baseline_flags(*one, flags->target);
    one->callback([flags, action, &exit_code] {
      const auto baselines = local::Baselines::open(flags->target);
      const Status done = baselines ? action(**baselines, *flags) : Status(pass_on(baselines));
      exit_code = done ? 0 : complain(done.error());
    });
    return one;
  };
  CLI::App* shown = add("list", "Baselines and accepted regressions", list);
  shown->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  CLI::App* differ = add("diff", "How much slower one commit or baseline is than another, from what is stored", diff);
  differ->add_option("A", flags->a, "A baseline's name, a commit, or at least 7 digits of one")->required();
  differ->add_option("B", flags->b, "What is compared with it")->required();
  differ->add_option("--format", flags->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  CLI::App* promoted = add("promote", "Make a run that passed the baseline of a name", promote);
  CLI::App* measured = add("remeasure", "Time the baselines' commits again, for cron", remeasure);
  measured->add_option("--name", flags->remeasure.name, "Only this baseline");
  measured->add_option("--processes", flags->remeasure.processes, "Of one session")
      ->check(whole_number(2, 64))
      ->capture_default_str();
  measured->add_flag("--no-sandbox", flags->remeasure.no_sandbox, "Local: commits run with all rights of this user");
  measured->add_option("--cpus", flags->remeasure.cpus, "Local: pin suites to these processors")->delimiter(',');
  CLI::App* accepted = add("accept", "Accept a run's regression", accept);
  CLI::App* back = add("revoke", "Revoke an acceptance", revoke);
  add_actions(*promoted, *accepted, *back, *flags);
}

}  // namespace kernelgate::cli::cmd_baseline
