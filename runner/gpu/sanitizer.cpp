// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/sanitizer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <system_error>

#include "core/units/limits.hpp"

namespace kernelgate::gpu {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "=========";

bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Titles that begin a finding; others (backtraces, API errors, summaries) do not.
bool is_title(std::string_view text) {
  constexpr std::array kTitles{"Invalid ",      "Misaligned ",    "Error: Race",  "Warning: Race",  "Race reported",
                               "Barrier error", "Uninitialized ", "Malloc/Free ", "Stack overflow", "Illegal ",
                               "Unused ",       "Address ",       "Device-side ", "Divergent ",     "Potential ",
                               "Warp ",         "Trace/"};
  return std::any_of(kTitles.begin(), kTitles.end(), [text](const char* title) { return starts(text, title); });
}

// "KERNEL+0x70 in FILE:LINE", "KERNEL+0x70", "0x70 in FILE:LINE:KERNEL" (before 2022) or "0x70 in KERNEL".
void read_place(std::string_view text, SanitizerFinding& out) {
  const std::size_t in = text.rfind(" in ");
  std::string_view left = text.substr(0, in);
  std::string_view right = in == text.npos ? std::string_view() : text.substr(in + 4);
  if (const std::size_t offset = left.rfind("+0x"); offset != left.npos) {
    out.kernel = left.substr(0, offset);
    out.place = right;
    return;
  }
  if (!starts(left, "0x")) {
    out.kernel = left;
    out.place = right;
    return;
  }
  const std::size_t colon = right.find(':');
  const std::size_t end = colon == right.npos ? right.npos : right.find(':', colon + 1);
  if (end != right.npos && is_digits(right.substr(colon + 1, end - colon - 1))) {
    out.place = right.substr(0, end);
    out.kernel = right.substr(end + 1);
  } else {
    out.kernel = right;
  }
}

// "Race reported between Write access at KERNEL+0x70 in FILE:LINE": the place stands in the title.
void read_title(std::string_view title, SanitizerFinding& out) {
  constexpr std::string_view kAt = " access at ";
  const std::size_t at = title.find(kAt);
  out.what = title.substr(0, at == title.npos ? at : at + kAt.size() - 4);
  if (at != title.npos) read_place(title.substr(at + kAt.size()), out);
}

void read_detail(std::string_view text, SanitizerFinding& out) {
  if (starts(text, "Saved host backtrace") || starts(text, "Host Frame") || starts(text, "Device Frame")) return;
  if (starts(text, "at ") && out.kernel.empty()) return read_place(text.substr(3), out);
  if (starts(text, "by thread ")) {
    out.thread = text.substr(3);
    return;
  }
  constexpr std::size_t kDetailEnough = 300;
  if (out.detail.size() < kDetailEnough) out.detail += (out.detail.empty() ? "" : "; ") + std::string(text);
}

// "ERROR SUMMARY: 12 errors", "RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)".
bool read_summary(std::string_view text, SanitizerReport& out) {
  const std::size_t at = text.find(" SUMMARY: ");
  if (at == text.npos) return false;
  out.complete = true;
  if (starts(text, "LEAK")) return true;
  int errors = 0;
  const auto read = std::from_chars(text.data() + at + 10, text.data() + text.size(), errors);
  if (read.ec == std::errc::result_out_of_range) errors = std::numeric_limits<int>::max();
  out.errors = std::max(out.errors, errors);
  return true;
}

}  // namespace

SanitizerReport parse_sanitizer(std::string_view text) {
  SanitizerReport out;
  bool in_finding = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    // What the program wrote last may stand before it: its output is cut into pieces anywhere.
    const std::size_t prefix = line.find(kPrefix);
    if (prefix == line.npos) continue;
    line = line.substr(prefix + kPrefix.size(), limits::kFindingLineMax);
    const bool indented = starts(line, "     ");
    line = trim(line);
    if (line.empty()) {
      in_finding = false;
    } else if (indented) {
      if (in_finding) read_detail(line, out.findings.back());
    } else if (!read_summary(line, out)) {
      in_finding = is_title(line) && out.findings.size() < limits::kFindingsMax;
      if (in_finding) read_title(line, out.findings.emplace_back());
      if (starts(line, "Error: ") && !in_finding) out.trouble = line.substr(7);
    }
  }
  out.errors = std::max(out.errors, static_cast<int>(out.findings.size()));
  return out;
}

namespace {
// Within the commit's tree, as a reader of the commit knows it; what lies elsewhere stays as it is.
std::string in_tree(std::string_view place) {
  const std::string source = std::string(kInsideSource) + '/';
  if (place.substr(0, source.size()) == source) place.remove_prefix(source.size());
  return std::string(place);
}
}  // namespace

std::string describe(std::string_view tool, const SanitizerReport& report) {
  if (report.findings.empty() && report.trouble.empty() && report.errors > 0)
    return fmt::format("{}: counted {} errors and named no kernel", tool, report.errors);
  if (report.findings.empty())
    return fmt::format("{}: {}", tool, !report.trouble.empty() ? report.trouble : "found nothing wrong");
  const SanitizerFinding& first = report.findings.front();
  std::string out = fmt::format("{}: {} in {}", tool, first.what, first.kernel.empty() ? "a kernel" : first.kernel);
  out += first.place.empty() ? " (built without line numbers)" : " at " + in_tree(first.place);
  if (!first.thread.empty()) out += " by " + first.thread;
  if (!first.detail.empty()) out += ": " + first.detail;
  if (report.errors > 1) out += fmt::format("; {} errors in all", report.errors);
  return out;
}

fs::path find_sanitizer(std::string_view path) {
  const std::string all = std::string(path) + ":/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer:/usr/bin";
  for (std::size_t start = 0; start < all.size();) {
    const std::size_t end = std::min(all.find(':', start), all.size());
    const fs::path program = fs::path(all.substr(start, end - start)) / "compute-sanitizer";
    if (program.is_absolute() && access(program.c_str(), X_OK) == 0) return program;
    start = end + 1;
  }
  return {};
}

fs::path find_sanitizer() {
  const char* path = std::getenv("PATH");
  return find_sanitizer(path != nullptr ? path : "");
}

Result<SanitizerReport> run_sanitizer(const Sandbox& sandbox, const SanitizerJob& job, const std::stop_token& stop) {
  SandboxJob inside;
  inside.argv = {job.program.string(), "--tool", job.tool, "--target-processes", "all", "--show-backtrace", "no",
                 "--print-limit",      "20"};
  inside.argv.insert(inside.argv.end(), job.argv.begin(), job.argv.end());
  inside.mounts = job.mounts;
  inside.gpu = true;
  ProcessSpec how;
  how.timeout = job.timeout;
  how.merge_stderr = true;
  const auto ended = sandbox.run(inside, std::move(how), stop);
  if (!ended) return SanitizerReport{.findings = {}, .trouble = "did not start: " + ended.error().what};
  if (ended->cancelled) return fail(Errc::conflict, "stopped while " + job.tool + " ran");
  SanitizerReport report = parse_sanitizer(ended->out);
  if (ended->timed_out)
    report.trouble = fmt::format("did not end within {} s", job.timeout.count());
  else if (!report.complete && report.trouble.empty())
    report.trouble = "gave no summary: " + describe_end(*ended);
  return report;
}

}  // namespace kernelgate::gpu
