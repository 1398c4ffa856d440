// SPDX-License-Identifier: Apache-2.0
#pragma once

// `kernelgate baseline`, `quarantine` and `prune`: promoted baselines, their sessions, regressions that somebody
// accepts, benchmarks that are set aside, samples that are thinned; the same actions on a store and on a server.
// Blocks.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "commands/run/run.hpp"
#include "core/units/result.hpp"
#include "core/wire/baselines.hpp"
#include "core/wire/upkeep.hpp"

namespace kernelgate::local {

// Where the actions are done: on a server where one is named, else in the local store of a git repository.
struct BaselineTarget {
  std::string server, token_file;
  std::string repository;              // its name on the server, or in the store
  std::filesystem::path folder = ".";  // local: any folder of the git repository
  std::string program = "kernelgate";  // version line, kept in exports
  std::filesystem::path database;      // any store; empty: the repository's own
};

struct BaselineList {
  std::vector<wire::Baseline> baselines;  // newest first
  std::vector<wire::AcknowledgementRecord> acknowledgements;
};

struct Remeasure {
  std::string name;  // of a baseline; empty: all present ones
  int processes = 2;
  bool no_sandbox = false;  // local
  std::vector<int> cpus;    // local
};

// The `repository` of requests is filled in by the place.
class Baselines {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Baselines>> open(const BaselineTarget& target);
  virtual ~Baselines() = default;

  [[nodiscard]] virtual Result<BaselineList> list() = 0;
  [[nodiscard]] virtual Result<wire::WholeBaseline> promote(wire::Promotion promotion) = 0;
  // On a server: queues a session of each. Locally: measures them here, one after the other.
  [[nodiscard]] virtual Result<wire::RemeasureReply> remeasure(const Remeasure& wanted, const RunProgress& progress,
                                                               std::stop_token stop) = 0;
  [[nodiscard]] virtual Result<wire::AcknowledgementRecord> accept(wire::AcceptRequest request) = 0;
  [[nodiscard]] virtual Result<wire::AcknowledgementRecord> revoke(std::int64_t id,
                                                                   wire::RevokeAcceptanceRequest request) = 0;

  // Two commits, or baselines by name.
  [[nodiscard]] virtual Result<wire::BaselineDiff> diff(const std::string& a, const std::string& b) = 0;
  // As a file's text, and back (docs/BASELINES.md). `name`: of a baseline; empty: all. `testbed`: in place of the
  // file's.
  [[nodiscard]] virtual Result<std::string> export_text(const std::string& name) = 0;
  [[nodiscard]] virtual Result<wire::ImportReply> import_text(const std::string& text, const std::string& testbed) = 0;

  // Benchmarks that are set aside as unstable; `released`: those too that no longer are. Newest first.
  [[nodiscard]] virtual Result<std::vector<wire::QuarantineRecord>> quarantines(bool released) = 0;
  [[nodiscard]] virtual Result<wire::QuarantineRecord> quarantine(wire::QuarantineRequest request) = 0;
  [[nodiscard]] virtual Result<wire::QuarantineRecord> release(std::int64_t id, wire::ReleaseRequest request) = 0;
};

// For people, and {"schema":1,"baselines":[…],"acknowledgements":[…]}.
[[nodiscard]] std::string baseline_table(const BaselineList& list);
[[nodiscard]] std::string acceptance_table(const wire::AcknowledgementRecord& made);
[[nodiscard]] std::string baseline_json(const BaselineList& list);

// Raw samples of old runs become their quantiles, in all of a store. `repository` of the place plays no part.
[[nodiscard]] Result<wire::PruneReply> prune(const BaselineTarget& target, const wire::PruneRequest& request);
[[nodiscard]] Result<wire::PruneReply> prune_local(const BaselineTarget& target, const wire::PruneRequest& request);
[[nodiscard]] Result<wire::PruneReply> prune_remote(const BaselineTarget& target, const wire::PruneRequest& request);

// A file of baselines. read: at most limits::kImportMax. write: conflict where it is there already.
[[nodiscard]] Result<std::string> read_baseline_file(const std::filesystem::path& file);
[[nodiscard]] Status write_baseline_file(const std::filesystem::path& file, const std::string& text);

[[nodiscard]] std::string diff_table(const wire::BaselineDiff& diff);
[[nodiscard]] std::string diff_json(const wire::BaselineDiff& diff);
[[nodiscard]] std::string quarantine_table(const std::vector<wire::QuarantineRecord>& quarantines);
[[nodiscard]] std::string quarantine_json(const std::vector<wire::QuarantineRecord>& quarantines);
[[nodiscard]] std::string prune_text(const wire::PruneReply& reply);

[[nodiscard]] Result<std::unique_ptr<Baselines>> open_local_baselines(const BaselineTarget& target);
[[nodiscard]] Result<std::unique_ptr<Baselines>> open_remote_baselines(const BaselineTarget& target);

}  // namespace kernelgate::local
