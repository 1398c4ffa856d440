// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a repository lives, read from the URL that git fetches: host and owner/name, so that the same repository
// reached by https and by ssh is known as one. Files and plain paths live at no host.

#include <optional>
#include <string>
#include <string_view>

namespace kernelgate {

struct RepositoryUrl {
  std::string host;       // lower case, without user and port
  std::string full_name;  // "owner/name", without slashes around it and without ".git"
  bool operator==(const RepositoryUrl&) const = default;
};
// https://host/owner/name.git, ssh://user@host:port/owner/name, user@host:owner/name
[[nodiscard]] std::optional<RepositoryUrl> parse_repository_url(std::string_view url);

// Forges do not distinguish case in owner and name.
[[nodiscard]] bool same_full_name(std::string_view a, std::string_view b);

// One or more owners and a name, of letters, digits, '.', '_' and '-', parted by '/'.
[[nodiscard]] bool is_full_name(std::string_view text);

}  // namespace kernelgate
