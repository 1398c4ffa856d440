// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/target.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <tuple>

#include "commands/browse/reach.hpp"
#include "core/units/git_hash.hpp"
#include "platform/git/git.hpp"
#include "service/history/histories.hpp"
#include "service/runs/queries.hpp"

namespace kernelgate::browse {
namespace {

constexpr const char* kLocal = "local";  // the repository's name in a store of `kernelgate run`

Result<std::regex> pattern_of(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    return fail(Errc::invalid, "no regular expression: " + std::string(error.what()), "--benchmark");
  }
}

constexpr std::size_t kNamesShown = 5;

std::string one_of(const std::set<std::string>& known) {
  if (known.empty()) return "nothing was measured yet";
  std::string out = "one of ";
  std::size_t count = 0;
  for (const std::string& name : known)
    if (++count <= kNamesShown) out += (count == 1 ? "" : ", ") + name;
  return count > kNamesShown ? out + " …" : out;
}

using Names = std::vector<wire::BenchmarkName>;

// Those that are asked for, by suite and name.
Result<Names> fitting(const Names& all, const HistoriesWanted& wanted) {
  const auto pattern = pattern_of(wanted.benchmark);
  if (!pattern) return pass_on(pattern);
  Names out;
  for (const wire::BenchmarkName& name : all)
    if ((wanted.suite.empty() || name.suite == wanted.suite) && std::regex_search(name.benchmark, *pattern))
      out.push_back(name);
  std::set<std::string> suites;
  for (const wire::BenchmarkName& name : all) suites.insert(name.suite);
  if (!wanted.suite.empty() && suites.count(wanted.suite) == 0)
    return fail(Errc::not_found, "no suite '" + wanted.suite + "'", "--suite", one_of(suites));
  if (out.empty())
    return fail(Errc::not_found, "no benchmark of " + std::to_string(all.size()) + " fits '" + wanted.benchmark + "'",
                "--benchmark");
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return std::tie(a.suite, a.benchmark) < std::tie(b.suite, b.benchmark);
  });
  return out;
}

using Histories = std::vector<wire::BenchmarkHistory>;

Result<Histories> histories_of_server(const Target& target, const HistoriesWanted& wanted) {
  if (target.repository.empty())
    return fail(Errc::invalid, "whose benchmarks?", "--repository", "name a repository of the server");
  auto client = connect(target);
  if (!client) return pass_on(client);
  Names all;
  std::string before;
  do {
    auto page = client->benchmarks(target.repository, before);
    if (!page) return pass_on(page);
    all.insert(all.end(), page->benchmarks.begin(), page->benchmarks.end());
    before = page->next.value_or("");
  } while (!before.empty());
  const auto names = fitting(all, wanted);
  if (!names) return pass_on(names);
  Histories out;
  for (const wire::BenchmarkName& name : *names) {
    HistoryLookup lookup{.repository = target.repository, .suite = name.suite, .benchmark = name.benchmark};
    if (!wanted.branch.empty()) lookup.branch = wanted.branch;
    lookup.epoch = wanted.epoch;
    lookup.points = wanted.points;
    auto history = client->history(lookup);
    if (!history) return pass_on(history);
    out.push_back(std::move(*history));
  }
  return out;
}

Result<Histories> histories_of_store(const Target& target, const HistoriesWanted& wanted) {
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  const auto repository = service::find_repository(*store, target.repository);
  if (!repository) return pass_on(repository);
  const auto all = service::benchmark_names(*store, repository->id);
  if (!all) return pass_on(all);
  const auto names = fitting(*all, wanted);
  if (!names) return pass_on(names);
  service::HistoryQuery query{.repository = repository->id, .branch = wanted.branch, .points = wanted.points};
  if (wanted.branch.empty() && repository->name != kLocal) query.branch = repository->default_branch;
  if (wanted.epoch > 0) query.epoch = EpochId{wanted.epoch};
  Histories out;
  for (const wire::BenchmarkName& name : *names) {
    query.suite = name.suite;
    query.benchmark = name.benchmark;
    auto history = service::benchmark_history(*store, query);
    if (!history) return pass_on(history);
    out.push_back(std::move(*history));
  }
  return out;
}

