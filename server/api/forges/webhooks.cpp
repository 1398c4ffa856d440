// SPDX-License-Identifier: Apache-2.0
// POST /webhooks/github: signed by the forge, done once, kept with what became of it. /deliveries shows those, and
// tries one again that was refused.
#include <algorithm>
#include <array>

#include "core/log/log.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "db/accounts/audit.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/forges/webhook_actions.hpp"
#include "server/http/problem.hpp"
#include "server/webhooks/signature.hpp"

namespace kernelgate::api {
namespace {

constexpr std::string_view kRefused = "refused";
constexpr std::array<std::string_view, 8> kOutcomes{"",      "queued",  "held",          "cancelled",
                                                    "noted", "ignored", "unknown_event", kRefused};

const std::string* secret_of(const Context& context) {
  const forge::Config* forges = context.settings.forges;
  return forges && forges->github && !forges->github->webhook_secret.text.empty() ? &forges->github->webhook_secret.text
                                                                                  : nullptr;
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= limits::kDeliveryIdMax &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == text.npos;
}

// Nothing is believed, and nothing kept, before this.
Status check_signed(Context& context, const http::Request& request) {
  const std::string* secret = secret_of(context);
  if (!secret)
    return fail(Errc::unsupported, "this server takes no webhooks", "configuration",
                "name a webhook_secret_file under [github] in the server's --config; docs/GITHUB.md");
  const std::string_view signature = request.header("x-hub-signature-256");
  if (!webhooks::is_signed(*secret, request.body, signature)) {
    ++context.webhooks.signatures_refused;
    return fail(Errc::unauthorized, signature.empty() ? "the webhook is not signed" : "the signature is not ours",
                "header X-Hub-Signature-256", "set the same secret on both sides");
  }
  if (!is_word(request.header("x-github-delivery")))
    return fail(Errc::invalid, "no delivery id", "header X-GitHub-Delivery", "send it as GitHub does");
  if (!is_word(request.header("x-github-event")))
    return fail(Errc::invalid, "no name of an event", "header X-GitHub-Event", "send it as GitHub does");
  return {};
}

db::Delivery delivery_of(const http::Request& request) {
  db::Delivery out;
  out.delivery = request.header("x-github-delivery");
  out.event = request.header("x-github-event");
  return out;
}

void name(db::Delivery& delivery, const webhooks::Event& event) {
  constexpr std::size_t kShown = 255;
  delivery.action = event.action.substr(0, kShown);
  delivery.repository = event.repository.substr(0, kShown);
  delivery.sender = event.sender.substr(0, kShown);
}

bool is_click(const webhooks::Event& event) {
  return event.wish == webhooks::Wish::rerun || event.wish == webhooks::Wish::accept;
}

// Asks the forge, so never inside a transaction.
Status check_sender(Context& context, const webhooks::Event& event) {
  forge::Github* github = context.settings.github;
  if (!github)
    return fail(Errc::forbidden, "what @" + event.sender + " may do cannot be asked", "configuration",
                "configure a token or an App of GitHub in the server's --config");
  const auto permission = github->permission(event.repository, event.sender);
  if (!permission) return pass_on(permission);
  if (*permission == forge::Permission::write || *permission == forge::Permission::admin) return {};
  return fail(Errc::forbidden, "@" + event.sender + " may not write to " + event.repository, "/sender/login",
              "ask somebody who may");
}

struct Done {
  db::KeptDelivery seen;  // of a replay
  bool replay = false;
  Acted acted;
  std::vector<db::Run> changed;
};

Result<Done> do_once(db::Connection& connection, const db::Delivery& delivery, const std::string& body,
                     const ActOn& on) {
  if (auto seen = db::see_delivery(connection, delivery.delivery, on.now); seen && seen->delivery.outcome != kRefused)
    return Done{.seen = std::move(*seen), .replay = true, .acted = {}, .changed = {}};
  auto acted = act(connection, on);
  if (!acted) return pass_on(acted);
  db::Delivery kept = delivery;
  kept.outcome = acted->outcome;
  kept.status = 202;
  kept.detail = acted->detail;
  kept.run = acted->run;
  db::keep_delivery(connection, kept, body, on.now);
  Done out{.seen = {}, .replay = false, .acted = std::move(*acted), .changed = {}};
  for (const RunId id : out.acted.changed)
    if (auto run = db::get_run(connection, id)) out.changed.push_back(std::move(*run));
  return out;
}

// The refusal is kept, unless the delivery did its work before; sent once more, it is tried once more.
tl::unexpected<Error> refuse(Context& context, db::Delivery delivery, const std::string& body, const Error& error) {
  ++context.webhooks.refused;
  delivery.outcome = kRefused;
  delivery.status = http::status_of(error.code);
  delivery.detail = to_string(error);
  const Instant now = context.clock.now();
  const Status kept = context.database.write([&](db::Connection& connection) -> Status {
    const auto before = db::see_delivery(connection, delivery.delivery, now);
    if (!before || before->delivery.outcome == kRefused) db::keep_delivery(connection, delivery, body, now);
    return {};
  });
  if (!kept) log_error("a refused webhook could not be kept: " + to_string(kept.error()));
  return tl::unexpected<Error>(error);
}

std::string reply_of(const db::Delivery& delivery) {
  wire::WebhookReply out;
  out.delivery = delivery.delivery;
  out.outcome = parse_word<wire::DeliveryOutcome>(delivery.outcome).value();
  out.detail = delivery.detail;
  if (delivery.run) out.run = delivery.run->value;
  return wire::encode(out);
}

Result<http::Answer> answer(Context& context, const db::Delivery& delivery, const Done& done) {
  if (done.replay) {
    ++context.webhooks.replays;
    db::Delivery seen = done.seen.delivery;
    seen.outcome = "already_seen";
    return json(200, reply_of(seen));
  }
  ++(done.acted.outcome == "unknown_event" ? context.webhooks.unknown_events : context.webhooks.accepted);
  for (const db::Run& run : done.changed) announce(context, run);
  db::Delivery out = delivery;
  out.outcome = done.acted.outcome;
  out.detail = done.acted.detail;
  out.run = done.acted.run;
  return json(202, reply_of(out));
}

// An authentic webhook, the first time or once more.
Result<http::Answer> take(Context& context, db::Delivery delivery, const std::string& body) {
  const auto event = webhooks::parse_event(delivery.event, body);
  if (!event) return refuse(context, std::move(delivery), body, event.error());
  name(delivery, *event);
  if (is_click(*event))
    if (const Status may = check_sender(context, *event); !may)
      return refuse(context, std::move(delivery), body, may.error());
  const ActOn on{*event, context.settings, context.clock.now()};
  const auto done =
      context.database.write([&](db::Connection& connection) { return do_once(connection, delivery, body, on); });
  if (!done) return refuse(context, std::move(delivery), body, done.error());
  return answer(context, delivery, *done);
}

struct Again {
  db::Delivery delivery;
  std::string body;
};

// Noted as an act before it is tried, for it is tried whatever comes of it.
Result<Again> begin_again(db::Connection& connection, std::int64_t id, const std::string& who, Instant now) {
  const auto kept = db::get_delivery(connection, id);
  if (!kept) return pass_on(kept);
  if (kept->delivery.outcome != kRefused)
    return fail(Errc::conflict, "delivery " + std::to_string(id) + " was not refused: it was " + kept->delivery.outcome,
                "delivery", "'kernelgate runs retry' measures a run again");
  auto body = db::delivery_body(connection, id);
  if (!body) return pass_on(body);
  db::log_action(
      connection,
      db::Act{.actor = who, .act = "delivery.retry", .subject = "delivery " + std::to_string(id), .detail = {}}, now);
  Again out{.delivery = {}, .body = std::move(*body)};
  out.delivery.delivery = kept->delivery.delivery;
  out.delivery.event = kept->delivery.event;
  return out;
}

}  // namespace

Result<http::Answer> post_github_webhook(Context& context, const http::Request& request) {
  if (!request.header("content-type").starts_with("application/json"))
    return http::problem(415, "invalid",
                         Error{Errc::invalid, "not application/json", "header Content-Type",
                               "choose the content type application/json in the webhook's settings"});
  if (const Status good = check_signed(context, request); !good) return pass_on(good);
  return take(context, delivery_of(request), request.body);
}

Result<http::Answer> get_deliveries(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string outcome(request.query_value("outcome").value_or(""));
  if (std::find(kOutcomes.begin(), kOutcomes.end(), outcome) == kOutcomes.end())
    return fail(Errc::invalid, "unknown outcome", "query parameter outcome",
                "queued, held, cancelled, noted, ignored, unknown_event or refused");
  const auto found = context.database.read(
      [&](db::Connection& connection) { return db::list_deliveries(connection, outcome, *page); });
  if (!found) return pass_on(found);
  wire::DeliveryPage out;
  for (const db::KeptDelivery& kept : *found) out.deliveries.push_back(db::to_wire(kept));
  out.next = next_page(*found, *page, [](const db::KeptDelivery& last) { return last.id; });
  return json(200, wire::encode(out));
}

Result<http::Answer> get_delivery_payload(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "delivery");
  if (!id) return pass_on(id);
  const auto body =
      context.database.read([&](db::Connection& connection) { return db::delivery_body(connection, *id); });
  if (!body) return pass_on(body);
  return http::Response{.status = 200, .content_type = "application/octet-stream", .body = *body, .headers = {}};
}

Result<http::Answer> post_delivery_retry(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "delivery");
  if (!id) return pass_on(id);
  const auto again = context.database.write([&](db::Connection& connection) {
    return begin_again(connection, *id, request.identity.name, context.clock.now());
  });
  if (!again) return pass_on(again);
  return take(context, again->delivery, again->body);
}

}  // namespace kernelgate::api
