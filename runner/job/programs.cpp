// SPDX-License-Identifier: Apache-2.0
#include "runner/job/programs.hpp"

#include <algorithm>
#include <sstream>

#include "core/decision/explain/device_code.hpp"
#include "core/units/digest.hpp"
#include "core/wire/codec.hpp"
#include "runner/build/identity.hpp"

namespace kernelgate {
namespace {

std::string note_name(const std::string& line) { return "device-code-" + sha256_hex(line).substr(0, 16); }

std::optional<gpu::DeviceCode> remembered(const Build& build, const std::string& line) {
  gpu::DeviceCode code;
  std::istringstream lines(build.load_note(note_name(line)));
  for (std::string text; std::getline(lines, text);) {
    if (text.rfind("data ", 0) == 0) {  // written last: a note cut short is none
      code.data_sha256 = text.substr(5);
      return code;
    }
    auto kernel = wire::decode<KernelCode>(text);
    if (!kernel) return std::nullopt;
    code.kernels.push_back(std::move(*kernel));
  }
  return std::nullopt;
}

void remember(const Build& build, const std::string& line, const gpu::DeviceCode& code) {
  std::string note;
  for (const KernelCode& kernel : code.kernels) note += wire::encode(kernel) + "\n";
  // Without its note the code is only read again.
  (void)build.store_note(note_name(line), note + "data " + code.data_sha256 + "\n");
}

// Whether the line, its folder or its environment names a place.
bool names(const std::string& line, const CommandSetting& setting, std::string_view place) {
  const auto holds = [place](const std::string& text) { return text.find(place) != text.npos; };
  return holds(line) || holds(setting.cwd) || std::any_of(setting.path.begin(), setting.path.end(), holds) ||
         std::any_of(setting.env.begin(), setting.env.end(), [&](const auto& one) { return holds(one.second); });
}

// Files of the build that are neither program nor library are no part of an identity. Libraries are.
bool depends_on_build(const CommandSetting& setting) {
  const auto names_build = [](const auto& variable) {
    return variable.first != "LD_LIBRARY_PATH" && variable.second.find("{build}") != std::string::npos;
  };
  const auto holds_build = [](const std::string& folder) { return folder.starts_with("{build}"); };
  return std::any_of(setting.env.begin(), setting.env.end(), names_build) ||
         std::any_of(setting.path.begin(), setting.path.end(), holds_build);
}

}  // namespace

ProgramPairs::ProgramPairs(JobStage& stage, const SuiteBuilds& builds, std::vector<std::string>& notices)
    : stage_(stage), builds_(builds), notices_(notices) {}

Result<bool> ProgramPairs::same(const SuiteSpec& spec, const std::string& line) {
  if (builds_.base == nullptr || line.empty() || depends_on_build(spec.setting)) return false;
  const auto same = same_program(line);
  if (!same || !*same || !names(line, spec.setting, "{source}")) return same;
  if (spec.data) return same_data(spec);
  say_once(spec.name +
           ": both sides have the same program, and its line names {source}: that it reads the same there is "
           "known where the manifest says what it reads (data = [...])");
  return false;
}

Result<bool> ProgramPairs::same_data(const SuiteSpec& spec) {
  const auto base = data_digest(builds_.base->source, *spec.data), head = data_digest(builds_.head->source, *spec.data);
  if (!base) return pass_on(base);
  if (!head) return pass_on(head);
  return *base && *head && **base == **head;
}

Result<bool> ProgramPairs::same_program(const std::string& line) {
  const auto base = suite_identity(builds_.base->build, line), head = suite_identity(builds_.head->build, line);
  if (!base || !head || !*base || !*head) return false;  // a damaged file is found out by starting it
  if ((*base)->host != (*head)->host) return false;
  if ((*base)->embedded == (*head)->embedded) return true;
  const auto before = code(Side::base, line), after = code(Side::head, line);
  if (!before) return pass_on(before);
  if (!after) return pass_on(after);
  return *before && *after && (*before)->data_sha256 == (*after)->data_sha256 &&
         same_device_code((*before)->kernels, (*after)->kernels);
}

Result<std::vector<KernelCode>> ProgramPairs::kernels(Side side, const std::string& line) {
  const auto found = code(side, line);
  if (!found) return pass_on(found);
  return *found ? (*found)->kernels : std::vector<KernelCode>();
}

Result<ProgramPairs::Code> ProgramPairs::code(Side side, const std::string& line) {
  const auto key = std::pair(side, line);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  const Build& build = *build_of(side);
  Code& code = known_[key];
  auto files = files_with_device_code(build.build, line);
  if (files.empty()) return code;
  if (code = remembered(build, line); code) return code;
  const auto tool = gpu::find_cuda_tool("cuobjdump", stage_.machine.cuda_tools);
  if (tool.empty()) {
    say_once("device code was not read: there is no cuobjdump on this machine");
    return code;
  }
  auto read = gpu::read_device_code({stage_.machine.sandbox, build.build, std::move(files), tool}, stage_.stop);
  if (!read) {
    say_once("device code was not read: " + to_string(read.error()));
    return code;
  }
  remember(build, line, *read);
  code = std::move(*read);
  return code;
}

void ProgramPairs::say_once(const std::string& notice) {
  if (std::find(notices_.begin(), notices_.end(), notice) == notices_.end()) notices_.push_back(notice);
}

}  // namespace kernelgate
