// SPDX-License-Identifier: Apache-2.0
#include "commands/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "commands/compare/recorded_order.hpp"
#include "commands/compare/side_files.hpp"
#include "core/decision/decide.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/decision/rule/figures.hpp"
#include "core/decision/rule/live_stop.hpp"
#include "core/decision/rule/stored.hpp"
#include "core/decision/rule/stored_screen.hpp"
#include "core/manifest/manifest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::local {
namespace {

// Fewer can never judge, whatever is in them.
Status check_counts(const CompareRequest& request) {
  std::size_t stored = 0;
  for (const auto& session : request.sessions) stored += session.size();
  const std::size_t head = request.head.size(), sessions = request.sessions.size();
  const auto too_few = [](std::size_t given, const char* what, int needed, const char* where, const char* fix) {
    return fail(Errc::invalid, fmt::format("{}: {} given, {} needed", what, given, needed), where, fix);
  };
  if (request.policy.rule == Rule::mwu_cliff) {
    constexpr const char* kFix = "rule mwu_cliff judges from 4 processes a side on: give more files";
    if (stored < static_cast<std::size_t>(kRankFiguresFrom))
      return too_few(stored, "stored processes", kRankFiguresFrom, "--session", kFix);
    if (head < static_cast<std::size_t>(kRankFiguresFrom))
      return too_few(head, "files", kRankFiguresFrom, "--head", kFix);
    return {};
  }
  if (sessions < static_cast<std::size_t>(kStoredSessionsMin))
    return too_few(sessions, "stored sessions", kStoredSessionsMin, "--session",
                   "give --session FILE,FILE once for each; or --rule mwu_cliff, which takes 4 processes a side; or "
                   "--base in place of sessions");
  if (head < static_cast<std::size_t>(kStoredProcessesMin))
    return too_few(head, "files", kStoredProcessesMin, "--head",
                   "one file is one process: give as many as a session has");
  return {};
}

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
  return check_counts(request);
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
  const Status files = request.policy.against == Against::stored ? check_sessions(request) : check_sides(request);
  if (!files) return files;
  if (const Status band = check_band(request.policy, "compare"); !band) return band;
  if (request.drop_first < 0) return fail(Errc::invalid, "--drop-first is below 0", "compare");
  return {};
}

void note_skipped(const SideFiles& side, std::string_view name, RunEvidence& run) {
  for (const std::string& benchmark : side.skipped)
    run.notices.push_back(fmt::format("the suite skips {} on {}", benchmark, name));
}

// Log process medians of each benchmark, session by session; says what does not count.
Result<std::vector<StoredSessions>> read_sessions(const CompareRequest& request, OneFormat& formats,
                                                  std::vector<std::string>& notices) {
  std::vector<Process> all;
  std::map<std::string, StoredSessions> found;
  for (const auto& paths : request.sessions) {
    Result<SideFiles> files = read_side(request, Side::base, paths, formats);
    if (!files) return pass_on(files);
    for (const std::string& benchmark : files->benchmarks) {
      StoredSessions& entry = found[benchmark];
      entry.benchmark = benchmark;
      std::vector<double>& session = entry.sessions.emplace_back();
      for (const Process& process : files->processes)
        for (const Series& series : process.series)
          if (series.benchmark == benchmark && is_usable(series)) session.push_back(median_log(series.samples_ns));
    }
    std::move(files->processes.begin(), files->processes.end(), std::back_inserter(all));
  }
  note_unused(all, notices);
  std::vector<StoredSessions> out;
  for (auto& [benchmark, entry] : found) out.push_back(std::move(entry));
  return out;
}

tl::unexpected<Error> nothing_in_common(const std::string& who) {
  return fail(Errc::invalid, who + " have no benchmark in common", "compare", "compare results of one suite");
}