// A full hash needs no repository; anything else is git's to resolve, in the one that we stand in.
Result<CommitHash> commit_of(const Target& target, const std::string& text) {
  if (auto hash = CommitHash::parse(text)) return hash;
  const std::string shown = "--commit " + text.substr(0, 80);
  const auto git = Git::open(target.repo, GitConfig::users);
  if (!git)
    return fail(Errc::invalid,
                "no full hash, and " + target.repo.string() + " is no git repository in which to look it up", shown,
                "give 40 hex digits, or the repository's folder with --repo");
  auto commit = git->resolve(text);
  if (!commit) return fail(Errc::not_found, commit.error().what, shown, commit.error().fix);
  return commit;
}

std::string known_states() {
  std::string out = "one of unfinished";
  for (int state = 0; state <= static_cast<int>(RunState::cancelled); ++state)
    out += ", " + std::string(to_string(static_cast<RunState>(state)));
  return out;
}

Result<service::RunFilter> filter_of(const RunsWanted& wanted) {
  service::RunFilter filter{.commit = wanted.commit, .branch = wanted.branch};
  filter.unfinished_only = wanted.state == "unfinished";
  if (wanted.state.empty() || filter.unfinished_only) return filter;
  filter.state = parse_run_state(wanted.state);
  if (!filter.state) return fail(Errc::invalid, "unknown state '" + wanted.state + "'", "--state", known_states());
  return filter;
}

}  // namespace

Result<std::vector<wire::Run>> list_runs(const Target& target, const RunsWanted& asked) {
  RunsWanted wanted = asked;
  if (!wanted.commit.empty()) {
    const auto commit = commit_of(target, wanted.commit);
    if (!commit) return pass_on(commit);
    wanted.commit = commit->str();
  }
  if (!target.server.empty()) {
    auto client = connect(target);
    if (!client) return pass_on(client);
    const auto page = client->runs({.repository = target.repository,
                                    .commit = wanted.commit,
                                    .state = wanted.state,
                                    .branch = wanted.branch,
                                    .limit = wanted.limit,
                                    .before = {}});
    if (!page) return pass_on(page);
    return page->runs;
  }
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  const auto filter = filter_of(wanted);
  if (!filter) return pass_on(filter);
  const auto runs = service::list_runs(*store, *filter, target.repository, {.before = 0, .limit = wanted.limit});
  if (!runs) return pass_on(runs);
  std::vector<wire::Run> out;
  for (const service::Run& run : *runs) out.push_back(to_wire(run));
  return out;
}

Result<wire::Run> one_run(const Target& target, std::int64_t id) {
  if (target.server.empty()) {
    const auto store = open_store(target);
    if (!store) return pass_on(store);
    return service::whole_run(*store, RunId{id});
  }
  auto client = connect(target);
  if (!client) return pass_on(client);
  return client->run(id);
}

Result<Histories> histories(const Target& target, const HistoriesWanted& wanted) {
  auto found = target.server.empty() ? histories_of_store(target, wanted) : histories_of_server(target, wanted);
  const bool narrowed = !wanted.branch.empty() || wanted.epoch > 0;
  if (!found || !narrowed) return found;
  const auto has_points = [](const wire::BenchmarkHistory& one) { return !one.points.empty(); };
  if (std::any_of(found->begin(), found->end(), has_points)) return found;
  if (wanted.branch.empty())
    return fail(Errc::not_found, "no point in epoch " + std::to_string(wanted.epoch), "--epoch",
                "leave it out for that of the newest point; --format json lists the others");
  return fail(Errc::not_found, "no point of branch '" + wanted.branch + "'", "--branch",
              "leave it out for the default branch; a store of kernelgate run knows no branches");
}

}  // namespace kernelgate::browse
