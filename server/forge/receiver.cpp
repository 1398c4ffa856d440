// SPDX-License-Identifier: Apache-2.0
#include "server/forge/receiver.hpp"

#include <algorithm>

#include "core/log/log.hpp"
#include "core/units/limits.hpp"
#include "server/forge/routing.hpp"

namespace kernelgate::forge {
namespace {

// What was not foreseen concerns one message: the others must still go out.
Outcome deliver(OutboxDispatcher& dispatcher, const Dispatch& dispatch, const RunReport& report,
                const std::stop_token& stop) {
  try {
    return dispatcher.deliver(dispatch, report, stop);
  } catch (const std::exception& fault) {
    return {.kind = Outcome::Kind::refused, .error = fault.what()};
  }
}

// When a request that broke off in this key is over, whatever became of it.
Instant settled_at(const service::KeyFacts& key, const Config& config) {
  return key.unanswered_at.value_or(Instant{}) + limits::kForgeSettleTimeouts * config.delivery.timeout;
}

bool is_forge(const std::string& target) { return target.find(':') == target.npos; }

}  // namespace

Receiver::Receiver(service::Store store, const Clock& clock, const Config& config, Github* github,
                   std::string public_url, bool plots)
    : store_(store),
      clock_(clock),
      config_(config),
      dispatcher_(config, github, clock),
      public_url_(std::move(public_url)),
      plots_(plots) {}

Status Receiver::step(const std::stop_token& stop) {
  const Instant now = clock_.now();
  if (now < not_before_) return {};
  const auto messages = service::due_messages(store_, targets_, now, limits::kForgeBatch);
  if (!messages) return pass_on(messages);
  for (const service::Message& message : *messages) {
    if (stop.stop_requested() || clock_.now() < not_before_) break;
    if (const Status done = send(message, stop); !done) return done;
  }
  return {};
}

Status Receiver::send(const service::Message& message, const std::stop_token& stop) {
  const auto contents = service::contents_of(store_, message);
  if (!contents) return pass_on(contents);
  const service::KeyFacts& key = contents->key;
  const Instant now = clock_.now();
  const Instant settled = settled_at(key, config_);
  const bool makes = message.target == "github-check" || message.target == "github-comment";
  const bool too_early = makes && key.remote_id.empty() && now < settled;  // it may be made just now
  const Status begun = too_early ? service::postpone_message(store_, message.id, settled)
                                 : service::begin_attempt(store_, message.id, now);
  if (!begun && begun.error().code == Errc::conflict) return {};
  if (!begun || too_early) return begun;
  const Names names = names_of(config_, contents->repository.url, contents->repository.full_name);
  const bool on_gitlab = message.target == "gitlab-status";
  const std::string of_run = "/runs/" + std::to_string(message.run.value);
  const RunReport report{.run = contents->run,
                         .phase = message.phase,
                         .name = on_gitlab ? names.gitlab : names.github,
                         .url = public_url_ + of_run,
                         .plot = plots_ ? public_url_ + "/plot" + of_run + ".svg" : ""};
  const Dispatch dispatch{.target = message.target,
                          .delivery = message.delivery,
                          .remote_id = key.remote_id,
                          .may_exist = key.unanswered_at.has_value()};
  const Outcome outcome = deliver(dispatcher_, dispatch, report, stop);
  if (stop.stop_requested() && outcome.kind == Outcome::Kind::away) return {};  // broken off: nobody knows
  const service::AttemptEnd end = end_of(message, key, outcome);
  if (end.status == "gave_up")
    log_error("gave up telling " + message.target + " of run " + std::to_string(message.run.value) + ": " + end.error);
  return service::end_attempt(store_, message, end, clock_.now());
}

std::chrono::milliseconds Receiver::pause_after(int attempts) {
  return back_off(attempts, config_.delivery.first_pause, config_.delivery.pause_max,
                  std::uniform_real_distribution<>{0, 1}(random_));
}

service::AttemptEnd Receiver::end_of(const service::Message& message, const service::KeyFacts& key,
                                     const Outcome& outcome) {
  using Kind = Outcome::Kind;
  const Instant now = clock_.now();
  service::AttemptEnd end{
      .answered = outcome.answered, .remote_id = outcome.remote_id, .error = outcome.error, .next_at = now};
  if (outcome.kind == Kind::delivered || outcome.kind == Kind::refused) failures_ = 0;
  if (outcome.kind == Kind::delivered) {
    // What broke off in this key may still arrive, and would then stand over this one: said once more after it.
    const Instant settled = settled_at(key, config_);
    const bool again = is_forge(message.target) && now < settled;
    end.status = again ? "pending" : "delivered";
    if (again) end.next_at = settled;
    return end;
  }
  const auto age = now - message.created_at;
  if (outcome.kind == Kind::refused) {
    end.next_at = now + pause_after(message.attempts + 1);
    if (age >= std::min(config_.delivery.give_up, limits::kForgeRefusedFor)) end.status = "gave_up";
    return end;
  }
  if (outcome.kind == Kind::away && ++failures_ == 1)
    log_warn(endpoint_of(message.target) + " cannot be told of runs just now: " + outcome.error);
  not_before_ = outcome.until.value_or(now + pause_after(failures_));
  if (age >= config_.delivery.give_up) end.status = "gave_up";
  return end;
}

}  // namespace kernelgate::forge
