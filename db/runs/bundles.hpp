// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a replay needs beyond the rows of a run: the text of the manifest and the program that decided, written with the
// verdict; and the bundle made of all of it. Call inside a Database work.

#include <string>

#include "core/wire/bundle.hpp"
#include "db/store/connection.hpp"

namespace kernelgate::db {

struct JudgedBy {
  std::string manifest;  // text of the effective manifest; empty: the run never got as far as one
  std::string program;   // "kernelgate 0.1.0 (1a2b3c4d5e)"; not empty
};
// In the transaction of finish_run, after it.
void put_judged_by(Connection& connection, RunId run, const JudgedBy& by);

// Of a run that reuses a verdict: the bundle of the run that was measured. Errc::conflict: not finished, or cancelled;
// Errc::unsupported: finished by a program that did not keep what a bundle needs.
[[nodiscard]] Result<wire::Bundle> make_bundle(Connection& connection, RunId run);

}  // namespace kernelgate::db
