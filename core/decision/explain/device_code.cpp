// SPDX-License-Identifier: Apache-2.0
#include "core/decision/explain/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace kernelgate {
namespace {

constexpr std::size_t kChangesShown = 20;  // of one comparison: a changed header changes every kernel

// What one multiprocessor holds. Registers are handed out by quarters of it, 256 at a time for each warp.
struct Multiprocessor {
  int warps, blocks, registers, shared_bytes, shared_reserved, registers_per_thread_max;
};
std::optional<Multiprocessor> multiprocessor_of(std::string_view arch) {
  if (arch.substr(0, 3) != "sm_") return std::nullopt;
  arch.remove_prefix(3);
  while (!arch.empty() && (arch.back() < '0' || arch.back() > '9')) arch.remove_suffix(1);  // sm_90a
  if (arch == "80") return Multiprocessor{64, 32, 65536, 164 << 10, 1024, 255};
  if (arch == "90" || arch == "100") return Multiprocessor{64, 32, 65536, 228 << 10, 1024, 255};
  return std::nullopt;
}

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Without return type and parameters.
std::string short_name(const std::string& kernel) {
  int depth = 0;
  std::size_t end = kernel.size(), begin = 0;
  for (std::size_t at = kernel.size(); at-- > 0;) {  // the last parentheses are the parameters
    if (kernel[at] == ')' && depth++ == 0 && at + 1 != kernel.size()) break;
    if (kernel[at] == '(' && --depth == 0) {
      end = at;
      break;
    }
  }
  depth = 0;
  for (std::size_t at = 0; at < end; ++at) {
    if (kernel[at] == '<' || kernel[at] == '(') ++depth;
    if (kernel[at] == '>' || kernel[at] == ')') --depth;
    if (kernel[at] == ' ' && depth == 0) begin = at + 1;
  }
  return begin < end ? kernel.substr(begin, end - begin) : kernel;
}

std::string template_name(const std::string& kernel) {
  const std::string name = short_name(kernel);
  return name.substr(0, name.find('<'));
}

int spilled_bytes(const KernelCode& code) {
  return code.spill_stores + code.spill_loads > 0 ? std::max(code.stack_bytes, code.local_bytes) : 0;
}

auto everything_of(const KernelCode& code) {
  return std::tie(code.kernel, code.arch, code.sass_sha256, code.registers, code.static_shared_bytes, code.local_bytes,
                  code.stack_bytes, code.spill_stores, code.spill_loads);
}

class Words {
 public:
  void number(const char* name, int base, int head, const char* unit = "") {
    if (base != head) add(fmt::format("{} {} -> {}{}", name, base, head, unit));
  }
  void add(const std::string& text) { text_ += (text_.empty() ? "" : ", ") + text; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string occupancy_text(const KernelCode& base, const KernelCode& head, const Launches& launches) {
  if (!launches.base || !launches.head) return {};
  const auto before = theoretical_occupancy(base, *launches.base), after = theoretical_occupancy(head, *launches.head);
  if (!before || !after || *before == *after) return {};
  const int was = launches.base->block_threads, is = launches.head->block_threads;
  const std::string threads = was == is ? fmt::format("{}", is) : fmt::format("{} -> {}", was, is);
  return fmt::format("occupancy {:.3g} % -> {:.3g} % at {} threads", 100 * *before, 100 * *after, threads);
}

std::string difference(const KernelCode& base, const KernelCode& head, const Launches& launches) {
  Words words;
  words.number("registers", base.registers, head.registers);
  if (spilled_bytes(base) != spilled_bytes(head))
    words.add(fmt::format("spills {} -> {} bytes ({} -> {} stores, {} -> {} loads)", spilled_bytes(base),
                          spilled_bytes(head), base.spill_stores, head.spill_stores, base.spill_loads,
                          head.spill_loads));
  else
    words.number("stack", base.stack_bytes, head.stack_bytes, " bytes");
  words.number("static shared memory", base.static_shared_bytes, head.static_shared_bytes, " bytes");
  std::set<std::string> classes;
  for (const auto* side : {&base, &head})
    for (const auto& [name, count] : side->instructions) classes.insert(name);
  const auto count = [](const KernelCode& code, const std::string& name) {
    const auto found = code.instructions.find(name);
    return found == code.instructions.end() ? 0 : found->second;
  };
  for (const std::string& name : classes)
    if (name != "LDL" && name != "STL") words.number(name.c_str(), count(base, name), count(head, name));
  if (const std::string text = occupancy_text(base, head, launches); !text.empty()) words.add(text);
  if (words.text().empty() && everything_of(base) != everything_of(head))
    return "other operands or another order of instructions";
  return words.text();
}

using Key = std::pair<std::string, std::string>;  // kernel, arch
std::map<Key, const KernelCode*> by_name(std::span<const KernelCode> codes) {
  std::map<Key, const KernelCode*> out;
  for (const KernelCode& code : codes) out[{code.kernel, code.arch}] = &code;
  return out;
}

std::vector<const KernelCode*> only_in(const std::map<Key, const KernelCode*>& these,
                                       const std::map<Key, const KernelCode*>& others) {
  std::vector<const KernelCode*> out;
  for (const auto& [key, code] : these)
    if (others.count(key) == 0) out.push_back(code);
  return out;
}

// The one of `codes` that is another instance of the same template, if there is just one.
const KernelCode* sole_relative(const KernelCode& code, const std::vector<const KernelCode*>& codes) {
  const KernelCode* found = nullptr;
  for (const KernelCode* other : codes) {
    if (other->arch != code.arch || template_name(other->kernel) != template_name(code.kernel)) continue;
    if (found != nullptr) return nullptr;
    found = other;
  }
  return found;
}

// The counters of the last usable series of a benchmark on one side.
std::optional<LaunchShape> launch_on(const SuiteEvidence& suite, const std::string& benchmark, Side side) {
  std::optional<LaunchShape> out;
  for (const Process& process : suite.processes)
    if (process.side == side)
      for (const Series& series : process.series)
        if (series.benchmark == benchmark)
          if (const auto launch = launch_of(series.counters)) out = launch;
  return out;
}

}  // namespace

std::optional<LaunchShape> launch_of(const std::map<std::string, double>& counters) {
  const auto threads = counters.find("block");
  if (threads == counters.end() || !(threads->second >= 1) || threads->second > 1024) return std::nullopt;
  LaunchShape out{.block_threads = static_cast<int>(threads->second)};
  const auto shared = counters.find("smem");
  if (shared != counters.end() && shared->second > 0 && shared->second < 1e6)
    out.dynamic_shared_bytes = static_cast<int>(shared->second);
  return out;
}

std::optional<double> theoretical_occupancy(const KernelCode& code, const LaunchShape& launch) {
  const auto sm = multiprocessor_of(code.arch);
  if (!sm || launch.block_threads < 1) return std::nullopt;
  const int warps = round_up(launch.block_threads, 32) / 32;
  int blocks = std::min(sm->blocks, sm->warps / warps);
  if (code.registers > 0) {
    const int of_warp = round_up(code.registers * 32, 256);
    blocks = std::min(blocks, 4 * (sm->registers / 4 / of_warp) / warps);
  }
  const int shared = round_up(code.static_shared_bytes + launch.dynamic_shared_bytes + sm->shared_reserved, 128);
  blocks = std::min(blocks, sm->shared_bytes / shared);
  return static_cast<double>(blocks * warps) / sm->warps;
}

bool same_device_code(std::span<const KernelCode> base, std::span<const KernelCode> head) {
  if (base.empty() || base.size() != head.size()) return false;
  const auto before = by_name(base), after = by_name(head);
  return std::all_of(before.begin(), before.end(), [&](const auto& entry) {
    const auto other = after.find(entry.first);
    return other != after.end() && everything_of(*entry.second) == everything_of(*other->second);
  });
}

std::vector<std::string> code_changes(std::span<const KernelCode> base, std::span<const KernelCode> head,
                                      const Launches& launches) {
  if (base.empty() || head.empty()) return {};
  const auto before = by_name(base), after = by_name(head);
  std::vector<std::string> out;
  const auto say = [&out](const std::string& kernel, const std::string& what) {
    if (!what.empty()) out.push_back(kernel + ": " + what);
  };
  for (const auto& [key, code] : before) {
    const auto other = after.find(key);
    if (other != after.end()) say(short_name(code->kernel), difference(*code, *other->second, launches));
  }
  const auto gone = only_in(before, after), fresh = only_in(after, before);
  for (const KernelCode* code : gone) {
    const KernelCode* other = sole_relative(*code, fresh);
    if (other == nullptr || sole_relative(*other, gone) == nullptr)
      say(short_name(code->kernel), "gone");
    else
      say(short_name(code->kernel) + " -> " + short_name(other->kernel), difference(*code, *other, launches));
  }
  for (const KernelCode* code : fresh) {
    const KernelCode* other = sole_relative(*code, gone);
    if (other == nullptr || sole_relative(*other, fresh) == nullptr)
      say(short_name(code->kernel),
          fmt::format("new, {} registers, spills {} bytes", code->registers, spilled_bytes(*code)));
  }
  if (out.size() > kChangesShown) {
    const std::size_t more = out.size() - kChangesShown;
    out.resize(kChangesShown);
    out.push_back(fmt::format("and {} more kernels", more));
  }
  return out;
}

void add_code_changes(const SuiteEvidence& suite, std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    if (comparison.verdict != Verdict::regressed) continue;
    const Launches launches{launch_on(suite, comparison.benchmark, Side::base),
                            launch_on(suite, comparison.benchmark, Side::head)};
    comparison.code_changes = code_changes(suite.base_code, suite.head_code, launches);
  }
}

}  // namespace kernelgate
