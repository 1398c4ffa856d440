// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where finished runs are looked up: a server, or a store on this machine. Both answer with the same messages.
// Reads only; blocks.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/units/result.hpp"
#include "core/wire/history.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::browse {

struct Target {
  std::string server;              // URL; empty: a store
  std::string token_file;          // may be empty where reading is public
  std::filesystem::path database;  // empty: that of `kernelgate run` in `repo`
  std::filesystem::path repo = ".";
  std::string repository;  // empty: the only one of a store; a server needs it for histories
};

// Whether there is a store to look into without a server.
[[nodiscard]] bool has_store(const Target& target);

struct RunsWanted {
  // Empty: any. `commit` is a full hash, or a revision of Target::repo.
  std::string commit{}, branch{}, state{};
  int limit = 20;
};
// Newest first, without comparisons.
[[nodiscard]] Result<std::vector<wire::Run>> list_runs(const Target& target, const RunsWanted& wanted);
[[nodiscard]] Result<wire::Run> one_run(const Target& target, std::int64_t id);

struct HistoriesWanted {
  std::string benchmark{};  // regular expression, searched in the name
  std::string suite{};      // empty: all
  std::string branch{};     // empty: the default branch; of a local store, any
  std::int64_t epoch = 0;   // 0: that of a benchmark's newest point
  int points = 1000;        // the newest so many
};
// By suite and name. Errc::invalid: no regular expression; Errc::not_found: nothing fits, no such suite, or no point of
// the branch or epoch that is asked for.
[[nodiscard]] Result<std::vector<wire::BenchmarkHistory>> histories(const Target& target,
                                                                    const HistoriesWanted& wanted);

}  // namespace kernelgate::browse
