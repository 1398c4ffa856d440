// SPDX-License-Identifier: Apache-2.0
#pragma once

// The requests that tell forges and others of a run. Pure: what is sent follows from the report alone, so that golden
// files can hold it.

#include <optional>
#include <string>
#include <string_view>

#include "server/forge/config.hpp"
#include "server/forge/run_report.hpp"

namespace kernelgate::forge {

struct ForgeRequest {
  std::string method, path, body;  // path follows the forge's api_url
};

[[nodiscard]] ForgeRequest github_status(const GithubConfig& config, const RunReport& report);

// `id` of the check run that was made before; empty: a new one.
[[nodiscard]] ForgeRequest github_check(const GithubConfig& config, const RunReport& report, const std::string& id);
[[nodiscard]] std::string check_search(const GithubConfig& config, const RunReport& report, int page);
// The run's check run on one page of the search's answer. `rows` is how many the page held.
[[nodiscard]] std::string find_check(const std::string& answer, const RunReport& report, std::size_t& rows);

// `id` of the comment that is edited; empty: a new one.
[[nodiscard]] ForgeRequest github_comment(const GithubConfig& config, const RunReport& report, const std::string& id);
[[nodiscard]] std::string comment_search(const RunReport& report, int page);
// Our comment on one page: it begins with the marker, and `login` wrote it.
[[nodiscard]] std::string find_comment(const std::string& answer, const GithubConfig& config, const std::string& login,
                                       std::size_t& rows);

[[nodiscard]] ForgeRequest gitlab_status(const GitlabConfig& config, const RunReport& report);
// GitLab refuses a status that the commit has already.
[[nodiscard]] bool says_it_already(const std::string& gitlab_answer);

[[nodiscard]] std::string webhook_body(const RunReport& report, const std::string& delivery);
[[nodiscard]] std::string chat_body(const RunReport& report);

// The id of what a forge just made.
[[nodiscard]] std::string id_in(const std::string& answer);

}  // namespace kernelgate::forge
