// SPDX-License-Identifier: Apache-2.0
#pragma once

// The demo's stage: a folder with the scenario's repository and its bare remote, and server and runner as child
// processes of our own executable. The children end with the stage.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "client/client.hpp"
#include "commands/demo/child.hpp"
#include "commands/demo/demo.hpp"
#include "commands/demo/needs.hpp"
#include "commands/demo/scenario.hpp"
#include "core/units/git_hash.hpp"
#include "core/units/result.hpp"

namespace kernelgate::demo {

inline constexpr const char* kRepository = "bsr-gemm-scenario";  // its name on the server

// The folder all of it lies in; removed at the end if we made it and nobody wants to keep it.
class WorkFolder {
 public:
  [[nodiscard]] static Result<WorkFolder> open(const DemoOptions& options);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  WorkFolder(std::filesystem::path path, bool remove) : path_(std::move(path)), remove_(remove) {}
  std::filesystem::path path_;
  bool remove_;
};

struct Stage {
  Address address;
  std::filesystem::path source, remote;  // the repository and what it pushes to
  std::vector<CommitHash> commits;       // one per step
  std::optional<Child> server, runner;
  std::optional<Client> api;

  // Pushes the commit of a step to its branch; the remote's hook triggers the run.
  [[nodiscard]] Status push(const Step& step) const;
  // Errc::unavailable with its last words if one of the children has ended.
  [[nodiscard]] Status children_alive();
  void stop();
};

[[nodiscard]] Result<Stage> set_stage(const DemoOptions& options, const Scenario& scenario,
                                      const std::filesystem::path& folder);

}  // namespace kernelgate::demo
