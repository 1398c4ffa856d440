// SPDX-License-Identifier: Apache-2.0
#include "local/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/decision/decide.hpp"
#include "core/decision/live_stop.hpp"
#include "core/decision/pairs.hpp"
#include "core/decision/stored.hpp"
#include "core/decision/stored_screen.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"
#include "runner/suite/google_benchmark.hpp"

namespace kernelgate::local {
namespace {

Status check_sessions(const CompareRequest& request) {
  if (!request.base.empty())
    return fail(Errc::invalid, "against a stored baseline there is no base", "compare",
                "give --session FILE,FILE in place of --base, or leave --against stored out");
  if (request.head.empty() || request.sessions.empty())
    return fail(Errc::invalid, "no file to compare", "compare", "give --head FILE… and --session FILE,FILE…");
  for (const auto& session : request.sessions)
    if (session.size() < static_cast<std::size_t>(kStoredProcessesMin))
      return fail(Errc::invalid, fmt::format("a session of {} file", session.size()), "--session",
                  fmt::format("a session is at least {} processes: --session FILE,FILE", kStoredProcessesMin));
  return {};
}

Status check_sides(const CompareRequest& request) {
  if (!request.sessions.empty())
    return fail(Errc::invalid, "sessions are for a stored baseline", "--session", "add --against stored");
  if (request.base.empty() || request.head.empty())
    return fail(Errc::invalid, "no file to compare", "compare", "give --base FILE… and --head FILE…");
  if (request.base.size() != request.head.size())
    return fail(Errc::invalid, fmt::format("{} files of base and {} of head", request.base.size(), request.head.size()),
                "compare", "one file is one process; give as many for base as for head, in the order they were run");
  return {};
}

Status check_request(const CompareRequest& request) {
  const Status files =
      request.policy.against == Against::stored ? check_sessions(request) : check_sides(request);
  if (!files) return files;
  const Policy& policy = request.policy;
  if (!(policy.tolerate >= 0 && policy.catch_limit > policy.tolerate && policy.catch_limit <= 1))
    return fail(Errc::invalid, fmt::format("tolerate {} and catch {} are no band", policy.tolerate, policy.catch_limit),
                "compare", "give fractions with 0 <= tolerate < catch <= 1, such as 0.01 and 0.03");
  if (request.drop_first < 0) return fail(Errc::invalid, "--drop-first is below 0", "compare");
  return {};
}

Result<std::string> read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return fail(Errc::invalid, "is a folder, not a file", path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::not_found, "cannot be opened", path.string());
  // Counted while it is read: a pipe has no size, and a device no end.
  std::string text;
  std::vector<char> block(1u << 20);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > limits::kCompareFileMax.value)
      return fail(Errc::too_large, fmt::format("is over {} bytes", limits::kCompareFileMax.value), path.string());
  }
  if (file.bad()) return fail(Errc::io, "cannot be read", path.string());
  return text;
}

Status drop(suite::SuiteResult& result, int count, const std::string& origin) {
  for (Series& series : result.series) {
    if (!series.error.empty()) continue;
    suite::drop_first(series, static_cast<std::size_t>(count));
    if (series.samples_ns.empty())
      return fail(Errc::invalid, fmt::format("{} has no repetition left after the first {}", series.benchmark, count),
                  origin, "lower --drop-first");
  }
  return {};
}

// One side's processes, and what its files say of benchmarks as a whole.
struct SideFiles {
  std::vector<Process> processes;
  std::vector<std::string> benchmarks;  // in the order of first mention
  std::vector<std::string> skipped;
};

void note(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Result<SideFiles> read_side(const CompareRequest& request, Side side,
                            const std::vector<std::filesystem::path>& paths) {
  SideFiles out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Result<std::string> text = read_text(paths[i]);
    if (!text) return pass_on(text);
    Result<suite::SuiteResult> result =
        suite::read_google_benchmark(*text, {.time = request.time, .from_stdout = true}, paths[i].string());
    if (!result) return pass_on(result);
    if (Status dropped = drop(*result, request.drop_first, paths[i].string()); !dropped) return pass_on(dropped);
    for (const suite::Skipped& skipped : result->skipped) note(out.skipped, skipped.benchmark);
    for (const Series& series : result->series)
      if (seen.insert(series.benchmark).second) out.benchmarks.push_back(series.benchmark);
    Process process;
    process.id = paths[i].string();
    process.side = side;
    process.pair = static_cast<int>(i);
    process.order = static_cast<int>(2 * i) + (side == Side::head ? 1 : 0);
    process.series = std::move(result->series);
    out.processes.push_back(std::move(process));
  }
  return out;
}

