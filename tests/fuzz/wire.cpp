// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/units/limits.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/baselines.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/plain_json.hpp"
#include "core/wire/profiles.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

// What was decoded is encoded to what decodes to the same.
template <class Message>
bool round_trips(std::string_view input) {
  const auto message = wire::decode<Message>(input);
  if (!message) return false;
  const std::string text = wire::encode(*message);
  const auto again = wire::decode<Message>(text);
  require(again.has_value(), "what is encoded can be decoded");
  require(wire::encode(*again) == text, "and is the same");
  return true;
}

template <class... Messages>
bool any_of(std::string_view input) {
  int read = 0;
  ((read += round_trips<Messages>(input) ? 1 : 0), ...);
  return read > 0;
}

// The fast reader takes nothing that the strict one refuses, and makes the same of it.
void compare_readers(std::string_view input) {
  const auto fast = wire::parse_plain(input);
  if (!fast) return;
  require(!wire::nests_too_deep(input), "the fast reader keeps the limit on depth");
  const auto strict = nlohmann::json::parse(input, nullptr, false);
  require(!strict.is_discarded(), "the fast reader reads JSON alone");
  require(strict == *fast, "both readers read the same");
}

}  // namespace

bool wire(std::string_view input) {
  compare_readers(input);
  using namespace wire;  // NOLINT(google-build-using-namespace): the messages
  return any_of<Trigger, RepositoryRequest, LoginRequest, AcceptRequest, Promotion, RemeasureRequest, ClaimRequest,
                Heartbeat, Resolved, ProcessUpload, LogUpload, Finish, Release, ProfileEnd, Claim, ResolvedReply,
                UploadReply, FinishReply, RunPage, Run, Problem, RunDecision>(input);
}

}  // namespace kernelgate::fuzz
