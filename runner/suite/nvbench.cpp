// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/nvbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "core/units/limits.hpp"
#include "runner/suite/bare_words.hpp"
#include "runner/suite/limit_checks.hpp"
#include "runner/suite/nvbench_names.hpp"

namespace kernelgate::suite {
namespace {

using nlohmann::json;

constexpr std::string_view kSampleTag = "nv/json/bin:";
constexpr std::string_view kSampleHint = "file/sample_times";
constexpr const char* kJson = "result.json";

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

Result<json> parse(std::string_view text, const std::string& origin) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return fail(Errc::corrupt, "the result is empty", origin);
  if (Status small = check_json(text, origin); !small) return pass_on(small);
  const auto cleaned = without_bare_words(text);
  json out = json::parse(cleaned ? std::string_view(*cleaned) : text, nullptr, false);
  if (out.is_discarded())
    return fail(Errc::corrupt, fmt::format("not JSON, or half of it ({} bytes)", text.size()), origin);
  if (!member(out, "benchmarks").is_array())
    return fail(Errc::invalid, "no \"benchmarks\" list: not a result of NVBench", origin);
  return out;
}

// NVBench writes a value as text; the axis it belongs to knows how the command line spells it.
// `looks` is what is left of the values that may be looked at.
NvbenchAxis spelled(const json& value, const json& axes, int& looks) {
  NvbenchAxis out{text(value, "name"), {}, text(value, "value")};
  for (const json& axis : axes) {
    if (--looks < 0) break;
    if (text(axis, "name") != out.name) continue;
    out.flags = text(axis, "flags");
    for (const json& known : member(axis, "values")) {
      if (--looks < 0) break;
      const json& number = member(known, "value");
      const bool same = number.is_number_integer() ? std::to_string(number.get<std::int64_t>()) == out.value
                        : number.is_number()       ? std::strtod(out.value.c_str(), nullptr) == number.get<double>()
                                                   : text(known, "input_string") == out.value;
      if (!same) continue;
      out.value = text(known, "input_string");
      break;
    }
  }
  return out;
}

std::vector<double> floats_as_ns(const std::string& bytes) {
  std::vector<double> out(bytes.size() / sizeof(float));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto* at = reinterpret_cast<const unsigned char*>(bytes.data()) + i * sizeof(float);
    const std::uint32_t bits = at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24;
    float seconds = 0;
    std::memcpy(&seconds, &bits, sizeof seconds);
    out[i] = static_cast<double>(seconds) * 1e9;
  }
  return out;
}

struct SampleNote {
  std::string file;
  std::string count;
};

// The state's note of its sample file; nothing where it was run without --jsonbin.
SampleNote sample_note(const json& state) {
  SampleNote out;
  for (const json& summary : member(state, "summaries")) {
    const bool times = text(summary, "hint") == kSampleHint ||
                       (text(summary, "hint").empty() && text(summary, "tag").starts_with(kSampleTag));
    if (!times) continue;
    for (const json& datum : member(summary, "data")) {
      if (text(datum, "name") == "filename") out.file = text(datum, "value");
      if (text(datum, "name") == "size") out.count = text(datum, "value");
    }
  }
  return out;
}

class Reader {
 public:
  Reader(const SampleFile& samples, const std::string& origin) : samples_(samples), origin_(origin) {}

  Status take(const json& benchmark) {
    const std::string name = text(benchmark, "name");
    for (const json& state : member(benchmark, "states"))
      if (Status taken = take_state(name, member(benchmark, "axes"), state); !taken) return taken;
    return {};
  }

