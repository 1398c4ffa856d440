// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "core/stats/summary.hpp"
#include "core/units/digest.hpp"
#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "core/units/time.hpp"
#include "core/wire/baseline_file.hpp"
#include "core/wire/codec.hpp"
#include "db/accounts/audit.hpp"
#include "db/baselines/baseline_rows.hpp"
#include "db/baselines/sessions.hpp"
#include "db/repositories/testbeds.hpp"
#include "db/runs/processes.hpp"
#include "db/runs/runs.hpp"
#include "service/baselines/baseline_file.hpp"

namespace kernelgate::service {
namespace {

tl::unexpected<Error> refuse(int line, const std::string& what, const std::string& member = {}) {
  return fail(Errc::invalid, what, "line " + std::to_string(line) + (member.empty() ? "" : ", " + member),
              "docs/BASELINES.md says what a line holds; nothing was imported");
}

// 2026-11-21T10:41:06.123Z, spelled as an export spells it.
std::optional<Instant> parse_instant(const std::string& text) {
  const auto at = parse_iso8601(text);
  return at && to_iso8601(*at) == text ? at : std::nullopt;
}

struct ImportedSession {
  Instant at{};
  bool promoted = false;
  std::vector<Process> processes;                   // by suite and pair
  std::map<std::string, std::vector<int>> samples;  // of each series, by process id
};
struct Whole {
  wire::BaselineLine first;  // its facts; not its benchmark
  int line = 0;
  Instant promoted_at{};
  std::map<std::int64_t, ImportedSession> sessions;  // by the run's number where they come from
  std::map<std::pair<std::string, std::string>, std::vector<double>> medians;  // of the promoted run
};

bool one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; });
}

Status check(const wire::BaselineLine& line, int number) {
  const std::pair<const char*, const std::string*> names[] = {{"/name", &line.name},
                                                              {"/suite", &line.suite},
                                                              {"/benchmark", &line.benchmark},
                                                              {"/testbed/name", &line.testbed.name}};
  for (const auto& [member, name] : names)
    if (!one_line(*name)) return refuse(number, "a name is one line of text", member);
  if (!CommitHash::parse(line.commit)) return refuse(number, "not a commit: a full hash is meant", "/commit");
  if (!std::isfinite(line.median_ns) || line.median_ns <= 0)
    return refuse(number, "a time is not above zero", "/median_ns");
  if (!std::isfinite(line.spread) || line.spread < 0) return refuse(number, "a spread is not below zero", "/spread");
  if (!parse_instant(line.promoted_at))
    return refuse(number, "not a time such as 2026-11-21T10:41:06.123Z", "/promoted_at");
  if (line.testbed.name.empty()) return refuse(number, "a testbed needs a name", "/testbed/name");
  for (const wire::BaselineSession& session : line.sessions) {
    if (!parse_instant(session.measured_at))
      return refuse(number, "not a time such as 2026-11-21T10:41:06.123Z", "/sessions/measured_at");
    for (const wire::BaselineProcess& process : session.processes) {
      for (const double ns : process.quantiles_ns)
        if (!std::isfinite(ns) || ns <= 0)
          return refuse(number, "a time is not above zero", "/sessions/processes/quantiles_ns");
      if (process.quantiles_ns.size() < static_cast<std::size_t>(process.samples) &&
          !std::is_sorted(process.quantiles_ns.begin(), process.quantiles_ns.end()))
        return refuse(number, "quantiles do not fall", "/sessions/processes/quantiles_ns");
    }
  }
  return {};
}

bool same_facts(const wire::BaselineLine& a, const wire::BaselineLine& b) {
  return a.actor == b.actor && a.reason == b.reason && a.promoted_at == b.promoted_at && a.anchor == b.anchor;
}

// Adds a benchmark's series to the session's processes.
Status add_series(const wire::BaselineLine& line, const wire::BaselineSession& given, int number,
                  ImportedSession& session, std::vector<double>& medians) {
  int pair = 0;
  for (const wire::BaselineProcess& one : given.processes) {
    auto process = std::find_if(session.processes.begin(), session.processes.end(),
                                [&](const Process& known) { return known.id == one.id; });
    if (process == session.processes.end()) {
      Process made;
      made.id = one.id;
      made.suite = line.suite;
      made.side = Side::head;
      made.pair = pair;
      made.order = static_cast<int>(session.processes.size());
      made.started_at_ms = to_millis(session.at);
      made.state_json = "{}";
      process = session.processes.insert(session.processes.end(), std::move(made));
    }
    if (process->suite != line.suite) return refuse(number, "process '" + one.id + "' is one of another suite");
    for (const Series& known : process->series)
      if (known.benchmark == line.benchmark)
        return refuse(number, "process '" + one.id + "' has two series of this benchmark");
    process->series.push_back(
        {.benchmark = line.benchmark, .samples_ns = one.quantiles_ns, .error = {}, .counters = {}});
    session.samples[one.id].push_back(one.samples);
    if (given.promoted) medians.push_back(stats::median(one.quantiles_ns).value());
    ++pair;
  }
  return {};
}

