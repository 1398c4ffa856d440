// SPDX-License-Identifier: Apache-2.0
#pragma once

// Control groups (cgroup v2): the kernel counts what a program and all its descendants use, together, and ends them
// when they use too much memory. Groups are made below one that is ours: delegated by systemd, the root of a
// container, the machine's root, or one that a person named. Thread-safe.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/units/limits.hpp"
#include "core/units/result.hpp"
#include "platform/files/descriptor.hpp"

namespace kernelgate {

struct GroupLimits {
  Bytes memory{};  // swap included
  int processes = limits::kSandboxProcessesMax;
  int cpu_weight = limits::kProgramCpuWeight;
};

struct GroupFacts {
  std::uint64_t limit_hits = 0;  // memory.events, "oom": the limit was reached and nothing could be reclaimed
  std::uint64_t killed = 0;      // "oom_kill": processes that the kernel ended, for whatever lack of memory
  Bytes peak{};                  // 0: a kernel before 5.19 does not say
};

// One program's group. Its destructor ends who is still in it and removes it.
class ControlGroup {
 public:
  ControlGroup(ControlGroup&&) noexcept = default;
  ControlGroup& operator=(ControlGroup&&) = delete;
  ~ControlGroup();
  [[nodiscard]] int entry() const { return entry_.get(); }  // whoever writes "0" here enters
  [[nodiscard]] GroupFacts facts() const;

 private:
  friend class ControlGroups;
  explicit ControlGroup(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
  Descriptor entry_;
};

class ControlGroups {
 public:
  // `asked` is a group without processes that we may write; empty: one is looked for. May move this process into a
  // group of its own beside those of programs: a group with limits for others holds no process itself.
  // Errc::unsupported says what is missing.
  [[nodiscard]] static Result<ControlGroups> open(const std::filesystem::path& asked = {});

  [[nodiscard]] Result<ControlGroup> make(const GroupLimits& limits) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit ControlGroups(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace kernelgate
