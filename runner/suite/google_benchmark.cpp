// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/google_benchmark.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/units/limits.hpp"
#include "runner/suite/json_rows.hpp"
#include "runner/suite/limit_checks.hpp"

namespace kernelgate::suite {
namespace {

struct Sample {
  double index = 0;
  double time_ns = 0;
};

struct Collected {
  Series series;
  Repetition repetition;
  std::vector<Sample> samples;
  std::unordered_set<double> indices;
  bool has_iterations = false;
  double family = -1;
};

// Members of a row that the library writes itself: every other number is a user counter.
bool is_library_member(const std::string& key) {
  static constexpr std::array<std::string_view, 12> kKeys{"family_index",
                                                          "per_family_instance_index",
                                                          "repetitions",
                                                          "repetition_index",
                                                          "threads",
                                                          "iterations",
                                                          "real_time",
                                                          "cpu_time",
                                                          "allocs_per_iter",
                                                          "max_bytes_used",
                                                          "total_allocated_bytes",
                                                          "net_heap_growth"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::string text_of(const JsonRow& row, const std::string& key) {
  const auto found = row.texts.find(key);
  return found == row.texts.end() ? std::string() : found->second;
}

double number_of(const JsonRow& row, const std::string& key, double otherwise) {
  const auto found = row.numbers.find(key);
  return found == row.numbers.end() ? otherwise : found->second;
}

// A count that no suite may have is as good as none.
int count_of(const JsonRow& row, const std::string& key) {
  const double value = number_of(row, key, 1);
  return value >= 1 && value <= limits::kSamplesPerSeriesMax ? static_cast<int>(value) : 1;
}

bool flag_of(const JsonRow& row, const std::string& key) {
  const auto found = row.flags.find(key);
  return found != row.flags.end() && found->second;
}

// Nanoseconds per unit; 0 for a unit that no version writes.
double unit_ns(const std::string& unit) {
  if (unit.empty() || unit == "ns") return 1;
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  return 0;
}

// The word of a label that names what the program chose; a configuration of another shape is no configuration.
std::string configuration_of(const std::string& label) {
  constexpr std::string_view kWord = "configuration=";
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t end = std::min(label.find(' ', at), label.size());
    const std::string word = label.substr(at, end - at);
    at = end + 1;
    if (!word.starts_with(kWord)) continue;
    std::string value = word.substr(kWord.size());
    const bool plain = std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 127 && c != '='; });
    return plain && value.size() <= limits::kConfigurationMax ? value : std::string();
  }
  return {};
}

class Collector {
 public:
  Collector(const ReadOptions& options, const std::string& origin) : options_(options), origin_(origin) {}

  Status take(const JsonRow& row) {
    std::string name = text_of(row, "run_name");
    if (name.empty()) name = text_of(row, "name");
    if (Status named = check_name(name, origin_); !named) return named;
    if (text_of(row, "run_type") == "aggregate") return take_aggregate(row, name);
    if (flag_of(row, "skipped") && !flag_of(row, "error_occurred")) return take_skipped(row, name);
    auto entry = find_or_add(name);
    if (!entry) return pass_on(entry);
    return take_repetition(row, **entry);
  }

  Result<SuiteResult> finish() {
    if (options_.partial) {
      std::erase_if(entries_, [](const Collected& entry) { return !is_complete(entry); });
      for (auto& entry : entries_) close(entry);
      return std::move(result_);
    }
    if (entries_.empty() && result_.skipped.empty())
      return fail(Errc::invalid, "the result holds no benchmark", origin_);
    const bool aggregates_only = !entries_.empty() && std::none_of(entries_.begin(), entries_.end(),
                                                                   [](const auto& e) { return e.has_iterations; });
    if (aggregates_only)
      return fail(Errc::invalid, "the suite prints aggregates only: single repetitions are needed", origin_,
                  "remove ReportAggregatesOnly or --benchmark_report_aggregates_only");
    for (auto& entry : entries_) close(entry);
    return std::move(result_);
  }

 private:
  static bool is_complete(const Collected& entry) {
    return static_cast<int>(entry.samples.size()) >= entry.repetition.repetitions && entry.series.error.empty();
  }

  Result<Collected*> find_or_add(const std::string& name) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return &entries_[found->second];
    if (Status room = check_room(entries_.size(), origin_); !room) return pass_on(room);
    by_name_[name] = entries_.size();
    entries_.emplace_back().series.benchmark = name;
    return &entries_.back();
  }

  Status take_skipped(const JsonRow& row, const std::string& name) {
    if (Status room = check_room(skipped_.size(), origin_); !room) return room;
    if (skipped_.insert(name).second) result_.skipped.push_back({name, short_text(text_of(row, "skip_message"))});
    return {};
  }