using Wholes = std::map<std::string, Whole>;  // by name, commit and testbed

Status add_line(const wire::BaselineLine& line, int number, Wholes& wholes) {
  if (Status good = check(line, number); !good) return good;
  const std::string key = Sha256().field(line.name).field(line.commit).field(db::facts_hash(line.testbed)).hex();
  Whole& whole = wholes[key];
  if (whole.line == 0) {
    whole.first = line;
    whole.line = number;
    whole.promoted_at = *parse_instant(line.promoted_at);
  } else if (!same_facts(whole.first, line)) {
    return refuse(number, "says otherwise than line " + std::to_string(whole.line) + " about the same baseline");
  }
  const auto known = whole.medians.try_emplace({line.suite, line.benchmark});
  if (!known.second) return refuse(number, "is a second line of the same benchmark");
  for (const wire::BaselineSession& given : line.sessions) {
    const Instant at = *parse_instant(given.measured_at);
    ImportedSession& session =
        whole.sessions.try_emplace(given.run, ImportedSession{at, given.promoted, {}, {}}).first->second;
    if (session.at != at || session.promoted != given.promoted)
      return refuse(number, "says otherwise than an earlier line about run " + std::to_string(given.run), "/sessions");
    if (Status added = add_series(line, given, number, session, known.first->second); !added) return added;
  }
  return {};
}

Result<Wholes> read_lines(std::string_view text) {
  if (text.size() > limits::kImportMax.value)
    return fail(Errc::too_large, "the file is over " + std::to_string(limits::kImportMax.value) + " bytes", {},
                "export one baseline at a time, by its name");
  Wholes out;
  std::optional<std::int64_t> promised;
  int number = 1;
  for (; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (line.size() > limits::kImportLineMax) return refuse(number, "is over a megabyte");
    if (number == 1) {
      const auto head = wire::decode<wire::BaselineFileHead>(line);
      if (!head) return refuse(number, head.error().what, head.error().where);
      if (head->format != wire::kBaselineFileFormat || head->version != wire::kBaselineFileVersion)
        return refuse(number, "is no " + std::string(wire::kBaselineFileFormat) + " of version 1", "/format");
      promised = head->benchmarks;
      continue;
    }
    const auto decoded = wire::decode<wire::BaselineLine>(line);
    if (!decoded) return refuse(number, decoded.error().what, decoded.error().where);
    if (const Status added = add_line(*decoded, number, out); !added) return pass_on(added);
  }
  if (out.empty()) return refuse(2, "holds no baseline");
  if (const int held = number - 2; promised && *promised != held)
    return refuse(1, "says that " + std::to_string(*promised) + " lines follow, and " + std::to_string(held) + " do",
                  "/benchmarks");
  for (const auto& [key, whole] : out)
    if (std::count_if(whole.sessions.begin(), whole.sessions.end(),
                      [](const auto& one) { return one.second.promoted; }) != 1)
      return refuse(whole.line, "one of a baseline's sessions must be the promoted run, and no more", "/sessions");
  return out;
}

// The epoch of these facts; a testbed that is not known here begins one.
Result<EpochId> epoch_of(db::Connection& connection, const Whole& whole, const std::string& name) {
  wire::TestbedFacts facts = whole.first.testbed;
  if (!name.empty()) facts.name = name;
  if (const auto known = db::find_epoch(connection, facts)) return *known;
  if (db::knows_testbed(connection, facts.name))
    return fail(Errc::conflict, "testbed '" + facts.name + "' is known here, and never had these facts",
                "line " + std::to_string(whole.line) + ", /testbed",
                "import it under another name with --testbed; nothing was imported");
  return db::enter_epoch(connection, facts, whole.sessions.begin()->second.at);
}

tl::unexpected<Error> contradicts(const Whole& whole, const std::string& what) {
  return fail(Errc::conflict, what, "line " + std::to_string(whole.line),
              "the file and this store disagree; nothing was imported");
}

db::StoredTimes times_of(const Process& process, const std::vector<int>& samples) {
  db::StoredTimes out;
  for (std::size_t i = 0; i < process.series.size(); ++i)
    out[process.series[i].benchmark] = {stats::median(process.series[i].samples_ns).value(), samples[i]};
  return out;
}

