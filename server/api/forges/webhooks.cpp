// SPDX-License-Identifier: Apache-2.0
// POST /webhooks/github and /webhooks/github/{repository}: signed by the forge, done once, kept with what became of it.
// /deliveries shows those, and tries one again that was refused.
#include <algorithm>
#include <array>

#include "core/log/log.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/outbox.hpp"
#include "server/api/endpoints.hpp"
#include "server/http/problem.hpp"
#include "server/webhooks/event.hpp"
#include "server/webhooks/signature.hpp"
#include "service/accounts/repositories.hpp"
#include "service/webhooks/deliveries.hpp"

namespace kernelgate::api {
namespace {

constexpr std::array<std::string_view, 8> kOutcomes{"",      "queued",  "held",          "cancelled",
                                                    "noted", "ignored", "unknown_event", service::kRefusedOutcome};

// Those that may sign what comes here. Of a repository's own path, its own.
Result<std::vector<std::string>> secrets_of(const Context& context, const http::Request& request) {
  const std::string_view repository = request.parameter("repository");
  if (!repository.empty()) {
    auto own = service::webhook_secrets(context.store, repository, context.clock.now());
    if (own || own.error().code != Errc::not_found) return own;
    return fail(Errc::not_found, "no webhooks are taken here", "path",
                "an admin makes a secret: 'kernelgate repository webhook-secret'");
  }
  const forge::Config* forges = context.settings.forges;
  if (forges && forges->github && !forges->github->webhook_secret.text.empty())
    return std::vector{forges->github->webhook_secret.text};
  return fail(Errc::unsupported, "this server takes no webhooks here", "configuration",
              "name a webhook_secret_file under [github] in the server's --config, or give the repository a secret of "
              "its own; docs/GITHUB.md");
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= limits::kDeliveryIdMax &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == text.npos;
}

tl::unexpected<Error> unsigned_one(Context& context, const char* why) {
  ++context.webhooks.signatures_refused;
  return fail(Errc::unauthorized, why, "header X-Hub-Signature-256", "set the same secret on both sides");
}

// Nothing is believed, and nothing kept, before this.
Status check_signed(Context& context, const http::Request& request) {
  const auto secrets = secrets_of(context, request);
  if (!secrets) return pass_on(secrets);
  const std::string_view signature = request.header("x-hub-signature-256");
  for (const std::string& secret : *secrets)
    if (webhooks::is_signed(secret, request.body, signature)) return {};
  return unsigned_one(context, "the signature is not ours");
}

Status check_headers(Context& context, const http::Request& request) {
  if (const auto secrets = secrets_of(context, request); !secrets) return pass_on(secrets);
  const std::string_view signature = request.header("x-hub-signature-256");
  if (signature.empty()) return unsigned_one(context, "the webhook is not signed");
  if (!webhooks::is_signature(signature)) return unsigned_one(context, "the signature is not ours");
  if (!is_word(request.header("x-github-delivery")))
    return fail(Errc::invalid, "no delivery id", "header X-GitHub-Delivery", "send it as GitHub does");
  if (!is_word(request.header("x-github-event")))
    return fail(Errc::invalid, "no name of an event", "header X-GitHub-Event", "send it as GitHub does");
  return {};
}

service::Delivery delivery_of(const http::Request& request) {
  service::Delivery out;
  out.delivery = request.header("x-github-delivery");
  out.event = request.header("x-github-event");
  return out;
}

void name(service::Delivery& delivery, const webhooks::Event& event) {
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

tl::unexpected<Error> refuse(Context& context, service::Delivery delivery, const std::string& body,
                             const Error& error) {
  ++context.webhooks.refused;
  delivery.outcome = service::kRefusedOutcome;
  delivery.status = http::status_of(error.code);
  delivery.detail = to_string(error);
  const Status kept = service::keep_refusal(context.store, delivery, body, context.clock.now());
  if (!kept) log_error("a refused webhook could not be kept: " + to_string(kept.error()));
  return tl::unexpected<Error>(error);
}

std::string reply_of(const service::Delivery& delivery) {
  wire::WebhookReply out;
  out.delivery = delivery.delivery;
  out.outcome = parse_word<wire::DeliveryOutcome>(delivery.outcome).value();
  out.detail = delivery.detail;
  if (delivery.run) out.run = delivery.run->value;
  return wire::encode(out);
}

Result<http::Answer> answer(Context& context, service::TakenDelivery done) {
  if (done.is_replay) {
    ++context.webhooks.replays;
    done.delivery.outcome = "already_seen";
    return json(200, reply_of(done.delivery));
  }
  ++(done.delivery.outcome == "unknown_event" ? context.webhooks.unknown_events : context.webhooks.accepted);
  for (const service::Run& run : done.changed) announce(context, run);
  return json(202, reply_of(done.delivery));
}

// An authentic webhook, the first time or once more.
Result<http::Answer> carry_out(Context& context, service::Delivery delivery, const std::string& body,
                               const webhooks::Event& event) {
  name(delivery, event);
  if (is_click(event))
    if (const Status may = check_sender(context, event); !may)
      return refuse(context, std::move(delivery), body, may.error());
  auto done = service::take_delivery(context.store, delivery, body, event, context.settings.queued_runs_max,
                                     context.clock.now());
  if (!done) return refuse(context, std::move(delivery), body, done.error());
  return answer(context, std::move(*done));
}

}  // namespace

std::optional<http::Response> check_webhook_head(Context& context, const http::Request& request) {
  if (!request.header("content-type").starts_with("application/json"))
    return http::problem(415, "invalid",
                         Error{Errc::invalid, "not application/json", "header Content-Type",
                               "choose the content type application/json in the webhook's settings"});
  const Status good = check_headers(context, request);
  return good ? std::nullopt : std::optional(http::problem(good.error()));
}

Result<http::Answer> post_github_webhook(Context& context, const http::Request& request) {
  if (const Status good = check_signed(context, request); !good) return pass_on(good);
  const auto event = webhooks::parse_event(request.header("x-github-event"), request.body);
  if (!event) return refuse(context, delivery_of(request), request.body, event.error());
  // Not kept: tried once more by an administrator, it would be believed.
  if (const Status may =
          service::check_signer(context.store, *event, request.parameter("repository"), context.clock.now());
      !may) {
    ++context.webhooks.refused;
    return pass_on(may);
  }
  return carry_out(context, delivery_of(request), request.body, *event);
}

Result<http::Answer> post_repository_webhook(Context& context, const http::Request& request) {
  return post_github_webhook(context, request);
}

Result<http::Answer> get_deliveries(Context& context, const http::Request& request) {
  const auto page = page_of(request);
  if (!page) return pass_on(page);
  const std::string outcome(request.query_value("outcome").value_or(""));
  if (std::find(kOutcomes.begin(), kOutcomes.end(), outcome) == kOutcomes.end())
    return fail(Errc::invalid, "unknown outcome", "query parameter outcome",
                "queued, held, cancelled, noted, ignored, unknown_event or refused");
  auto found = service::list_deliveries(context.store, outcome, *page);
  if (!found) return pass_on(found);
  wire::DeliveryPage out;
  out.next = next_page(*found, *page, [](const wire::Delivery& last) { return last.id; });
  out.deliveries = std::move(*found);
  return json(200, wire::encode(out));
}

Result<http::Answer> get_delivery_payload(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "delivery");
  if (!id) return pass_on(id);
  const auto body = service::delivery_body(context.store, *id);
  if (!body) return pass_on(body);
  return http::Response{.status = 200, .content_type = "application/octet-stream", .body = *body, .headers = {}};
}

Result<http::Answer> post_delivery_retry(Context& context, const http::Request& request) {
  const auto id = number_parameter(request, "delivery");
  if (!id) return pass_on(id);
  const auto again = service::retry_delivery(context.store, *id, request.identity.name, context.clock.now());
  if (!again) return pass_on(again);
  const auto event = webhooks::parse_event(again->delivery.event, again->body);
  if (!event) return refuse(context, again->delivery, again->body, event.error());
  return carry_out(context, again->delivery, again->body, *event);
}

}  // namespace kernelgate::api
