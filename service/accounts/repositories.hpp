// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a server watches, and the manifests registered for it. What is changed is logged under `actor`.

#include <string>
#include <string_view>
#include <vector>

#include "db/repositories/repositories.hpp"
#include "service/store/store.hpp"

namespace kernelgate::service {

using db::NewRepository;
using db::Repository;

// Newest first.
[[nodiscard]] Result<std::vector<Repository>> list_repositories(Store store, const Page& page);
[[nodiscard]] Result<Repository> get_repository(Store store, std::string_view name);
// Logged as repository.add. conflict: the name is taken.
[[nodiscard]] Result<Repository> add_repository(Store store, const NewRepository& wanted, const std::string& actor,
                                                Instant now);
// `toml` empty: the tree's own counts. Logged as repository.manifest.
[[nodiscard]] Result<Repository> set_manifest(Store store, std::string_view name, const std::string& toml,
                                              const std::string& actor, Instant now);

// Makes a new secret for the repository's webhooks; the one before it counts for limits::kSecretOverlap more. Logged as
// repository.webhook_secret.
[[nodiscard]] Result<std::string> new_webhook_secret(Store store, std::string_view name, const std::string& actor,
                                                     Instant now);
// Those that count now. not_found: there is no such repository, or it has none.
[[nodiscard]] Result<std::vector<std::string>> webhook_secrets(Store store, std::string_view name, Instant now);

}  // namespace kernelgate::service
