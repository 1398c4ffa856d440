// SPDX-License-Identifier: Apache-2.0
#include "runner/code/disassembly.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "core/units/digest.hpp"
#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <class Use>
void each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    use(trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool take(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

int number_after(std::string_view line, std::string_view name) {
  std::size_t at = line.find(name);
  while (at != line.npos && at > 0 && line[at - 1] != ' ') at = line.find(name, at + 1);
  int value = 0;
  if (at != line.npos) std::from_chars(line.data() + at + name.size(), line.data() + line.size(), value);
  return std::max(value, 0);
}

// Fills by kernel and architecture; both texts name them alike.
class Kernels {
 public:
  KernelCode& of(std::string_view name, const std::string& arch) {
    KernelCode& code = codes_[{std::string(name), arch}];
    code.arch = arch;
    return code;
  }
  [[nodiscard]] std::size_t size() const { return codes_.size(); }

  std::vector<KernelCode> take() {
    std::vector<KernelCode> out;
    for (auto& [key, code] : codes_) {
      code.kernel = demangle(key.first);
      out.push_back(std::move(code));
    }
    return out;
  }

 private:
  std::map<std::pair<std::string, std::string>, KernelCode> codes_;
};

void read_resources(std::string_view text, Kernels& kernels) {
  std::string arch;
  std::string function;
  each_line(text, [&](std::string_view line) {
    if (take(line, "arch = ")) {
      arch = line;
    } else if (take(line, "Function ")) {
      function = line.substr(0, line.rfind(':'));
    } else if (!function.empty() && line.substr(0, 4) == "REG:") {
      KernelCode& code = kernels.of(function, arch);
      code.registers = number_after(line, "REG:");
      code.stack_bytes = number_after(line, "STACK:");
      code.static_shared_bytes = number_after(line, "SHARED:");
      code.local_bytes = number_after(line, "LOCAL:");
      function.clear();
    }
  });
}

void count(KernelCode& code, std::string_view instruction) {
  if (take(instruction, "@")) {  // a predicate
    const auto end = instruction.find(' ');
    if (end == instruction.npos) return;
    instruction = trim(instruction.substr(end));
  }
  const auto opcode = instruction.substr(0, instruction.find_first_of(" ;"));
  const std::string name = instruction_class(opcode);
  if (name.empty()) return;
  ++code.instructions[name];
  if (name == "STL") ++code.spill_stores;
  if (name == "LDL") ++code.spill_loads;
}

void read_sass(std::string_view text, Kernels& kernels) {
  std::string arch;
  KernelCode* code = nullptr;
  std::map<KernelCode*, Sha256> digests;
  each_line(text, [&](std::string_view line) {
    if (take(line, "arch = ")) {
      arch = line;
      code = nullptr;
    } else if (take(line, "Function : ")) {
      code = &kernels.of(line, arch);
    } else if (code != nullptr && take(line, "/*")) {
      // "/*0010*/ INSTRUCTION ; /* encoding */", or the second half of an encoding alone.
      const auto offset_end = line.find("*/");
      if (offset_end == line.npos) return;
      const bool has_offset = line.substr(0, 3) != " 0x";
      const auto rest = has_offset ? trim(line.substr(offset_end + 2)) : trim(line.substr(0, offset_end));
      const auto instruction = trim(rest.substr(0, rest.find("/*")));
      // The column of the encoding depends on the longest instruction of the file.
      digests[code].field(instruction).field(trim(rest.substr(std::min(instruction.size(), rest.size()))));
      if (has_offset) count(*code, instruction);
    }
  });
  for (auto& [owner, digest] : digests) owner->sass_sha256 = digest.hex();
}

constexpr std::array kWidths = {"U8", "S8", "U16", "S16", "64", "128"};

std::string width_of(std::string_view modifiers) {
  while (!modifiers.empty()) {
    modifiers.remove_prefix(1);
    const auto word = modifiers.substr(0, modifiers.find('.'));
    for (const std::string_view width : kWidths)
      if (word == width) return std::string(width.substr(width.find_first_of("0123456789")));
    modifiers.remove_prefix(std::min(word.size(), modifiers.size()));
  }
  return "32";
}

}  // namespace

std::string instruction_class(std::string_view opcode) {
  static constexpr std::array kCounted = {"FFMA",     "FADD",   "FMUL", "HFMA2", "DFMA", "DADD",  "DMUL",   "MUFU",
                                          "LDL",      "STL",    "LDS",  "STS",   "LDSM", "STSM",  "LDGSTS", "UTMALDG",
                                          "UTMASTG",  "UBLKCP", "BAR",  "SHFL",  "ATOM", "RED",   "ATOMG",  "ATOMS",
                                          "WARPSYNC", "SYNCS",  "BRA",  "CALL",  "IMAD", "MEMBAR"};
  const auto dot = std::min(opcode.find('.'), opcode.size());
  const auto name = opcode.substr(0, dot);
  if (name == "LDG" || name == "STG") return std::string(name) + "." + width_of(opcode.substr(dot));
  const bool is_matrix = name.size() > 3 && name.substr(name.size() - 3) == "MMA";  // HMMA, HGMMA, UTCHMMA …
  const bool counted = std::find(kCounted.begin(), kCounted.end(), name) != kCounted.end();
  return is_matrix || counted ? std::string(name) : std::string();
}

namespace {

// "S_", "S1A_", "T0_": what stood before, once more. Each pair of them can double the name that comes out.
int back_references(std::string_view name) {
  int out = 0;
  for (std::size_t at = name.find_first_of("ST"); at != name.npos; at = name.find_first_of("ST", at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != name.npos && name[end] == '_') ++out;
  }
  return out;
}

}  // namespace

std::string demangle(const std::string& name) {
  // A commit names its kernels as it likes: 300 bytes can stand for gigabytes.
  if (back_references(name) > limits::kBackReferencesMax) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

Result<std::vector<KernelCode>> parse_device_code(std::string_view resource_usage, std::string_view sass) {
  Kernels kernels;
  read_resources(resource_usage, kernels);
  read_sass(sass, kernels);
  if (kernels.size() > static_cast<std::size_t>(limits::kKernelsMax))
    return fail(Errc::too_large, "more than " + std::to_string(limits::kKernelsMax) + " kernels");
  return kernels.take();
}

}  // namespace kernelgate
