// SPDX-License-Identifier: Apache-2.0
#pragma once

// Authentic webhooks and what became of them, for kDeliveriesKept from when they were last seen; and what a GitHub
// App is installed on. Call inside a Database work.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"
#include "core/wire/outbox.hpp"
#include "db/store/connection.hpp"
#include "db/store/page.hpp"

namespace kernelgate::db {

struct Delivery {
  std::string delivery{};  // the forge's id
  std::string event{}, action{}, repository{}, sender{};
  std::string outcome{};  // queued, held, cancelled, noted, ignored, unknown_event, refused
  int status = 0;         // HTTP
  std::string detail{};
  std::optional<RunId> run{};
};
struct KeptDelivery {
  std::int64_t id = 0;
  Delivery delivery;
  std::int64_t body_bytes = 0;
  Instant received_at{}, last_seen_at{};
  int seen = 0;
};

// The delivery of that id, now seen once more; nothing where it is new.
[[nodiscard]] std::optional<KeptDelivery> see_delivery(Connection& connection, std::string_view delivery, Instant now);
// Keeps a new one, or what became of one that was refused before and came again. Forgets those whose time is over.
void keep_delivery(Connection& connection, const Delivery& delivery, std::string_view body, Instant now);
[[nodiscard]] std::vector<KeptDelivery> list_deliveries(Connection& connection, std::string_view outcome,
                                                        const Page& page = {});
[[nodiscard]] wire::Delivery to_wire(const KeptDelivery& kept);
[[nodiscard]] Result<KeptDelivery> get_delivery(Connection& connection, std::int64_t id);
[[nodiscard]] Result<std::string> delivery_body(Connection& connection, std::int64_t id);

struct InstallationChange {
  std::int64_t installation = 0;
  std::vector<std::string> added{}, removed{};
  bool gone = false;  // the whole installation was deleted
  std::optional<bool> suspended{};
};
// too_many: more than kInstallationRepositoriesMax would be known.
[[nodiscard]] Status note_installation(Connection& connection, const InstallationChange& change, Instant now);
// The installation that reaches the repository; none where there is none, or its owner suspended it.
[[nodiscard]] std::optional<std::int64_t> installation_of(Connection& connection, std::string_view full_name);

}  // namespace kernelgate::db
