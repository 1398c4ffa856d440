// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON text of every message and back. Decoding is strict on types and lenient on unknown members,
// so that an older server and a newer runner can talk; errors name the member as a JSON pointer
// ("/evidence/suites/0/name"). Nesting is limited to limits::kJsonDepthMax. Text that is not UTF-8 is
// replaced on encoding (U+FFFD), refused on decoding. A number that is not finite is refused on
// decoding; encoding one throws std::invalid_argument with its pointer.

#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

template <class Message>
[[nodiscard]] std::string encode(const Message& message);

// The same for people: indented, with a line break at the end.
template <class Message>
[[nodiscard]] std::string print(const Message& message);

// What commands print with --format json: the members of `object` after "schema":1, and a line break.
[[nodiscard]] std::string as_document(std::string_view object);

// {"schema":1,"<name>":[…]}
template <class Message>
[[nodiscard]] std::string list_document(std::string_view name, const std::vector<Message>& messages) {
  std::string list;
  for (const Message& message : messages) list += (list.empty() ? "" : ",") + encode(message);
  return as_document("{\"" + std::string(name) + "\":[" + list + "]}");
}

template <class Message>
[[nodiscard]] Result<Message> decode(std::string_view json);

// Deeper than limits::kJsonDepthMax: for readers of other programs' JSON, whose recursion would end the process.
[[nodiscard]] bool nests_too_deep(std::string_view json);

// Instantiated in codec/*.cpp, one file per family:
// - triggers: BaseRequest, KnownTrees, Trigger, TriggerReply, Run, RunPage, RepositoryRequest,
// Repository, Problem
// - jobs: TestbedFacts, ClaimRequest, Claim, Heartbeat, HeartbeatReply, Resolved, ResolvedReply,
// ProcessUpload,
//   UploadReply, LogUpload, Finish, FinishReply, Release
// - evidence: Series, Process, CheckCase, CaseFailure, KernelCode, KernelProfile, PinnedResult,
//   Ceilings, StoredSessions, Acknowledgement, Quarantine, SuiteEvidence, RunEvidence, StoredVariance
// - baselines (baselines.hpp): BaselinePage, WholeBaseline, Promotion, RemeasureRequest, RemeasureReply, AcceptRequest,
//   AcknowledgementRecord, AcknowledgementPage, RevokeAcceptanceRequest
// - accounts (accounts.hpp): LoginRequest, Caller, ActionPage
// - shown (shown.hpp): PairFigures, ComparedRuns
// - decision: Look, DistributionChange, RoofPosition, Comparison, WorkloadResult, RegionResult, RunDecision

}  // namespace kernelgate::wire
