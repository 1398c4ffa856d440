// SPDX-License-Identifier: Apache-2.0
#pragma once

// A repository's present baselines as text, and back (docs/BASELINES.md). An imported baseline brings its run, of
// source "import", and its sessions, of source "remeasure", all with thinned samples. Private to service/; call inside
// a Database work.

#include <string>
#include <string_view>

#include "core/wire/upkeep.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::service {

struct BaselineExport {
  RepositoryId repository;
  std::string name{};     // of a baseline; empty: all present ones
  std::string program{};  // version line of who writes
};
// not_found: there is none. too_large: over limits::kImportMax.
[[nodiscard]] Result<std::string> export_baselines(db::Connection& connection, const BaselineExport& wanted);

struct BaselineImport {
  RepositoryId repository;
  std::string testbed{};  // in place of the name in the file; empty: that one
  std::string actor{};
};
// All of the text or, with an error, nothing of it: the caller's transaction must then roll back. Text that was
// imported before changes nothing. invalid: a line that is malformed or contradicts an earlier one, by its number.
// conflict: the testbed is known here and never had these facts, or a process or baseline is known here with others.
// Logged as baseline.import.
[[nodiscard]] Result<wire::ImportReply> import_baselines(db::Connection& connection, const BaselineImport& wanted,
                                                         std::string_view text, Instant now);

}  // namespace kernelgate::service
