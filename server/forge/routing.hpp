// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who is told of what. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/messages.hpp"
#include "server/forge/config.hpp"
#include "service/outbox/outbox.hpp"

namespace kernelgate::forge {

// What a repository is called on each forge; empty: it does not live there.
struct Names {
  std::string github, gitlab;
};
// `full_name` where the URL's host is a configured forge, or says nothing of the name: a mirror that we fetch from.
[[nodiscard]] Names names_of(const Config& config, std::string_view url, const std::string& full_name);

// github-status, github-check, github-comment, gitlab-status, webhook:NAME, chat:NAME.
[[nodiscard]] std::vector<std::string> targets_of(const Config& config);
// Targets of one endpoint wait together: "github", "gitlab", "webhook:NAME".
[[nodiscard]] std::string endpoint_of(const std::string& target);

[[nodiscard]] std::vector<service::NewMessage> messages_for(const Config& config, const wire::Run& run,
                                                            const Names& names);

}  // namespace kernelgate::forge
