// SPDX-License-Identifier: Apache-2.0
#include "server/api/history/findings.hpp"

#include <utility>

#include "core/wire/codec.hpp"

namespace kernelgate::api {
RunFindings findings_of(db::Connection& connection, RunId run) {
  const auto documents = db::get_documents(connection, run);
  if (!documents) return {};
  auto decision = wire::decode<RunDecision>(documents->decision);
  if (!decision) return {};
  return {.workloads = std::move(decision->workloads), .regions = std::move(decision->regions)};
}

}  // namespace kernelgate::api
