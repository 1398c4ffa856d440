// SPDX-License-Identifier: Apache-2.0
#include "db/outbox/deliveries.hpp"

#include <algorithm>
#include <cctype>

#include "core/units/limits.hpp"
#include "db/store/columns.hpp"
#include "db/store/compress.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectDeliveries =
    "SELECT id, delivery, event, action, repository, sender, outcome, status, detail, run_id, body_bytes, received_at, "
    "last_seen_at, seen FROM deliveries ";

KeptDelivery read_delivery(const Statement& row) {
  return {.id = row.integer(0),
          .delivery = {.delivery = row.text(1),
                       .event = row.text(2),
                       .action = row.text(3),
                       .repository = row.text(4),
                       .sender = row.text(5),
                       .outcome = row.text(6),
                       .status = static_cast<int>(row.integer(7)),
                       .detail = row.text(8),
                       .run = row.maybe_id<RunId>(9)},
          .body_bytes = row.integer(10),
          .received_at = row.instant(11),
          .last_seen_at = row.instant(12),
          .seen = static_cast<int>(row.integer(13))};
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

std::optional<KeptDelivery> see_delivery(Connection& connection, std::string_view delivery, Instant now) {
  connection.run("UPDATE deliveries SET seen = seen + 1, last_seen_at = ? WHERE delivery = ?", now, delivery);
  Statement row = connection.query(std::string(kSelectDeliveries) + "WHERE delivery = ?", delivery);
  if (!row.step()) return std::nullopt;
  return read_delivery(row);
}

void keep_delivery(Connection& connection, const Delivery& delivery, std::string_view body, Instant now) {
  connection.run("DELETE FROM deliveries WHERE last_seen_at < ?", now - limits::kDeliveriesKept);
  const auto packed = compress(body);
  connection.run(
      "INSERT INTO deliveries (delivery, event, action, repository, sender, outcome, status, detail, run_id, "
      "body_bytes, body_zstd, received_at, last_seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
      "?12) ON CONFLICT (delivery) DO UPDATE SET event = ?2, action = ?3, repository = ?4, sender = ?5, outcome = ?6, "
      "status = ?7, detail = ?8, run_id = ?9, body_bytes = ?10, body_zstd = ?11, last_seen_at = ?12",
      delivery.delivery, delivery.event, delivery.action, delivery.repository, delivery.sender, delivery.outcome,
      delivery.status, delivery.detail, delivery.run, static_cast<std::int64_t>(body.size()),
      std::span<const std::byte>(packed), now);
}

std::vector<KeptDelivery> list_deliveries(Connection& connection, std::string_view outcome, const Page& page) {
  Statement row = connection.query(
      std::string(kSelectDeliveries) + "WHERE id < ? AND (? = '' OR outcome = ?) ORDER BY id DESC LIMIT ?",
      first_below(page), outcome, outcome, row_limit(page));
  std::vector<KeptDelivery> out;
  while (row.step()) out.push_back(read_delivery(row));
  return out;
}

wire::Delivery to_wire(const KeptDelivery& kept) {
  const Delivery& delivery = kept.delivery;
  wire::Delivery out;
  out.id = kept.id;
  out.delivery = delivery.delivery;
  out.event = delivery.event;
  out.action = delivery.action;
  out.repository = delivery.repository;
  out.sender = delivery.sender;
  out.outcome = known(parse_word<wire::DeliveryOutcome>(delivery.outcome), delivery.outcome);
  out.status = delivery.status;
  out.detail = delivery.detail;
  if (delivery.run) out.run = delivery.run->value;
  out.body_bytes = kept.body_bytes;
  out.seen = kept.seen;
  out.received_at = kept.received_at;
  out.last_seen_at = kept.last_seen_at;
  return out;
}

Result<KeptDelivery> get_delivery(Connection& connection, std::int64_t id) {
  Statement row = connection.query(std::string(kSelectDeliveries) + "WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no delivery " + std::to_string(id), "delivery");
  return read_delivery(row);
}

Result<std::string> delivery_body(Connection& connection, std::int64_t id) {
  Statement row = connection.query("SELECT body_zstd, body_bytes FROM deliveries WHERE id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no delivery " + std::to_string(id), "delivery");
  return decompress(row.blob(0), static_cast<std::size_t>(row.integer(1)));
}

Status note_installation(Connection& connection, const InstallationChange& change, Instant now) {
  if (change.gone) connection.run("DELETE FROM installation_repositories WHERE installation = ?", change.installation);
  for (const std::string& name : change.removed)
    connection.run("DELETE FROM installation_repositories WHERE full_name = ? AND installation = ?", lower(name),
                   change.installation);
  for (const std::string& name : change.added)
    connection.run(
        "INSERT INTO installation_repositories (full_name, installation, noted_at) VALUES (?1, ?2, ?3) "
        "ON CONFLICT (full_name) DO UPDATE SET installation = ?2, suspended = 0, noted_at = ?3",
        lower(name), change.installation, now);
  if (change.suspended)
    connection.run("UPDATE installation_repositories SET suspended = ? WHERE installation = ?", *change.suspended,
                   change.installation);
  Statement count = connection.query("SELECT count(*) FROM installation_repositories");
  if (count.step() && count.integer(0) > limits::kInstallationRepositoriesMax)
    return fail(Errc::too_many,
                "the App is noted on over " + std::to_string(limits::kInstallationRepositoriesMax) + " repositories",
                "installation", "install it on those that are watched");
  return {};
}

std::optional<std::int64_t> installation_of(Connection& connection, std::string_view full_name) {
  Statement row = connection.query(
      "SELECT installation FROM installation_repositories WHERE full_name = ? AND suspended = 0", lower(full_name));
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

}  // namespace kernelgate::db
