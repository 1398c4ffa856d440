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

}  // namespace

ProgramPairs::ProgramPairs(JobStage& stage, const SuiteBuilds& builds, std::vector<std::string>& notices)
    : stage_(stage), builds_(builds), notices_(notices) {}

Result<bool> ProgramPairs::same(const std::string& line) {
  if (builds_.base == nullptr || line.empty()) return false;
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
