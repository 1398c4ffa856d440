// SPDX-License-Identifier: Apache-2.0
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <memory>
#include <string>

#include "commands/bisect/bisect.hpp"
#include "commands/commands.hpp"
#include "commands/folder_flag.hpp"
#include "commands/login/config.hpp"
#include "commands/numbers.hpp"
#include "commands/progress_line.hpp"
#include "commands/version.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "platform/process/stop_signals.hpp"

namespace kernelgate::cli::cmd_bisect {
namespace {

struct Flags {
  local::BisectOptions options;
  local::BisectServer server;
  std::string until = "regressed", format = "table";
  bool backfill = false, wait = false, list = false;
  std::int64_t show = 0, cancel = 0;
};

template <class Work>
auto with_progress(const Work& work) {
  const StopSignals signals;
  ProgressLine line(stderr);
  return work([&line](const std::string& text) { line.show(text); }, signals.token());
}

template <class Reply>
void print(const Flags& flags, const Reply& reply, const std::string& table) {
  std::fputs((flags.format == "json" ? wire::encode(reply) + "\n" : table).c_str(), stdout);
}

int show(const Flags& flags, const Result<wire::Bisection>& bisection) {
  if (!bisection) return complain(bisection.error());
  print(flags, *bisection, local::bisection_table(*bisection));
  return local::exit_code(*bisection);
}

Status check(const Flags& flags) {
  const bool remote = !flags.server.url.empty();
  const bool asks = flags.show > 0 || flags.cancel > 0 || flags.list;
  if (!remote && (asks || flags.wait))
    return fail(Errc::invalid, "there is no server to ask", "--server", "add --server URL");
  if (remote && flags.server.repository.empty())
    return fail(Errc::invalid, "which of the server's repositories is not said", "--repository", "give its name");
  if (!asks && flags.options.good.empty())
    return fail(Errc::invalid, "which commit is good is not said", "--good", "name one");
  return {};
}

int backfill(Flags& flags) {
  Result<wire::BackfillReply> reply;
  if (flags.server.url.empty()) {
    const local::Told told = [](const std::string& commit, const local::RunOutcome& outcome) {
      const std::string conclusion(to_string(outcome.decision.conclusion));
      std::fprintf(stderr, "%s %s: %s\n", commit.substr(0, 10).c_str(), conclusion.c_str(),
                   outcome.decision.summary.c_str());
    };
    reply = with_progress([&](const local::RunProgress& progress, const std::stop_token& stop) {
      return local::backfill_here(flags.options, progress, told, stop);
    });
  } else {
    reply = local::backfill_there(flags.server, flags.options);
  }
  if (!reply) return complain(reply.error());
  print(flags, *reply, local::backfill_table(*reply));
  return 0;
}

int bisect(Flags& flags) {
  // A repository is named by its name on a server alone.
  if (!flags.server.url.empty() || !flags.server.repository.empty())
    if (const Status known = login::complete(flags.server.url, flags.server.token_file); !known)
      return complain(known.error());
  if (const Status good = check(flags); !good) return complain(good.error());
  flags.options.run.program = version_line();
  flags.options.target.aim = parse_word<bisect::Aim>(flags.until).value_or(bisect::Aim::regressed);
  if (flags.list) {
    const auto page = local::list_there(flags.server);
    if (!page) return complain(page.error());
    print(flags, *page, local::bisections_table(*page));
    return 0;
  }
  if (flags.show > 0) return show(flags, local::show_there(flags.server, flags.show));
  if (flags.cancel > 0) return show(flags, local::cancel_there(flags.server, flags.cancel));
  if (flags.backfill) return backfill(flags);
  if (flags.server.url.empty())
    return show(flags, with_progress([&](const local::RunProgress& progress, const std::stop_token& stop) {
                  return local::bisect_here(flags.options, progress, stop);
                }));
  auto started = local::start_there(flags.server, flags.options);
  if (!started || !flags.wait) return show(flags, started);
  return show(flags, with_progress([&](const local::RunProgress& progress, const std::stop_token& stop) {
                return local::wait_there(flags.server, started->id, progress, stop);
              }));
}

void add_local(CLI::App& command, local::RunOptions& options) {
  add_folder_flag(command, options.repository);
  command.add_option("--manifest", options.manifest, "Local: use this manifest, not the repository's");
  command.add_option("--db", options.database, "Local: where samples are kept (default: in the git folder)");
  command.add_option("--cpus", options.cpus, "Local: pin suites to these processors, such as 2,3")->delimiter(',');
  command.add_option("--gpu", options.gpu, "Local: number of the GPU to measure on")
      ->check(whole_number(0, limits::kDeviceNumberMax));
  command.add_flag("--no-sandbox", options.no_sandbox, "Local: commits run with all rights of this user");
}

void add_server(CLI::App& command, Flags& flags) {
  command.add_option("--server", flags.server.url, "http://HOST:PORT; without it and --repository it is measured here");
  command.add_option("--token-file", flags.server.token_file, "File with a token of role trigger");
  command.add_option("--repository", flags.server.repository, "The repository's name on the server");
  command.add_flag("--wait", flags.wait, "Server: wait until it is over");
  auto* list = command.add_flag("--list", flags.list, "Server: the repository's bisections");
  auto* show = command.add_option("--show", flags.show, "Server: how this bisection stands")->check(whole_number(1));
  auto* cancel = command.add_option("--cancel", flags.cancel, "Server: stop this bisection")->check(whole_number(1));
  auto* backfill = command.get_option("--backfill");
  list->excludes(show)->excludes(cancel)->excludes(backfill);
  show->excludes(cancel)->excludes(backfill);
  cancel->excludes(backfill);
}

}  // namespace

void add(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<Flags>();
  local::BisectOptions& options = flags->options;
  CLI::App* command = app.add_subcommand("bisect", "Find the commit that made a benchmark slower or wrong");
  command->add_option("--good", options.good, "A commit that is right; an ancestor of bad");
  command->add_option("--bad", options.bad, "A commit that is not")->capture_default_str();
  command->add_option("--benchmark", options.target.benchmark, "Name of the benchmark");
  command->add_option("--suite", options.target.suite, "Its suite, where several have one of this name");
  command->add_option("--until", flags->until, "regressed, or broken: also crashed, timed out, invalid")
      ->check(CLI::IsMember({"regressed", "broken"}))
      ->capture_default_str();
  command->add_flag("--backfill", flags->backfill, "Measure the commits from good to bad that never were");
  command->add_option("--limit", options.limit, "Runs of a backfill at most")
      ->check(CLI::Range(1, limits::kBackfillMax))
      ->capture_default_str();
  add_local(*command, options.run);
  add_server(*command, *flags);
  command->add_option("--format", flags->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  command->callback([flags, &exit_code] { exit_code = bisect(*flags); });
}

}  // namespace kernelgate::cli::cmd_bisect
