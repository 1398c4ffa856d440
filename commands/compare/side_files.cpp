// SPDX-License-Identifier: Apache-2.0
#include "commands/compare/side_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "commands/compare/recorded_order.hpp"
#include "core/decision/evidence/pairs.hpp"
#include "core/units/limits.hpp"
#include "runner/suite/dialect.hpp"
#include "runner/suite/nvbench.hpp"

namespace kernelgate::local {
namespace {

constexpr std::size_t kDroppedShown = 5;  // benchmarks of one file

Result<std::string> read_text(const std::filesystem::path& path) {
  if (path.empty()) return fail(Errc::invalid, "a file without a name", "--base, --head or --session");
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

void note(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// NVBench keeps the samples in a folder beside the JSON, which may have been moved together with it.
Result<std::string> read_beside(const std::filesystem::path& path, const std::string& name) {
  const std::filesystem::path file(name);
  return read_text(path.parent_path() / file.parent_path().filename() / file.filename());
}

Result<suite::SuiteResult> read_file(const CompareRequest& request, const std::filesystem::path& path,
                                     OneFormat& formats, std::int64_t& recorded_at) {
  const Result<std::string> text = read_text(path);
  if (!text) return pass_on(text);
  recorded_at = recorded_at_ms(*text).value_or(0);
  const Result<SuiteFormat> format = formats.take(*text, path.string());
  if (!format) return pass_on(format);
  const suite::ReadOptions options{.time = request.time, .from_stdout = *format == SuiteFormat::google_benchmark};
  if (*format != SuiteFormat::nvbench) return suite::read_result(*format, *text, options, path.string());
  const auto beside = [&path](const std::string& name) { return read_beside(path, name); };
  return suite::read_nvbench(*text, beside, options, path.string());
}

// What is wrong with a benchmark in a file; empty: its series counts.
std::string why_unused(const Process& process, const std::string& benchmark) {
  for (const Series& series : process.series) {
    if (series.benchmark != benchmark) continue;
    if (is_usable(series)) return {};
    return series.error.empty() ? "it has no times" : series.error;
  }
  return "it is not in the file";
}

}  // namespace

Result<SuiteFormat> OneFormat::take(std::string_view text, const std::string& path) {
  const SuiteFormat format = suite::format_of(text);
  if (!first_) first_ = {format, path};
  if (first_->first != format)
    return fail(
        Errc::invalid,
        fmt::format("is in the format {}, and {} in {}", to_string(format), first_->second, to_string(first_->first)),
        path, "compare results of one format");
  return format;
}

Result<SideFiles> read_side(const CompareRequest& request, Side side, const std::vector<std::filesystem::path>& paths,
                            OneFormat& formats) {
  SideFiles out;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    Process process;
    Result<suite::SuiteResult> result = read_file(request, paths[i], formats, process.started_at_ms);
    if (!result) return pass_on(result);
    if (Status dropped = drop(*result, request.drop_first, paths[i].string()); !dropped) return pass_on(dropped);
    for (const suite::Skipped& skipped : result->skipped) note(out.skipped, skipped.benchmark);
    for (const Series& series : result->series)
      if (seen.insert(series.benchmark).second) out.benchmarks.push_back(series.benchmark);
    process.id = paths[i].string();
    process.side = side;
    process.pair = static_cast<int>(i);
    process.order = static_cast<int>(2 * i) + (side == Side::head ? 1 : 0);
    process.series = std::move(result->series);
    out.processes.push_back(std::move(process));
  }
  return out;
}

void note_repeated(const std::vector<std::filesystem::path>& paths, std::vector<std::string>& notices) {
  std::set<std::filesystem::path> seen;
  std::set<std::filesystem::path> told;
  for (const auto& path : paths) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    if (error || !std::filesystem::is_regular_file(real, error)) continue;
    if (!seen.insert(real).second && told.insert(real).second)
      notices.push_back(
          fmt::format("{} is given more than once on a side: its copies are no evidence, the verdict claims too much",
                      path.string()));
  }
}

void note_unused(const std::vector<Process>& processes, std::vector<std::string>& notices) {
  std::set<std::string> timed;  // what no file times has a verdict that says so
  for (const Process& process : processes)
    for (const Series& series : process.series)
      if (is_usable(series)) timed.insert(series.benchmark);
  for (const Process& process : processes) {
    std::string text;
    std::size_t count = 0;
    for (const std::string& benchmark : timed) {
      const std::string why = why_unused(process, benchmark);
      if (why.empty() || ++count > kDroppedShown) continue;
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", benchmark, why);
    }
    if (count > kDroppedShown) text += fmt::format(" and {} more", count - kDroppedShown);
    if (count > 0) notices.push_back(fmt::format("{} does not count for {}", process.id, text));
  }
}

}  // namespace kernelgate::local
