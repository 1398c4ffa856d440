// SPDX-License-Identifier: Apache-2.0
#include "runner/measure/start.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runner/suite/last_words.hpp"

namespace kernelgate {
namespace {

using suite::MinTime;

Result<ProcessResult> run_side(const SuiteSetup& setup, const SuiteSide& side, const suite::Call& call,
                               std::stop_token stop) {
  SandboxJob job;
  job.argv = {"/bin/sh", "-c", side.before + call.line, "sh"};
  job.argv.insert(job.argv.end(), call.words.begin(), call.words.end());
  job.mounts = side.mounts;
  job.gpu = setup.gpu;
  job.env = setup.env;
  ProcessSpec how;
  how.timeout = setup.spec.timeout;
  how.output_max = limits::kSuiteOutputMax;
  how.kill_when_over = true;
  how.results_pipe = true;
  how.cpus = setup.cpus;
  auto ended = setup.sandbox->run(job, std::move(how), stop);
  if (ended && ended->cancelled) return fail(Errc::conflict, "measuring was stopped");
  return ended;
}

Ended end_of(const ProcessResult& result) {
  Ended out;
  out.exit_code = result.exit_code;
  out.signal = result.signal;
  out.wall_s = result.wall_s;
  if (result.ok()) return out;
  out.end = result.timed_out                                   ? ProcessEnd::timed_out
            : result.too_large                                 ? ProcessEnd::garbage
            : result.signal != 0 || !result.over_limit.empty() ? ProcessEnd::crashed
                                                               : ProcessEnd::failed;
  if (result.too_large) {
    out.text = fmt::format("the suite wrote more than {} MB", limits::kSuiteOutputMax.value >> 20);
    return out;
  }
  const std::string said = last_words(result.err);
  out.text = describe_end(result) + (said.empty() ? "" : ": " + said);
  return out;
}

// Fixed repetitions are the suite's own choice: then a quarter of them warms up.
std::size_t dropped(const suite::Repetition& repetition, const Series& series, const suite::RepetitionPlan& plan) {
  if (repetition.repetitions == plan.total()) return static_cast<std::size_t>(plan.dropped);
  return series.samples_ns.size() < 3 ? 0 : (series.samples_ns.size() + 3) / 4;
}

void take_result(Started& out, suite::SuiteResult result, const StartRequest& request) {
  for (std::size_t i = 0; i < result.series.size(); ++i) {
    Series& series = result.series[i];
    const auto& wanted = request.benchmarks;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), series.benchmark) == wanted.end()) continue;
    out.longest_ms[series.benchmark] = result.repetition[i].longest_ms;
    out.iterations[series.benchmark] = result.repetition[i].iterations;
    suite::drop_first(series, dropped(result.repetition[i], series, request.plan));
    out.series.push_back(std::move(series));
  }
  for (auto& skipped : result.skipped) out.skipped.push_back(std::move(skipped.benchmark));
}

// The result stands in the pipe; a program that only knows stdout prints it there. What a dead program left behind is
// read as far as it goes.
Started read_result(const SuiteSetup& setup, const ProcessResult& result, const StartRequest& request) {
  Started out;
  out.ended = end_of(result);
  suite::ReadOptions options;
  options.time = setup.spec.time;
  options.from_stdout = setup.spec.format == SuiteFormat::samples ||
                        (result.results.empty() && setup.spec.format == SuiteFormat::google_benchmark);
  options.partial = !result.ok();
  const std::string& text = options.from_stdout ? result.out : result.results;
  auto read = suite::read_result(setup.spec.format, text, options, setup.spec.name + "'s result");
  if (read) {
    take_result(out, std::move(*read), request);
  } else if (out.ended.end == ProcessEnd::ok) {
    out.ended.end = ProcessEnd::garbage;
    out.ended.text = text.find_first_not_of(" \t\r\n") == text.npos ? "the suite ended well but wrote no result"
                                                                    : to_string(read.error());
  }
  return out;
}