  Result<SuiteResult> finish() {
    if (result_.series.empty() && result_.skipped.empty())
      return fail(Errc::invalid, "the result holds no benchmark", origin_);
    const bool no_samples = !result_.series.empty() && std::all_of(result_.series.begin(), result_.series.end(),
                                                                   [this](const Series& s) { return is_bare(s); });
    if (no_samples)
      return fail(Errc::invalid, "the result holds means only: single samples are needed", origin_,
                  "write it with --jsonbin FILE in place of --json FILE, and keep the folder FILE-bin beside it");
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_bare(const Series& series) const { return bare_.count(series.benchmark) > 0; }

  Status take_state(const std::string& benchmark, const json& axes, const json& state) {
    NvbenchState id;
    id.benchmark = benchmark;
    if (const json& device = member(state, "device"); device.is_number_integer()) id.device = device.get<int>();
    for (const json& value : member(state, "axis_values")) id.axes.push_back(spelled(value, axes, looks_));
    if (looks_ < 0) return fail(Errc::too_large, "its axes have too many values for its states", origin_);
    const std::string name = benchmark.empty() ? std::string() : name_of(id);
    if (Status named = check_name(name, origin_); !named) return named;
    if (Status room = check_room(result_.series.size(), origin_); !room) return room;
    const json& skipped = member(state, "is_skipped");
    const std::string reason = text(state, "skip_reason");
    const bool threw = reason.starts_with("Unexpected error:");
    if (skipped.is_boolean() && skipped.get<bool>() && !threw) {
      if (Status few = check_room(result_.skipped.size(), origin_); !few) return few;
      result_.skipped.push_back({name, short_text(reason)});
      return {};
    }
    Series series;
    series.benchmark = name;
    series.error = threw ? short_text(reason) : std::string();
    if (!seen_.insert(name).second) series.error = "the suite has two benchmarks of this name";
    if (series.error.empty())
      if (Status read = read_samples(state, series); !read) return read;
    Repetition repetition;
    repetition.repetitions = static_cast<int>(series.samples_ns.size());
    for (const double ns : series.samples_ns) repetition.longest_ms = std::max(repetition.longest_ms, ns / 1e6);
    result_.series.push_back(std::move(series));
    result_.repetition.push_back(repetition);
    return {};
  }

  Status read_samples(const json& state, Series& series) {
    const SampleNote note = sample_note(state);
    if (note.file.empty()) {
      series.error = "the suite gives only the mean of this benchmark: single samples are needed";
      bare_.insert(series.benchmark);
      return {};
    }
    const Result<std::string> bytes = samples_(note.file);
    if (!bytes) return pass_on(bytes);
    if (std::to_string(bytes->size() / sizeof(float)) != note.count || bytes->size() % sizeof(float) != 0)
      return fail(Errc::corrupt,
                  fmt::format("'{}' has {} bytes, and {} samples of 4 bytes are promised", note.file, bytes->size(),
                              note.count),
                  origin_, "keep the JSON and its -bin folder of one run together");
    const std::size_t count = bytes->size() / sizeof(float);
    if (Status few = check_samples(count, series.benchmark, origin_); !few) return few;
    std::vector<double> times = floats_as_ns(*bytes);
    const auto wrong = std::find_if(times.begin(), times.end(), [](double ns) { return !wrong_time(ns).empty(); });
    if (wrong != times.end())
      series.error = "a sample " + wrong_time(*wrong);
    else
      series.samples_ns = std::move(times);
    return {};
  }

  const SampleFile& samples_;
  const std::string& origin_;
  SuiteResult result_;
  std::unordered_set<std::string> seen_, bare_;
  int looks_ = limits::kAxisLooksMax;
};

}  // namespace

Result<SuiteResult> read_nvbench(std::string_view json_text, const SampleFile& samples, const ReadOptions& options,
                                 const std::string& origin) {
  if (options.time == TimeSource::cpu)
    return fail(Errc::invalid, "NVBench keeps no samples of the CPU's time", origin, "take the real time");
  if (options.partial && json_text.empty()) return SuiteResult{};
  const Result<json> document = parse(json_text, origin);
  if (!document) return pass_on(document);
  const json& version = member(member(member(*document, "meta"), "version"), "json");
  if (member(version, "major") != 1)
    return fail(Errc::unsupported, "its version is not 1.x of NVBench's JSON", origin, "update NVBench");
  Reader reader(samples, origin);
  for (const json& benchmark : member(*document, "benchmarks"))
    if (Status taken = reader.take(benchmark); !taken) return pass_on(taken);
  return reader.finish();
}

Result<std::vector<std::string>> read_nvbench_list(std::string_view stdout_text, const std::string& origin) {
  const std::size_t start = stdout_text.find('{');
  if (start == stdout_text.npos)
    return fail(Errc::corrupt, "--jsonlist-benches printed no JSON", origin, "use NVBench of April 2023 or newer");
  const Result<json> document = parse(stdout_text.substr(start), origin);
  if (!document) return pass_on(document);
  std::vector<std::string> names;
  for (const json& benchmark : member(*document, "benchmarks")) {
    std::vector<NvbenchState> states(1);
    states[0].benchmark = text(benchmark, "name");
    for (const json& axis : member(benchmark, "axes")) {
      std::vector<NvbenchState> longer;
      for (const NvbenchState& state : states)
        for (const json& value : member(axis, "values")) {
          if (Status room = check_room(longer.size(), origin); !room) return pass_on(room);
          longer.push_back(state);
          longer.back().axes.push_back({text(axis, "name"), text(axis, "flags"), text(value, "input_string")});
        }
      states = std::move(longer);
    }
    for (const NvbenchState& state : states) {
      names.push_back(state.benchmark.empty() ? std::string() : name_of(state));
      if (Status named = check_name(names.back(), origin); !named) return pass_on(named);
      if (Status room = check_room(names.size() - 1, origin); !room) return pass_on(room);
    }
  }
  return names;
}

Result<std::string> NvbenchParts::find(const std::string& name) const {
  const auto found = files.find(name.substr(name.rfind('/') + 1));
  if (found == files.end()) return fail(Errc::not_found, "the sample file '" + name + "' is missing", "the result");
  return found->second;
}

Result<NvbenchParts> unpack_nvbench(std::string_view text, const std::string& origin) {
  NvbenchParts out;
  while (!text.empty()) {
    const std::size_t line = text.find('\n');
    const std::string_view head = text.substr(0, line);
    const std::size_t space = head.rfind(' ');
    if (line == text.npos || space == head.npos) return fail(Errc::corrupt, "a part has no head line", origin);
    const std::uint64_t size = std::strtoull(std::string(head.substr(space + 1)).c_str(), nullptr, 10);
    text.remove_prefix(line + 1);
    if (size > text.size()) return fail(Errc::corrupt, "the result ends in the middle of a part", origin);
    const std::string name(head.substr(0, space));
    (name == kJson ? out.json : out.files[name]) = std::string(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace kernelgate::suite
