// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/forges.hpp"

#include "commands/browse/reach.hpp"
#include "commands/browse/show.hpp"
#include "core/report/text.hpp"

namespace kernelgate::browse {
namespace {

template <class Answer>
Result<wire::Passed<Answer>> ask(const Target& target, const wire::Endpoint<wire::Nothing, Answer>& endpoint,
                                 const Where& where) {
  auto client = connect(target);
  if (!client) return pass_on(client);
  return client->call(endpoint, where);
}

std::string minute(Instant at) { return to_iso8601(at).substr(0, 16); }

// The last cell of each row stands whole on lines below it: a table's width leaves no room for what was said.
std::string with_words(std::vector<std::vector<std::string>> rows, const report::TableStyle& style) {
  std::vector<std::string> words;
  for (auto& row : rows) {
    words.push_back(row.back());
    row.pop_back();
  }
  constexpr std::size_t kIndent = 4;
  const std::string table = aligned(rows, style);
  std::string out;
  std::size_t from = 0;
  for (const std::string& said : words) {
    const std::size_t end = table.find('\n', from) + 1;
    out.append(table, from, end - from);
    from = end;
    if (said.empty()) continue;
    for (const std::string& line : report::wrap(said, style.columns > 2 * kIndent ? style.columns - kIndent : kIndent))
      out += std::string(kIndent, ' ') + line + "\n";
  }
  return out;
}

std::string run_of(const std::optional<std::int64_t>& run) { return run ? std::to_string(*run) : "-"; }

}  // namespace

Result<std::vector<wire::OutboxMessage>> list_messages(const Target& target, const std::string& status, int limit) {
  auto page =
      ask(target, wire::endpoint::get_outbox, {.query = {{"status", status}, {"limit", std::to_string(limit)}}});
  if (!page) return pass_on(page);
  return std::move(page->messages);
}

Result<std::vector<wire::Delivery>> list_deliveries(const Target& target, const std::string& outcome, int limit) {
  auto page =
      ask(target, wire::endpoint::get_deliveries, {.query = {{"outcome", outcome}, {"limit", std::to_string(limit)}}});
  if (!page) return pass_on(page);
  return std::move(page->deliveries);
}

Result<wire::OutboxMessage> retry_message(const Target& target, std::int64_t id) {
  return ask(target, wire::endpoint::post_outbox_retry, at(id));
}

Result<wire::WebhookReply> retry_delivery(const Target& target, std::int64_t id) {
  return ask(target, wire::endpoint::post_delivery_retry, at(id));
}

Result<std::string> payload(const Target& target, std::int64_t delivery) {
  return ask(target, wire::endpoint::get_delivery_payload, at(delivery));
}

std::string to_table(const std::vector<wire::OutboxMessage>& messages, const report::TableStyle& style) {
  if (messages.empty()) return "no messages\n";
  std::vector<std::vector<std::string>> rows{{"id", "run", "to", "phase", "status", "tries", "made", {}}};
  for (const wire::OutboxMessage& one : messages)
    rows.push_back({std::to_string(one.id), std::to_string(one.run), report::harmless(one.target),
                    std::string(to_string(one.phase)), std::string(to_string(one.status)), std::to_string(one.attempts),
                    minute(one.created_at), report::harmless(one.error)});
  return with_words(std::move(rows), style);
}

std::string to_table(const std::vector<wire::Delivery>& deliveries, const report::TableStyle& style) {
  if (deliveries.empty()) return "no deliveries\n";
  std::vector<std::vector<std::string>> rows{{"id", "came", "event", "of", "outcome", "status", "run", {}}};
  for (const wire::Delivery& one : deliveries)
    rows.push_back({std::to_string(one.id), minute(one.last_seen_at),
                    report::harmless(one.event + (one.action.empty() ? "" : "." + one.action)),
                    report::harmless(one.repository), std::string(to_string(one.outcome)), std::to_string(one.status),
                    run_of(one.run), report::harmless(one.detail)});
  return with_words(std::move(rows), style);
}

std::string to_json(const std::vector<wire::OutboxMessage>& messages) {
  return wire::list_document("messages", messages);
}

std::string to_json(const std::vector<wire::Delivery>& deliveries) {
  return wire::list_document("deliveries", deliveries);
}

}  // namespace kernelgate::browse