// The run that has these processes already. A finished run never changes, so it has all of them, with the same times.
Result<std::optional<RunId>> run_of(db::Connection& connection, const BaselineImport& wanted, const Whole& whole,
                                    const ImportedSession& session, EpochId epoch) {
  std::optional<RunId> run;
  std::size_t known = 0;
  for (const Process& process : session.processes) {
    const std::string name = "process '" + process.id + "'";
    const auto origin = db::find_process(connection, process.id);
    if (!origin) continue;
    if (origin->repository != wanted.repository || origin->commit != whole.first.commit || origin->epoch != epoch ||
        origin->suite != process.suite || (run && *run != origin->run))
      return contradicts(whole, name + " is known here as one of another repository, commit, epoch, suite or run");
    if (db::stored_times(connection, origin->row) != times_of(process, session.samples.at(process.id)))
      return contradicts(whole, name + " is known here with other times");
    run = origin->run;
    ++known;
  }
  if (known > 0 && known < session.processes.size())
    return contradicts(whole, "run " + std::to_string(run->value) + " is known here without some of its processes");
  return run;
}

Result<RunId> add_session(db::Connection& connection, const BaselineImport& wanted, const Whole& whole,
                          const ImportedSession& session, EpochId epoch, Instant now) {
  db::NewRun run{.repository = wanted.repository, .commit = whole.first.commit};
  run.base = {.kind = wire::BaseKind::none, .argument = std::to_string(session.processes.size())};
  run.source = session.promoted ? "import" : std::string(db::kSessionSource);
  run.idempotency_key = "import:" + session.processes.front().id;
  run.queued = false;
  const auto added = db::add_run(connection, run, session.at);
  if (!added) return pass_on(added);
  if (const Status set = db::set_epoch(connection, added->id, epoch, "import"); !set) return pass_on(set);
  const auto stored = db::put_processes(connection, added->id, session.processes, session.at);
  if (!stored) return pass_on(stored);
  for (const auto& [process, samples] : session.samples) db::set_sample_counts(connection, process, samples);
  db::end_imported(connection, added->id, "imported by " + wanted.actor + " with baseline " + whole.first.name,
                   session.at, now);
  return added->id;
}

// true: it is new here. An older promotion than the present one of that name comes in as replaced.
Result<bool> add_baseline(db::Connection& connection, const BaselineImport& wanted, const Whole& whole, RunId run,
                          EpochId epoch, Instant now) {
  db::Baseline one;
  one.repository = wanted.repository;
  one.run = run;
  one.epoch = epoch;
  one.name = whole.first.name;
  one.actor = whole.first.actor;
  one.reason = whole.first.reason;
  one.promoted_at = whole.promoted_at;
  one.anchor = whole.first.anchor;
  if (const auto same = db::find_promotion(connection, one)) {
    if (same->actor == one.actor && same->reason == one.reason && same->anchor == one.anchor) return false;
    return contradicts(whole, "baseline '" + one.name + "' is known here by another person, reason or anchor");
  }
  const auto present = db::find_baseline(connection, wanted.repository, one.name, epoch);
  if (present && present->promoted_at >= one.promoted_at) one.replaced_at = now;
  for (const auto& [key, medians] : whole.medians)
    if (!medians.empty())
      one.benchmarks.push_back({.suite = key.first,
                                .benchmark = key.second,
                                .median_ns = stats::median(medians).value(),
                                .processes = static_cast<int>(medians.size())});
  db::add_baseline(connection, one, now);
  return true;
}

}  // namespace

Result<wire::ImportReply> import_baselines(db::Connection& connection, const BaselineImport& wanted,
                                           std::string_view text, Instant now) {
  const auto wholes = read_lines(text);
  if (!wholes) return pass_on(wholes);
  wire::ImportReply out;
  for (const auto& [key, whole] : *wholes) {
    const auto epoch = epoch_of(connection, whole, wanted.testbed);
    if (!epoch) return pass_on(epoch);
    std::optional<RunId> promoted;
    for (const auto& [number, session] : whole.sessions) {
      auto known = run_of(connection, wanted, whole, session, *epoch);
      if (!known) return pass_on(known);
      std::optional<RunId> run = *known;
      if (!run) {
        const auto added = add_session(connection, wanted, whole, session, *epoch, now);
        if (!added) return pass_on(added);
        run = *added;
        ++out.runs;
      }
      if (session.promoted) promoted = run;
    }
    const auto is_new = add_baseline(connection, wanted, whole, *promoted, *epoch, now);
    if (!is_new) return pass_on(is_new);
    ++(*is_new ? out.baselines : out.known);
    if (*is_new)
      db::log_action(connection,
                     {.actor = wanted.actor,
                      .action = "baseline.import",
                      .subject = "run " + std::to_string(promoted->value),
                      .detail = whole.first.name + " at " + whole.first.commit},
                     now);
  }
  return out;
}

}  // namespace kernelgate::service
