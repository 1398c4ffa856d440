// SPDX-License-Identifier: Apache-2.0
#pragma once

// A git repository of kernelgate's own suite in a temporary folder, whose commits do known amounts of extra work. Built
// by the machine's own compiler; goes away with the object. Private to commands/calibrate.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/decision/evidence/policy.hpp"
#include "core/units/result.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::local {

class ProbeRepository {
 public:
  // `compute`: capability of the GPU ("9.0"): nvcc builds it, and the work is done there; empty: on the processor.
  // Judged by `policy`'s band and pairs.
  [[nodiscard]] static Result<ProbeRepository> make(const Policy& policy, const std::string& compute);
  ProbeRepository(ProbeRepository&& other) noexcept;
  ~ProbeRepository();

  // A commit whose suite does this much more work: 0.03 is 3 %.
  [[nodiscard]] Result<CommitHash> commit(double injected) const;
  [[nodiscard]] const Git& git() const { return *git_; }

 private:
  explicit ProbeRepository(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] Status call_git(const std::vector<std::string>& args) const;

  std::filesystem::path folder_;
  std::optional<Git> git_;
};

// The suite's source, embedded when kernelgate is built.
[[nodiscard]] std::string_view probe_program();

}  // namespace kernelgate::local
