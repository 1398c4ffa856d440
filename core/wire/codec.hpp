// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON text of every message and back. Decoding is strict on types and lenient on unknown members, so that an older
// server and a newer runner can talk; errors name the member as a JSON pointer ("/evidence/suites/0/name").
// Non-finite numbers are refused. Text that is not UTF-8 is replaced on encoding (U+FFFD), refused on decoding.

#include <string>
#include <string_view>

#include "core/units/result.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::wire {

template <class Message>
[[nodiscard]] std::string encode(const Message& message);

template <class Message>
[[nodiscard]] Result<Message> decode(std::string_view json);

// Instantiated in codec_*.cpp, one file per family, for: Trigger, TriggerReply, TestbedFacts, ClaimRequest, Claim,
// Heartbeat, HeartbeatReply, Resolved, ResolvedReply, ProcessUpload, LogUpload, Finish, FinishReply, Release, Run,
// and the evidence and decision types (Process, RunEvidence, Comparison, RunDecision, StoredVariance, Series, CheckCase, Look).

}  // namespace kernelgate::wire
