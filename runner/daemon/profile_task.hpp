// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles that people asked for, made between runs: one is claimed, made and sent. Private to the daemon. Blocks.

#include <functional>
#include <stop_token>

#include "client/client.hpp"
#include "core/wire/profiles.hpp"
#include "runner/job/profiles.hpp"

namespace kernelgate {

using ProfileMaker = std::function<Result<ProfiledPair>(const wire::ProfileClaim&)>;

enum class BackgroundTask { none, done, refused };

// `claims` asks and `reports` answers. What the maker cannot do is the profile's outcome, in a sentence; only a runner
// that stops gives it back. refused: the server is away, or knows no profiles.
[[nodiscard]] BackgroundTask serve_profile(Client& claims, Client& reports, const wire::ClaimRequest& request,
                                           const ProfileMaker& make, const std::stop_token& stop);

}  // namespace kernelgate
