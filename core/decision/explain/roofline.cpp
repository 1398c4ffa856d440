// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "core/decision/evidence/pairs.hpp"
#include "core/stats/summary.hpp"

namespace kernelgate {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kDataTypes = {{
    {"fp16", "fp16"},
    {"f16", "fp16"},
    {"half", "fp16"},
    {"bf16", "bf16"},
    {"bfloat16", "bf16"},
    {"tf32", "tf32"},
    {"fp32", "fp32"},
    {"f32", "fp32"},
    {"float", "fp32"},
    {"fp64", "fp64"},
    {"f64", "fp64"},
    {"double", "fp64"},
    {"fp8", "fp8"},
    {"e4m3", "fp8"},
    {"e5m2", "fp8"},
    {"float16", "fp16"},
    {"float32", "fp32"},
}};

// Calls `use` with each run of letters and digits.
template <class Use>
void each_word(std::string_view text, const Use& use) {
  std::string word;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const auto c = at < text.size() ? static_cast<unsigned char>(text[at]) : '/';
    if (std::isalnum(c) != 0)
      word += static_cast<char>(std::tolower(c));
    else if (!word.empty())
      use(std::exchange(word, {}));
  }
}

double value_of(const std::map<std::string, double>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

double highest(const std::map<std::string, double>& rates) {
  double out = 0;
  for (const auto& [type, rate] : rates) out = std::max(out, rate);
  return out;
}

std::string per_second(double rate, const char* unit) {
  if (rate >= 1e15) return fmt::format("{:.3g} P{}/s", rate / 1e15, unit);
  if (rate >= 1e12) return fmt::format("{:.3g} T{}/s", rate / 1e12, unit);
  return fmt::format("{:.3g} G{}/s", rate / 1e9, unit);
}

std::string beyond(double rate, double peak, const char* unit, const std::string& of) {
  return fmt::format("{} is {:.3g} times the datasheet's {} of {}: the stated work was not done in this time",
                     per_second(rate, unit), rate / peak, per_second(peak, unit), of);
}

// The median of a side's process medians, with the work that the suite states; seconds 0: nothing was timed.
Work side_work(const SuiteEvidence& suite, const std::string& benchmark, Side side) {
  std::map<std::string, double> counters;
  std::vector<double> medians;
  for (const Process& process : suite.processes) {
    if (process.side != side) continue;
    for (const Series& series : process.series) {
      if (series.benchmark != benchmark || !is_usable(series)) continue;
      medians.push_back(stats::median(series.samples_ns).value());
      const double clock = std::max(value_of(counters, "sm_mhz"), value_of(series.counters, "sm_mhz"));
      counters = series.counters;
      counters["sm_mhz"] = clock;
    }
  }
  return work_of(benchmark, counters, medians.empty() ? 0 : stats::median(medians).value() / 1e9);
}

}  // namespace

std::string data_type_of(std::string_view benchmark) {
  std::string out;
  each_word(benchmark, [&out](const std::string& word) {
    for (const auto& [name, type] : kDataTypes)
      if (out.empty() && word == name) out = type;
  });
  return out;
}

bool is_cold(std::string_view benchmark) {
  bool cold = false;
  each_word(benchmark, [&cold](const std::string& word) { cold = cold || word == "cold"; });
  return cold;
}

Work work_of(std::string_view benchmark, const std::map<std::string, double>& counters, double seconds) {
  Work out{.flops = value_of(counters, "flops"),
           .bytes = value_of(counters, "bytes"),
           .footprint_bytes = value_of(counters, "footprint_bytes"),
           .seconds = seconds,
           .clock_mhz = value_of(counters, "sm_mhz"),
           .type = data_type_of(benchmark),
           .cold = is_cold(benchmark)};
  if (out.footprint_bytes <= 0) out.footprint_bytes = out.bytes;
  if (const auto cold = counters.find("cold"); cold != counters.end()) out.cold = cold->second != 0;
  constexpr std::string_view kTyped = "flops_";
  for (const auto& [name, value] : counters)
    if (name.compare(0, kTyped.size(), kTyped) == 0) out.type = name.substr(kTyped.size());
  return out;
}

std::optional<RoofPosition> roof_position(const Work& work, const Ceilings& ceilings) {
  if (!(work.seconds > 0) || !(work.bytes > 0) || !(work.flops >= 0)) return std::nullopt;
  const bool in_cache = !work.cold && work.footprint_bytes <= ceilings.l2_bytes;
  const double memory = in_cache ? ceilings.l2_bytes_s : ceilings.copy_bytes_s;
  if (!(memory > 0)) return std::nullopt;
  const double unit = work.type.empty() ? highest(ceilings.flops) : value_of(ceilings.flops, work.type);
  if (work.flops > 0 && !(unit > 0)) return std::nullopt;
  const double memory_s = work.bytes / memory, unit_s = work.flops > 0 ? work.flops / unit : 0;
  RoofPosition out;
  out.intensity = work.flops / work.bytes;
  out.fraction = std::max(memory_s, unit_s) / work.seconds;
  out.roof = unit_s > memory_s ? (work.type.empty() ? "matrix rate" : work.type) : (in_cache ? "l2" : "dram");
  return out;
}

bool is_memory_roof(std::string_view roof) { return roof == "dram" || roof == "l2"; }

std::optional<double> roof_rate(const Ceilings& ceilings, const std::string& roof, double intensity) {
  if (!(intensity > 0)) return std::nullopt;
  const double rate = roof == "dram"          ? ceilings.copy_bytes_s * intensity
                      : roof == "l2"          ? ceilings.l2_bytes_s * intensity
                      : roof == "matrix rate" ? highest(ceilings.flops)
                                              : value_of(ceilings.flops, roof);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::string why_impossible(const Work& work, const Ceilings& ceilings) {
  if (!(work.seconds > 0)) return {};
  const double known = value_of(ceilings.peak_flops, work.type);
  double peak = known > 0 ? known : highest(ceilings.peak_flops);
  std::string of = known > 0 ? work.type : "the fastest data type";
  if (work.clock_mhz > 0 && ceilings.peak_clock_mhz > 0) {
    peak *= work.clock_mhz / ceilings.peak_clock_mhz;
    of += fmt::format(" at {:.0f} MHz", work.clock_mhz);
  }
  const double flop_rate = work.flops / work.seconds, byte_rate = work.bytes / work.seconds;
  if (peak > 0 && flop_rate > kBeyondPeak * peak) return beyond(flop_rate, peak, "FLOP", of);
  const bool from_memory = work.cold && ceilings.l2_bytes > 0 && work.footprint_bytes > ceilings.l2_bytes;
  if (from_memory && ceilings.peak_bytes_s > 0 && byte_rate > kBeyondPeak * ceilings.peak_bytes_s)
    return beyond(byte_rate, ceilings.peak_bytes_s, "B", "memory");
  return {};
}

void compare_with_roofs(const SuiteEvidence& suite, const Ceilings& ceilings, std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    const Work head = side_work(suite, comparison.benchmark, Side::head);
    comparison.roof = roof_position(head, ceilings);
    if (const std::string why = why_impossible(head, ceilings); !why.empty()) {
      comparison.verdict = Verdict::invalid;
      comparison.severity = Severity::none;
      comparison.reason = why;
      continue;
    }
    const std::string base = why_impossible(side_work(suite, comparison.benchmark, Side::base), ceilings);
    if (base.empty() || comparison.pairs == 0) continue;
    comparison.verdict = Verdict::undecided;
    comparison.severity = Severity::none;
    comparison.reason = "base is faster than the hardware can be: " + base;
  }
}

}  // namespace kernelgate
