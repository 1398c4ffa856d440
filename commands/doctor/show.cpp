// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "commands/doctor/doctor.hpp"
#include "core/report/text.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::doctor {
namespace {

using report::harmless;
using report::pad_right;
using report::width;

std::string painted(Grade grade, bool colour) {
  const std::string word = pad_right(to_string(grade), width("warning"));
  if (!colour) return word;
  const char* code = grade == Grade::ok ? "32" : grade == Grade::warning ? "33" : "31";
  return std::string("\x1B[") + code + "m" + word + "\x1B[0m";
}

// "ok       git            git version 2.39.5", the words wrapped beside their column.
std::string rows(const std::vector<Finding>& findings, const report::TableStyle& style) {
  std::size_t widest = 0;
  for (const Finding& finding : findings) widest = std::max(widest, width(harmless(finding.topic)));
  widest = std::min<std::size_t>(widest, 32);
  const std::size_t indent = width("warning") + 2 + widest + 2;
  std::string out;
  for (const Finding& finding : findings) {
    out += painted(finding.grade, style.colour) + "  ";
    out += pad_right(report::shorten(harmless(finding.topic), widest), widest) + "  ";
    std::string words = harmless(finding.text);
    if (!finding.fix.empty()) words += " (" + harmless(finding.fix) + ")";
    bool first = true;
    for (const std::string& line : report::wrap(words, style.columns - indent)) {
      out += (first ? "" : std::string(indent, ' ')) + line + "\n";
      first = false;
    }
    if (first) out += "\n";
  }
  return out;
}

}  // namespace

std::string to_table(const Diagnosis& diagnosis, const report::TableStyle& style) {
  std::string out = "This machine as a runner:\n" + rows(diagnosis.machine, style) + "\n";
  if (!diagnosis.manifest)
    return out +
           "No manifest: there is no kernelgate.toml here, and --manifest names none.\n"
           "Next: 'kernelgate init' writes one in a git repository. Without git and manifest,\n"
           "'kernelgate duel OLD NEW' compares two programs.\n";
  const ManifestFindings& manifest = *diagnosis.manifest;
  const std::string file = harmless(manifest.file);
  if (manifest.errors.empty()) return out + file + " is valid. Its suites:\n" + rows(manifest.suites, style);
  out += file + " is not valid:\n";
  for (const std::string& error : manifest.errors) out += harmless(error) + "\n";
  return out;
}

std::string to_json(const Diagnosis& diagnosis) {
  wire::DoctorDocument out{.exit_code = exit_code(diagnosis), .machine = diagnosis.machine, .manifest = {}};
  if (const auto& manifest = diagnosis.manifest)
    out.manifest = {.file = manifest->file,
                    .valid = manifest->errors.empty(),
                    .errors = manifest->errors,
                    .suites = manifest->suites};
  return wire::print(out);
}

}  // namespace kernelgate::doctor