// One process counted as two is evidence that nobody has.
void note_repeated(const std::vector<std::filesystem::path>& paths, RunEvidence& run) {
  std::set<std::filesystem::path> seen;
  std::set<std::filesystem::path> told;
  for (const auto& path : paths) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_regular_file(real, error)) continue;
    if (!seen.insert(real).second && told.insert(real).second)
      run.notices.push_back(fmt::format(
          "{} is given more than once on a side: its copies are no evidence, the verdict claims too much",
          path.string()));
  }
}

void note_skipped(const SideFiles& side, std::string_view name, RunEvidence& run) {
  for (const std::string& benchmark : side.skipped)
    run.notices.push_back(fmt::format("the suite skips {} on {}", benchmark, name));
}

// Log process medians of each benchmark, session by session.
Result<std::vector<StoredSessions>> read_sessions(const CompareRequest& request) {
  std::map<std::string, StoredSessions> found;
  for (const auto& paths : request.sessions) {
    const Result<SideFiles> files = read_side(request, Side::base, paths);
    if (!files) return pass_on(files);
    for (const std::string& benchmark : files->benchmarks) {
      StoredSessions& entry = found[benchmark];
      entry.benchmark = benchmark;
      std::vector<double>& session = entry.sessions.emplace_back();
      for (const Process& process : files->processes)
        for (const Series& series : process.series)
          if (series.benchmark == benchmark && is_usable(series)) session.push_back(median_log(series.samples_ns));
    }
  }
  std::vector<StoredSessions> out;
  for (auto& [benchmark, entry] : found) out.push_back(std::move(entry));
  return out;
}

Result<RunDecision> compare_with_sessions(const CompareRequest& request) {
  Result<SideFiles> head = read_side(request, Side::head, request.head);
  if (!head) return pass_on(head);
  Result<std::vector<StoredSessions>> sessions = read_sessions(request);
  if (!sessions) return pass_on(sessions);
  RunEvidence run;
  note_repeated(request.head, run);
  std::vector<std::filesystem::path> stored;
  for (const auto& session : request.sessions) stored.insert(stored.end(), session.begin(), session.end());
  note_repeated(stored, run);
  note_skipped(*head, "head", run);
  SuiteEvidence& suite = run.suites.emplace_back();
  suite.recorded = true;
  suite.has_base = false;
  suite.stored = std::move(*sessions);
  suite.head_benchmarks = std::move(head->benchmarks);
  suite.processes = std::move(head->processes);
  for (Process& process : suite.processes) process.round = kScreenRound;
  return decide_run(run, request.policy, {});
}

}  // namespace

Result<RunDecision> compare_files(const CompareRequest& request) {
  if (Status ok = check_request(request); !ok) return pass_on(ok);
  if (request.policy.against == Against::stored) return compare_with_sessions(request);
  Result<SideFiles> base = read_side(request, Side::base, request.base);
  if (!base) return pass_on(base);
  Result<SideFiles> head = read_side(request, Side::head, request.head);
  if (!head) return pass_on(head);
  const bool common = std::any_of(head->benchmarks.begin(), head->benchmarks.end(), [&](const std::string& name) {
    return std::find(base->benchmarks.begin(), base->benchmarks.end(), name) != base->benchmarks.end();
  });
  if (!common)
    return fail(Errc::invalid, "base and head have no benchmark in common", "compare", "compare results of one suite");
  RunEvidence run;
  note_repeated(request.base, run);
  note_repeated(request.head, run);
  note_skipped(*base, "base", run);
  note_skipped(*head, "head", run);
  SuiteEvidence& suite = run.suites.emplace_back();
  suite.recorded = true;
  suite.base_benchmarks = std::move(base->benchmarks);
  suite.head_benchmarks = std::move(head->benchmarks);
  suite.processes = std::move(base->processes);
  std::move(head->processes.begin(), head->processes.end(), std::back_inserter(suite.processes));
  RunDecision decision = decide_run(run, request.policy, {});
  const int given = static_cast<int>(request.base.size());
  const std::string live = live_text(live_stop(decision, request.policy, given));
  if (given > 1 && !live.empty()) decision.notices.push_back(live);
  return decision;
}

Result<Policy> policy_of_manifest(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(Errc::not_found, "no such file", file.string(), "give a kernelgate.toml");
  std::string text(limits::kManifestMax.value + 1, '\0');  // one byte too many is refused by the parser
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  auto manifest = parse_manifest(text, file.string());
  if (!manifest) return pass_on(manifest);
  return std::move(manifest->policy);
}

}  // namespace kernelgate::local
