// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/wire/codec.hpp"
#include "runner/suite/bare_words.hpp"
#include "runner/suite/limit_checks.hpp"

namespace kernelgate::suite {
namespace {

using nlohmann::json;

constexpr std::string_view kBlanks = " \t\r";

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

// Each line of ours, parsed; what a program that died left of its last one is dropped.
Status walk_lines(std::string_view text, bool partial, const std::string& origin,
                  const std::function<Status(const json&, const std::string& where)>& take) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (!is_samples_line(line)) continue;
    const std::string where = fmt::format("{}:{}", origin, number);
    if (line.size() > limits::kSampleLineMax)
      return fail(Errc::too_large, fmt::format("a line of over {} MiB", limits::kSampleLineMax >> 20), where);
    if (wire::nests_too_deep(line)) return fail(Errc::corrupt, "its JSON nests too deep for a result", where);
    const auto cleaned = without_bare_words(line);
    const json row = json::parse(cleaned ? std::string_view(*cleaned) : line, nullptr, false);
    if (row.is_discarded()) {
      if (partial && text.empty()) return {};
      return fail(Errc::corrupt, fmt::format("not JSON, or half of it ({} bytes)", line.size()), where,
                  "print each benchmark on one line, and nothing else on it");
    }
    if (auto taken = take(row, where); !taken) return taken;
  }
  return {};
}

// Why the benchmark failed by its own words; empty: it did not.
std::string failure_of(const json& row) {
  if (const json& error = member(row, "error"); !error.is_null()) {
    const std::string text = text_of(error);
    return text.empty() ? "the suite says that it failed" : text;
  }
  const json& check = member(row, "check");
  const json& passed = check.is_object() ? member(check, "passed") : check;
  if (check.is_null() || passed == json(true)) return {};
  if (!passed.is_boolean()) return "its \"check\" says neither true nor false";
  const std::string text = text_of(member(check, "text"));
  return "its check failed" + (text.empty() ? "" : ": " + text);
}

void take_times(const json& times, Series& series) {
  if (!times.is_array() || times.empty()) {
    series.error = "its \"samples_ns\" is no list of times";
    return;
  }
  for (const json& time : times) {
    const double ns = time.is_number() ? time.get<double>() : std::nan("");
    if (const std::string wrong = wrong_time(ns); !wrong.empty()) {
      series.error = "the time of a sample " + wrong;
      series.samples_ns.clear();
      return;
    }
    series.samples_ns.push_back(ns);
  }
}

void take_rest(const json& row, Series& series) {
  const json& counters = member(row, "counters");
  if (counters.is_object())
    for (const auto& [name, value] : counters.items())
      if (series.counters.size() < limits::kCountersMax && value.is_number() && std::isfinite(value.get<double>()))
        series.counters[name.substr(0, limits::kManifestNameMax)] = value.get<double>();
  const std::string configuration = text_of(member(row, "configuration"));
  const auto prints = [](char c) { return c > ' ' && c != 0x7f; };
  if (configuration.size() <= limits::kConfigurationMax &&
      std::all_of(configuration.begin(), configuration.end(), prints))
    series.configuration = configuration;
}

Status take_benchmark(const json& row, const std::string& where, SuiteResult& out,
                      std::unordered_set<std::string>& seen) {
  Series series;
  series.benchmark = text_of(member(row, "benchmark"));
  if (Status named = check_name(series.benchmark, where); !named) return named;
  if (Status room = check_room(out.series.size() + out.skipped.size(), where); !room) return room;
  const bool first = seen.insert(series.benchmark).second;
  if (const json& skipped = member(row, "skipped"); first && !skipped.is_null()) {
    out.skipped.push_back({series.benchmark, text_of(skipped)});
    return {};
  }
  const json& times = member(row, "samples_ns");
  if (Status few = check_samples(times.is_array() ? times.size() : 0, series.benchmark, where); !few) return few;
  series.error = first ? failure_of(row) : "the suite has two benchmarks of this name";
  if (series.error.empty()) take_times(times, series);
  take_rest(row, series);
  const json& calls = member(row, "calls");
  const double each = calls.is_number() && calls.get<double>() >= 1 ? calls.get<double>() : 1;
  Repetition repetition;
  repetition.repetitions = static_cast<int>(series.samples_ns.size());
  for (const double ns : series.samples_ns) repetition.longest_ms = std::max(repetition.longest_ms, ns * each / 1e6);
  out.series.push_back(std::move(series));
  out.repetition.push_back(repetition);
  return {};
}

}  // namespace

bool is_samples_line(std::string_view line) {
  const auto skip = [&line](char wanted) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (!line.starts_with(wanted)) return false;
    line.remove_prefix(1);
    return true;
  };
  if (!skip('{') || !skip('"')) return false;
  constexpr std::string_view kName = "benchmark\"";
  if (!line.starts_with(kName)) return false;
  line.remove_prefix(kName.size());
  return skip(':');
}

Result<SuiteResult> read_samples(std::string_view text, const ReadOptions& options, const std::string& origin) {
  SuiteResult out;
  std::unordered_set<std::string> seen;
  const auto walked = walk_lines(text, options.partial, origin, [&](const json& row, const std::string& where) {
    return take_benchmark(row, where, out, seen);
  });
  if (!walked) return pass_on(walked);
  if (seen.empty() && !options.partial)
    return fail(Errc::invalid, "no line {\"benchmark\": …} on standard output", origin, "see docs/FORMATS.md");
  return out;
}

Result<std::vector<std::string>> read_samples_list(std::string_view text, const std::string& origin) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  const auto walked = walk_lines(text, false, origin, [&](const json& row, const std::string& where) -> Status {
    std::string name = text_of(member(row, "benchmark"));
    if (Status named = check_name(name, where); !named) return named;
    if (Status room = check_room(names.size(), where); !room) return room;
    if (seen.insert(name).second) names.push_back(std::move(name));
    return {};
  });
  if (!walked) return pass_on(walked);
  if (names.empty())
    return fail(Errc::invalid, "--list printed no line {\"benchmark\": \"NAME\"}", origin, "see docs/FORMATS.md");
  return names;
}

std::vector<std::string> samples_words(const StartFlags& start) {
  std::vector<std::string> words{fmt::format("--repetitions={}", start.repetitions)};
  if (start.min_time != MinTime::absent) words.push_back(fmt::format("--sample-ms={:.6g}", start.sample_ms));
  if (!start.benchmarks.empty()) words.push_back("--filter=" + exact_filter(start.benchmarks));
  return words;
}

std::vector<std::string> samples_list_words(MinTime spelling, double sample_ms) {
  std::vector<std::string> words{"--list"};
  if (spelling != MinTime::absent) words.push_back(fmt::format("--sample-ms={:.6g}", sample_ms));
  return words;
}

}  // namespace kernelgate::suite
