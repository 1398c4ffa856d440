// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a runner on this machine could do, and whether a manifest is right. Reads and starts small programs; changes
// nothing. What it finds is for people and scripts: each finding that is not ok says how to fix it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "commands/output/report.hpp"
#include "core/units/result.hpp"
#include "core/wire/tool_documents.hpp"

namespace kernelgate::doctor {

using wire::Finding;
using wire::Grade;

struct ManifestFindings {
  std::string file;
  std::vector<std::string> errors;  // none: it is valid
  std::vector<Finding> suites;      // can each be measured here?
};

struct Diagnosis {
  std::vector<Finding> machine;
  std::optional<ManifestFindings> manifest;  // absent where there is none
};

struct Request {
  std::optional<std::filesystem::path> manifest{};  // must exist; otherwise the one at the root of `repo`, if any
  std::filesystem::path repo = ".";
  std::string path{};                       // PATH to look for tools on; empty: ours
  std::filesystem::path probe_folder{};     // of kg_probe_health; empty: beside this program
  int gpu = 0;                              // index of the GPU to try
  std::filesystem::path system_root = "/";  // where proc and sys are: tests plant their own
};

// Errc::not_found for a --manifest or a --repo that does not exist.
[[nodiscard]] Result<Diagnosis> examine(const Request& request);

// 0; 2 where the manifest is wrong; 4 where something is missing.
[[nodiscard]] int exit_code(const Diagnosis& diagnosis);

[[nodiscard]] std::string to_table(const Diagnosis& diagnosis, const report::TableStyle& style);
[[nodiscard]] std::string to_json(const Diagnosis& diagnosis);

}  // namespace kernelgate::doctor
