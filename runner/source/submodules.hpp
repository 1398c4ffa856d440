// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fills a checkout's submodules, and theirs, from mirrors of their own. Private to runner/git.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "runner/source/checkout.hpp"

namespace kernelgate::git_detail {

[[nodiscard]] Status checkout_submodules(const Git& git, const Source& source, const std::vector<TreeEntry>& entries,
                                         const std::filesystem::path& folder, const CheckoutOrigin& origin,
                                         const std::stop_token& stop);

}  // namespace kernelgate::git_detail
