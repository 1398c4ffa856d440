// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/dialect.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "runner/suite/bare_words.hpp"
#include "runner/suite/google_benchmark.hpp"
#include "runner/suite/nvbench.hpp"
#include "runner/suite/pytest_benchmark.hpp"
#include "runner/suite/samples.hpp"

namespace kernelgate::suite {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// NVBench times single launches and stops at the least number of samples, the least time and the noise: the noise is
// taken out of it, so that a noisy process is no longer than a quiet one.
Words nvbench_words(const StartFlags& start) {
  const double least_s = start.sample_ms * start.repetitions / 1e3;
  Words words{"--min-samples", std::to_string(start.repetitions),
              "--min-time",    fmt::format("{:.6f}", least_s),
              "--max-noise",   "1000000"};
  if (start.min_time == MinTime::plain) words.push_back("--no-batch");
  append(words, nvbench_selection(start.benchmarks));
  return words;
}

// The folder is the call's own; a part is "NAME BYTES", a line break, and the bytes.
std::string nvbench_line(const std::string& line, const std::string& out) {
  return "kg=$(mktemp -d) || exit 125\n"
         "( " +
         line +
         " \"$@\" --jsonbin \"$kg/result.json\"\n)\n"
         "code=$?\n"
         "for part in \"$kg\"/result.json \"$kg\"/result.json-bin/*.bin; do\n"
         "[ -f \"$part\" ] && printf '%s %s\\n' \"${part##*/}\" \"$(wc -c <\"$part\")\" && cat \"$part\"\n"
         "done >" +
         out +
         "\n"
         "rm -rf \"$kg\"\n"
         "exit $code\n";
}

// A round lasts at least sample_ms; no time is asked for beyond the rounds, so their number is what was planned.
Words pytest_words(const StartFlags& start) {
  Words words{"--rootdir=.",
              "-p",
              "no:cacheprovider",
              "--benchmark-only",
              "--benchmark-json=" + start.out,
              fmt::format("--benchmark-min-rounds={}", start.repetitions),
              fmt::format("--benchmark-min-time={:.6f}", start.sample_ms / 1e3),
              "--benchmark-max-time=0.000001",
              "--benchmark-warmup=off"};
  append(words, start.benchmarks);
  return words;
}

// Stops at the first member that only one format has.
class TopMembers : public nlohmann::json_sax<json> {
 public:
  [[nodiscard]] const std::optional<SuiteFormat>& found() const { return found_; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    if (name == "context") found_ = SuiteFormat::google_benchmark;
    if (name == "meta" || name == "devices") found_ = SuiteFormat::nvbench;
    if (name == "machine_info" || name == "commit_info") found_ = SuiteFormat::pytest_benchmark;
    return !found_;
  }

 private:
  int depth_ = 0;
  std::optional<SuiteFormat> found_;
};

// The first line of samples; empty where there is none.
std::string_view first_line_of_ours(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (is_samples_line(text.substr(0, end))) return text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return {};
}

std::optional<SuiteFormat> marked_format(std::string_view text) {
  TopMembers members;
  (void)json::sax_parse(text.begin(), text.end(), &members);
  return members.found();
}

}  // namespace

std::vector<MinTime> spellings(SuiteFormat format) {
  switch (format) {
    case SuiteFormat::google_benchmark: return {MinTime::plain, MinTime::suffixed, MinTime::absent};
    case SuiteFormat::nvbench: return {MinTime::plain, MinTime::absent};
    case SuiteFormat::pytest_benchmark: return {MinTime::plain};
    case SuiteFormat::samples: return {MinTime::plain, MinTime::absent};
  }
  return {};
}

Call start_call(SuiteFormat format, const std::string& line, const StartFlags& start) {
  switch (format) {
    case SuiteFormat::google_benchmark: return {line + " \"$@\"", start_flags(start)};
    case SuiteFormat::nvbench: return {nvbench_line(line, start.out), nvbench_words(start)};
    case SuiteFormat::pytest_benchmark: return {line + " \"$@\"", pytest_words(start)};
    case SuiteFormat::samples: return {line + " \"$@\"", samples_words(start)};
  }
  return {};
}

Call list_call(SuiteFormat format, const std::string& line, MinTime spelling, double sample_ms) {
  const std::string with_words = line + " \"$@\"";
  switch (format) {
    case SuiteFormat::google_benchmark: return {with_words, list_flags(spelling, sample_ms)};
    case SuiteFormat::nvbench: {
      Words words{"--jsonlist-benches"};  // NVBench reads its flags in order and leaves at this one
      if (spelling == MinTime::plain) words.insert(words.begin(), "--no-batch");
      return {with_words, words};
    }
    case SuiteFormat::pytest_benchmark:
      return {with_words, {"--rootdir=.", "-p", "no:cacheprovider", "--collect-only", "-q"}};
    case SuiteFormat::samples: return {with_words, samples_list_words(spelling, sample_ms)};
  }
  return {};
}

std::vector<std::string> once_flags(SuiteFormat format, const std::string& benchmark) {
  switch (format) {
    case SuiteFormat::google_benchmark:
      return {"--benchmark_filter=" + exact_filter({benchmark}), "--benchmark_repetitions=1"};
    case SuiteFormat::nvbench: {
      Words words{"--min-samples", "1", "--min-time", "0", "--max-noise", "1000000"};
      append(words, nvbench_selection({benchmark}));
      return words;
    }
    case SuiteFormat::pytest_benchmark:
      return {"--rootdir=.", "-p", "no:cacheprovider", "--benchmark-disable", benchmark};
    case SuiteFormat::samples: return {"--repetitions=1", "--filter=" + exact_filter({benchmark})};
  }
  return {};
}

Result<SuiteResult> read_result(SuiteFormat format, std::string_view text, const ReadOptions& options,
                                const std::string& origin) {
  switch (format) {
    case SuiteFormat::google_benchmark: return read_google_benchmark(text, options, origin);
    case SuiteFormat::pytest_benchmark: return read_pytest_benchmark(text, options, origin);
    case SuiteFormat::samples: return read_samples(text, options, origin);
    case SuiteFormat::nvbench: break;
  }
  const Result<NvbenchParts> parts = unpack_nvbench(text, origin);
  if (!parts) return pass_on(parts);
  return read_nvbench(
      parts->json, [&parts](const std::string& name) { return parts->find(name); }, options, origin);
}

Result<std::vector<std::string>> read_list(SuiteFormat format, std::string_view stdout_text,
                                           const std::string& origin) {
  switch (format) {
    case SuiteFormat::google_benchmark: return read_benchmark_list(stdout_text, origin);
    case SuiteFormat::nvbench: return read_nvbench_list(stdout_text, origin);
    case SuiteFormat::pytest_benchmark: return read_pytest_list(stdout_text, origin);
    case SuiteFormat::samples: return read_samples_list(stdout_text, origin);
  }
  return fail(Errc::unsupported, "this format is not known", origin);
}

SuiteFormat format_of(std::string_view text) {
  if (is_samples_line(first_line_of_ours(text))) return SuiteFormat::samples;
  if (text.find_first_not_of(" \t\r\n") == text.npos || text[text.find_first_not_of(" \t\r\n")] != '{')
    return SuiteFormat::google_benchmark;
  if (const auto found = marked_format(text)) return *found;
  const auto cleaned = without_bare_words(text);
  return (cleaned ? marked_format(*cleaned) : std::nullopt).value_or(SuiteFormat::google_benchmark);
}

}  // namespace kernelgate::suite
