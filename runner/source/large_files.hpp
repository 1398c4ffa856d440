// SPDX-License-Identifier: Apache-2.0
#pragma once

// Git LFS: replaces pointer files in a checkout by what they point to. Private to runner/git.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/units/result.hpp"
#include "platform/git/git.hpp"

namespace kernelgate::git_detail {

// Errc::unsupported if there are pointers and git-lfs is not installed.
[[nodiscard]] Status fetch_large_files(const Git& git, const std::vector<TreeEntry>& entries,
                                       const std::filesystem::path& folder, const std::string& url,
                                       const std::stop_token& stop);

}  // namespace kernelgate::git_detail
