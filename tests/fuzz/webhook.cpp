// SPDX-License-Identifier: Apache-2.0
// First line: the header with the signature. Then a body, read as every event that is known.
#include "core/units/git_hash.hpp"
#include "server/webhooks/event.hpp"
#include "server/webhooks/signature.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

constexpr const char* kEvents[] = {"ping",        "push",         "pull_request", "check_run",
                                   "check_suite", "installation", "star",         "installation_repositories"};

void check(const webhooks::Event& event) {
  if (event.wish == webhooks::Wish::judge) {
    require(is_git_hash(event.head.commit), "a commit to judge is a full hash");
    require(!event.head.branch.empty(), "a commit to judge is on a branch");
    (void)webhooks::base_of(event.head, "main");
  }
  if (event.wish == webhooks::Wish::rerun || event.wish == webhooks::Wish::accept)
    require(is_git_hash(event.check.commit) && event.check.run >= 0, "a click names a commit");
  if (event.wish == webhooks::Wish::installation) require(event.installation.id > 0, "an installation has a number");
}

}  // namespace

bool webhook(std::string_view input) {
  const auto [signature, body] = first_line(input);
  const bool signed_by_us = webhooks::is_signed("a secret", body, signature);
  require(!signed_by_us || webhooks::is_signature(signature), "what is signed has a signature");
  require(webhooks::is_signed("a secret", body, webhooks::signature_of("a secret", body)), "a signature is its own");
  bool wanted = false;
  for (const char* name : kEvents) {
    const auto event = webhooks::parse_event(name, body);
    if (!event) continue;
    check(*event);
    wanted = wanted || (event->wish != webhooks::Wish::nothing && event->wish != webhooks::Wish::unknown);
  }
  return wanted;
}

}  // namespace kernelgate::fuzz