  // A fit over a family (BigO, RMS) has no repetitions of its own and is no sign of a missing
  // benchmark.
  Status take_aggregate(const JsonRow& row, const std::string& name) {
    const std::string kind = text_of(row, "aggregate_name");
    if (kind == "BigO" || kind == "RMS") return {};
    const auto entry = find_or_add(name);
    if (!entry) return pass_on(entry);
    return {};
  }

  Status take_repetition(const JsonRow& row, Collected& entry) {
    entry.has_iterations = true;
    if (flag_of(row, "error_occurred")) {
      entry.series.error = short_text(text_of(row, "error_message"));
      if (entry.series.error.empty()) entry.series.error = "the suite reports an error without a message";
      return {};
    }
    if (!entry.series.error.empty()) return {};  // the first says why
    const double family = number_of(row, "family_index", -1) * 1e6 + number_of(row, "per_family_instance_index", 0);
    const double index = number_of(row, "repetition_index", static_cast<double>(entry.samples.size()));
    const bool repeated = !entry.indices.insert(index).second;
    if (repeated || (!entry.samples.empty() && family != entry.family)) {
      entry.series.error = "the suite has two benchmarks of this name";
      return {};
    }
    entry.family = family;
    const std::string& benchmark = entry.series.benchmark;
    if (Status few = check_samples(entry.samples.size() + 1, benchmark, origin_); !few) return few;
    const double unit = unit_ns(text_of(row, "time_unit"));
    if (unit == 0)
      return fail(Errc::corrupt, "unknown time unit '" + text_of(row, "time_unit").substr(0, 40) + "'", origin_);
    const std::string member = options_.time == TimeSource::cpu ? "cpu_time" : "real_time";
    const double time_ns = number_of(row, member, std::nan("")) * unit;
    if (std::string wrong = wrong_time(time_ns); !wrong.empty()) {
      entry.series.error = "its " + member + " " + wrong;
      return {};
    }
    entry.samples.push_back({index, time_ns});
    entry.repetition.repetitions = count_of(row, "repetitions");
    const double real_ms = number_of(row, "real_time", 0) * unit * number_of(row, "iterations", 1) / 1e6;
    entry.repetition.iterations += number_of(row, "iterations", 0);
    entry.repetition.longest_ms = std::max(entry.repetition.longest_ms, real_ms);
    entry.series.configuration = configuration_of(text_of(row, "label"));
    entry.series.counters.clear();
    for (const auto& [key, value] : row.numbers)
      if (!is_library_member(key)) entry.series.counters[key] = value;
    return {};
  }

  void close(Collected& entry) {
    if (!entry.has_iterations) entry.series.error = "the suite prints aggregates only for this benchmark";
    std::stable_sort(entry.samples.begin(), entry.samples.end(),
                     [](const Sample& a, const Sample& b) { return a.index < b.index; });
    if (entry.series.error.empty())
      for (const auto& sample : entry.samples) entry.series.samples_ns.push_back(sample.time_ns);
    result_.series.push_back(std::move(entry.series));
    result_.repetition.push_back(entry.repetition);
  }

  const ReadOptions& options_;
  const std::string& origin_;
  std::vector<Collected> entries_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_set<std::string> skipped_;
  SuiteResult result_;
};

}  // namespace

Result<SuiteResult> read_google_benchmark(std::string_view json, const ReadOptions& options,
                                          const std::string& origin) {
  Collector collector(options, origin);
  const auto take = [&collector](const JsonRow& row) { return collector.take(row); };
  const auto walked = walk_rows(json, options.from_stdout, origin, take);
  const bool cut_short = !walked && options.partial && walked.error().code == Errc::corrupt;
  if (!walked && !cut_short) return pass_on(walked);
  return collector.finish();
}

Result<std::vector<std::string>> read_benchmark_list(std::string_view stdout_text, const std::string& origin) {
  std::vector<std::string> names;
  std::unordered_map<std::string, bool> seen;
  while (!stdout_text.empty()) {
    const std::size_t end = stdout_text.find('\n');
    std::string_view line = stdout_text.substr(0, end);
    stdout_text.remove_prefix(end == stdout_text.npos ? stdout_text.size() : end + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.size() > limits::kBenchmarkNameMax)
      return fail(Errc::too_large,
                  "a listed name is longer than " + std::to_string(limits::kBenchmarkNameMax) +
                      " bytes: " + std::string(line.substr(0, 80)),
                  origin);
    if (!seen.emplace(line, true).second) continue;
    if (Status room = check_room(names.size(), origin); !room) return pass_on(room);
    names.emplace_back(line);
  }
  return names;
}

}  // namespace kernelgate::suite
