// SPDX-License-Identifier: Apache-2.0
#pragma once

// Git object names. One that exists is valid: 40 or 64 lower-case hex digits (SHA-1 or SHA-256).

#include <compare>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate {

[[nodiscard]] bool is_git_hash(std::string_view text);

// As people write it: the first 4 digits or more.
[[nodiscard]] bool is_git_hash_prefix(std::string_view text);

template <class Tag>
class GitHash {
 public:
  [[nodiscard]] static Result<GitHash> parse(std::string_view text) {
    if (!is_git_hash(text))
      return fail(Errc::invalid, "not a full git object name: '" + std::string(text.substr(0, 80)) + "'", {},
                  "give 40 (or 64) lower-case hex digits");
    return GitHash(std::string(text));
  }
  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] std::string short_str() const { return text_.substr(0, 10); }
  auto operator<=>(const GitHash&) const = default;

 private:
  explicit GitHash(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

using CommitHash = GitHash<struct CommitHashTag>;
using TreeHash = GitHash<struct TreeHashTag>;

}  // namespace kernelgate