// Where no benchmark can be judged there is nothing wrong with a machine: the files are the caller's.
Result<RunDecision> judge(const RunEvidence& run, const Policy& policy) {
  RunDecision decision = decide_run(run, policy, {});
  if (decision.conclusion != Conclusion::infrastructure) return decision;
  const auto open = std::find_if(decision.comparisons.begin(), decision.comparisons.end(),
                                 [](const Comparison& one) { return one.verdict == Verdict::undecided; });
  const std::string why = open == decision.comparisons.end() ? decision.reason : open->benchmark + ": " + open->reason;
  return fail(Errc::invalid, "no benchmark can be compared: " + why, "compare",
              "give results in which a benchmark has positive times on both sides");
}

Result<RunDecision> compare_with_sessions(const CompareRequest& request) {
  OneFormat formats;
  Result<SideFiles> head = read_side(request, Side::head, request.head, formats);
  if (!head) return pass_on(head);
  RunEvidence run;
  Result<std::vector<StoredSessions>> sessions = read_sessions(request, formats, run.notices);
  if (!sessions) return pass_on(sessions);
  const bool common = std::any_of(sessions->begin(), sessions->end(), [&](const StoredSessions& entry) {
    return std::find(head->benchmarks.begin(), head->benchmarks.end(), entry.benchmark) != head->benchmarks.end();
  });
  if (!common) return nothing_in_common("head and the stored sessions");
  note_repeated(request.head, run.notices);
  std::vector<std::filesystem::path> stored;
  for (const auto& session : request.sessions) stored.insert(stored.end(), session.begin(), session.end());
  note_repeated(stored, run.notices);
  note_unused(head->processes, run.notices);
  note_skipped(*head, "head", run);
  SuiteEvidence& suite = run.suites.emplace_back();
  suite.recorded = true;
  suite.has_base = false;
  suite.stored = std::move(*sessions);
  suite.head_benchmarks = std::move(head->benchmarks);
  suite.processes = std::move(head->processes);
  for (Process& process : suite.processes) process.round = kScreenRound;
  return judge(run, request.policy);
}

}  // namespace

Result<RunDecision> compare_files(const CompareRequest& request) {
  if (Status ok = check_request(request); !ok) return pass_on(ok);
  if (request.policy.against == Against::stored) return compare_with_sessions(request);
  OneFormat formats;
  Result<SideFiles> base = read_side(request, Side::base, request.base, formats);
  if (!base) return pass_on(base);
  Result<SideFiles> head = read_side(request, Side::head, request.head, formats);
  if (!head) return pass_on(head);
  const bool common = std::any_of(head->benchmarks.begin(), head->benchmarks.end(), [&](const std::string& name) {
    return std::find(base->benchmarks.begin(), base->benchmarks.end(), name) != base->benchmarks.end();
  });
  if (!common) return nothing_in_common("base and head");
  RunEvidence run;
  note_repeated(request.base, run.notices);
  note_repeated(request.head, run.notices);
  note_unused(base->processes, run.notices);
  note_unused(head->processes, run.notices);
  note_skipped(*base, "base", run);
  note_skipped(*head, "head", run);
  SuiteEvidence& suite = run.suites.emplace_back();
  suite.recorded = true;
  const std::string unproven = why_unproven(base->processes, head->processes);
  if (!unproven.empty()) run.notices.push_back(unproven);
  if (!request.blocks_prove) suite.unproven = unproven;
  suite.base_benchmarks = std::move(base->benchmarks);
  suite.head_benchmarks = std::move(head->benchmarks);
  suite.processes = std::move(base->processes);
  std::move(head->processes.begin(), head->processes.end(), std::back_inserter(suite.processes));
  Result<RunDecision> decision = judge(run, request.policy);
  if (!decision) return decision;
  const int given = static_cast<int>(request.base.size());
  const std::string live = live_text(live_stop(*decision, request.policy, given));
  if (given > 1 && !live.empty()) decision->notices.push_back(live);
  return decision;
}

Result<Policy> policy_of_manifest(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return fail(Errc::invalid, "is a folder, not a file", file.string(), "give a kernelgate.toml");
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
