// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/pytest_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "runner/suite/bare_words.hpp"
#include "runner/suite/limit_checks.hpp"

namespace kernelgate::suite {
namespace {

using nlohmann::json;

// The rounds' times; an error of the benchmark alone where one is no time.
void take_rounds(const json& data, Series& series) {
  for (const json& seconds : data) {
    const double ns = seconds.is_number() ? seconds.get<double>() * 1e9 : std::nan("");
    if (const std::string wrong = wrong_time(ns); !wrong.empty()) {
      series.error = "the time of a round " + wrong;
      series.samples_ns.clear();
      return;
    }
    series.samples_ns.push_back(ns);
  }
}

Status take(const json& row, const std::string& origin, SuiteResult& out, std::unordered_set<std::string>& seen) {
  Series series;
  if (const json& name = member(row, "fullname"); name.is_string()) series.benchmark = name.get<std::string>();
  if (Status named = check_name(series.benchmark, origin); !named) return named;
  if (Status room = check_room(out.series.size(), origin); !room) return room;
  const json& stats = member(row, "stats");
  const json& data = member(stats, "data");
  if (!seen.insert(series.benchmark).second) {
    series.error = "the suite has two benchmarks of this name";
  } else if (!data.is_array() || data.empty()) {
    series.error = "the suite gives only statistics of this benchmark: the rounds' times are needed";
  } else {
    if (Status few = check_samples(data.size(), series.benchmark, origin); !few) return few;
    take_rounds(data, series);
  }
  const json& extra = member(row, "extra_info");
  if (extra.is_object())
    for (const auto& [key, value] : extra.items())
      if (value.is_number() && std::isfinite(value.get<double>())) series.counters[key] = value.get<double>();
  const json& iterations = member(stats, "iterations");
  const double per_round = iterations.is_number() ? iterations.get<double>() : 1;
  Repetition repetition;
  repetition.repetitions = static_cast<int>(series.samples_ns.size());
  repetition.iterations = per_round * repetition.repetitions;
  for (const double ns : series.samples_ns)
    repetition.longest_ms = std::max(repetition.longest_ms, ns * per_round / 1e6);
  out.series.push_back(std::move(series));
  out.repetition.push_back(repetition);
  return {};
}

}  // namespace

Result<SuiteResult> read_pytest_benchmark(std::string_view text, const ReadOptions& options,
                                          const std::string& origin) {
  if (options.time == TimeSource::cpu)
    return fail(Errc::invalid, "pytest-benchmark keeps the time of one timer only", origin,
                "choose it with --benchmark-timer in the run line");
  if (text.find_first_not_of(" \t\r\n") == text.npos) {
    if (options.partial) return SuiteResult{};
    return fail(Errc::corrupt, "the result is empty", origin);
  }
  if (Status small = check_json(text, origin); !small) return pass_on(small);
  const auto cleaned = without_bare_words(text);
  const json document = json::parse(cleaned ? std::string_view(*cleaned) : text, nullptr, false);
  if (document.is_discarded())
    return fail(Errc::corrupt, fmt::format("not JSON, or half of it ({} bytes)", text.size()), origin);
  const json& rows = member(document, "benchmarks");
  if (!rows.is_array()) return fail(Errc::invalid, "no \"benchmarks\" list: not a result of pytest-benchmark", origin);
  SuiteResult out;
  std::unordered_set<std::string> seen;
  bool has_rounds = false;
  for (const json& row : rows) {
    if (Status taken = take(row, origin, out, seen); !taken) return pass_on(taken);
    has_rounds = has_rounds || member(member(row, "stats"), "data").is_array();
  }
  if (out.series.empty() && !options.partial) return fail(Errc::invalid, "the result holds no benchmark", origin);
  if (!out.series.empty() && !has_rounds)
    return fail(Errc::invalid, "the result holds statistics only: the rounds' times are needed", origin,
                "write it with --benchmark-json, or add --benchmark-save-data");
  return out;
}

Result<std::vector<std::string>> read_pytest_list(std::string_view stdout_text, const std::string& origin) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  while (!stdout_text.empty()) {
    const std::size_t end = stdout_text.find('\n');
    std::string line(stdout_text.substr(0, end));
    stdout_text.remove_prefix(end == stdout_text.npos ? stdout_text.size() : end + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() && !names.empty()) break;  // a summary and warnings follow
    if (line.find("::") == line.npos || !seen.insert(line).second) continue;
    if (Status named = check_name(line, origin); !named) return pass_on(named);
    if (Status room = check_room(names.size(), origin); !room) return pass_on(room);
    names.push_back(std::move(line));
  }
  if (names.empty())
    return fail(Errc::invalid, "pytest listed no test", origin,
                "leave -q and -v out of the run line, and start pytest in the folder of its tests");
  return names;
}

}  // namespace kernelgate::suite