void merge(Started& into, Started part) {
  into.ended.wall_s += part.ended.wall_s;
  if (into.ended.end == ProcessEnd::ok && part.ended.end != ProcessEnd::ok) {
    part.ended.wall_s = into.ended.wall_s;
    into.ended = std::move(part.ended);
  }
  std::move(part.series.begin(), part.series.end(), std::back_inserter(into.series));
  std::move(part.skipped.begin(), part.skipped.end(), std::back_inserter(into.skipped));
  into.longest_ms.merge(part.longest_ms);
  into.iterations.merge(part.iterations);
}

// At most, of a text in JSON.
std::size_t sent_bytes(std::string_view text) {
  std::size_t out = 3;
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? 6 : c == '"' || c == '\\' ? 2 : c < 0 ? 3 : 1;
  return out;
}

// What cannot be uploaded is no result: the run would be measured again and again, and nobody be to blame.
void refuse_what_cannot_be_sent(Started& started) {
  constexpr std::size_t kNumber = 26, kNames = 80;  // bytes of a number with its comma; of a series' members' names
  std::size_t bytes = 0;
  for (const Series& series : started.series) {
    bytes += kNames + sent_bytes(series.benchmark) + sent_bytes(series.error) + kNumber * series.samples_ns.size();
    for (const auto& [name, value] : series.counters) bytes += sent_bytes(name) + kNumber;
  }
  if (bytes <= limits::kProcessMax.value) return;
  started.series.clear();
  started.ended.end = ProcessEnd::garbage;
  started.ended.text = fmt::format("the suite's result takes {} MB where it is kept: {} at most", bytes >> 20,
                                   limits::kProcessMax.value >> 20);
}

}  // namespace

Result<Listing> list_benchmarks(const SuiteSetup& setup, const SuiteSide& side, std::stop_token stop) {
  Listing first;
  const SuiteFormat format = setup.spec.format;
  for (const MinTime spelling : suite::spellings(format)) {
    const auto call = suite::list_call(format, side.line, spelling, setup.spec.sample_ms);
    const auto ended = run_side(setup, side, call, stop);
    if (!ended) return pass_on(ended);
    Listing listing;
    listing.ended = end_of(*ended);
    listing.tool_missing = is_tool_missing(*ended);
    if (const std::string help = listing.tool_missing ? setup.sandbox->where_tools_are() : ""; !help.empty())
      listing.ended.text += "; " + help;
    listing.min_time = spelling;
    if (ended->ok()) {
      auto names = suite::read_list(format, ended->out, setup.spec.name);
      if (names) {
        listing.benchmarks = std::move(*names);
        return listing;
      }
      listing.ended.end = ProcessEnd::garbage;
      listing.ended.text = to_string(names.error());
    }
    if (spelling == MinTime::plain) first = std::move(listing);
    if (first.ended.end != ProcessEnd::failed) break;  // a crash or a hang is not about a flag
  }
  return first;
}

Result<Started> start_suite(const SuiteSetup& setup, const SuiteSide& side, const StartRequest& request,
                            std::stop_token stop) {
  auto parts = suite::split_for_filter(request.benchmarks);
  if (parts.empty()) parts.emplace_back();
  std::optional<Started> out;
  for (auto& part : parts) {
    suite::StartFlags flags;
    flags.benchmarks = std::move(part);
    flags.repetitions = request.plan.total();
    flags.sample_ms = setup.spec.sample_ms;
    flags.min_time = request.min_time;
    flags.out = fmt::format("/dev/fd/{}", kResultsFd);
    const auto ended = run_side(setup, side, suite::start_call(setup.spec.format, side.line, flags), stop);
    if (!ended) return pass_on(ended);
    Started started = read_result(setup, *ended, request);
    if (out)
      merge(*out, std::move(started));
    else
      out = std::move(started);
  }
  refuse_what_cannot_be_sent(*out);
  return std::move(*out);
}

Verdict verdict_of(ProcessEnd end) { return end == ProcessEnd::timed_out ? Verdict::timed_out : Verdict::crashed; }

}  // namespace kernelgate
