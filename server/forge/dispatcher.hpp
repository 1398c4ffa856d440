// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes one message to its target. Knows the ways of each forge; knows neither store nor patience.

#include <stop_token>
#include <string>

#include "platform/http/http_caller.hpp"
#include "server/forge/config.hpp"
#include "server/forge/github.hpp"
#include "server/forge/outcome.hpp"
#include "server/forge/requests.hpp"

namespace kernelgate::forge {

struct Dispatch {
  std::string target;
  std::string delivery;    // id of the message
  std::string remote_id;   // of what an earlier message of its key made over there; empty: unknown
  bool may_exist = false;  // it may have been made all the same: look before making another
};

class OutboxDispatcher {
 public:
  // All outlive it; `github` is null where GitHub is not configured.
  OutboxDispatcher(const Config& config, Github* github, const Clock& clock)
      : config_(config), github_(github), clock_(clock) {}

  [[nodiscard]] Outcome deliver(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop);

 private:
  [[nodiscard]] Outcome to_github(const ForgeRequest& request, const RunReport& report, const std::stop_token& stop);
  [[nodiscard]] Outcome check(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop);
  [[nodiscard]] Outcome comment(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop);
  [[nodiscard]] Outcome gitlab(const RunReport& report, const std::stop_token& stop);
  [[nodiscard]] Outcome webhook(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop);
  [[nodiscard]] Outcome chat(const Dispatch& dispatch, const RunReport& report, const std::stop_token& stop);

  const Config& config_;
  Github* github_;
  const Clock& clock_;
  HttpCaller caller_;
};

}  // namespace kernelgate::forge
