// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a webhook of a forge asks for, as plain values: knows neither JSON nor which repositories are watched.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/units/time.hpp"
#include "core/wire/messages.hpp"

namespace kernelgate::webhooks {

enum class Wish {
  nothing,       // known, and none of our business: `why` says so
  unknown,       // no event that we know
  judge,         // `head` is new on its branch or pull request
  close,         // the branch or pull request is gone: its unfinished runs are pointless; `merged` says why
  rerun,         // measure `check` again
  accept,        // accept the regressions of `check`, and measure it again
  installation,  // the App was installed somewhere, or no longer
};

// Head of a push or a pull request.
struct Head {
  std::string commit;
  std::string branch;
  std::string before;  // of a push: the tip before it; zeros: a new branch; empty: a pull request
  std::string subject, author;
  std::optional<wire::PullRequest> pull_request;
  std::optional<Instant> pushed_at;  // by the forge's clock
};

// The check run or suite that somebody clicked on.
struct Check {
  std::string commit;
  std::int64_t run = 0;  // ours, as the check run's external_id says; 0: any of that commit
};

struct Installation {
  std::int64_t id = 0;
  std::vector<std::string> added, removed;  // full names
  bool gone = false;
  std::optional<bool> suspended;
};

struct Event {
  std::string name, action;
  std::string repository;         // full name; empty: the event belongs to none
  std::vector<std::string> urls;  // that the repository has
  std::string sender;             // login
  Wish wish = Wish::nothing;
  std::string why;
  bool merged = false;  // the pull request's head, or what the forge made of it, is on the target branch now
  Head head{};
  Check check{};
  Installation installation{};
};

// What head is compared with: a push to the default branch against the tip before it, all else against the merge base.
[[nodiscard]] wire::BaseRequest base_of(const Head& head, const std::string& default_branch);

}  // namespace kernelgate::webhooks
