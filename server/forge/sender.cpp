// SPDX-License-Identifier: Apache-2.0
#include "server/forge/sender.hpp"

#include <map>

#include "core/log/log.hpp"
#include "core/units/limits.hpp"
#include "server/forge/routing.hpp"

namespace kernelgate::forge {
namespace {

// Says once that a thread's work fails, and again after it has been well.
class Complaint {
 public:
  void hear(const Status& done, const std::stop_token& stop) {
    if (!done && well_ && !stop.stop_requested()) log_error("the outbox stands still: " + to_string(done.error()));
    well_ = done.has_value();
  }

 private:
  bool well_ = true;
};

}  // namespace

Sender::Sender(service::Store store, const Clock& clock, const Config& config, Github* github,
               const std::string& public_url, bool plots)
    : store_(store), clock_(clock), config_(config), targets_(targets_of(config)) {
  std::map<std::string, Receiver*> known;
  for (const std::string& target : targets_) {
    Receiver*& receiver = known[endpoint_of(target)];
    if (!receiver) {
      receivers_.push_back(std::make_unique<Receiver>(store, clock, config, github, public_url, plots));
      receiver = receivers_.back().get();
    }
    receiver->add_target(target);
  }
}

Sender::~Sender() { stop(); }

void Sender::start() {
  threads_.emplace_back([this](const std::stop_token& stop) { route_on(stop); });
  for (const auto& receiver : receivers_)
    threads_.emplace_back([this, &receiver](const std::stop_token& stop) { send_on(*receiver, stop); });
}

void Sender::stop() {
  for (std::jthread& thread : threads_) thread.request_stop();
  threads_.clear();
}

void Sender::route_on(const std::stop_token& stop) {
  Complaint complaint;
  while (!stop.stop_requested()) {
    complaint.hear(make_messages(), stop);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, limits::kOutboxLookEvery, [] { return false; });
  }
}

void Sender::send_on(Receiver& receiver, const std::stop_token& stop) {
  Complaint complaint;
  while (!stop.stop_requested()) {
    const std::uint64_t seen = routed_;
    complaint.hear(receiver.step(stop), stop);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, stop, limits::kOutboxLookEvery, [&] { return routed_ != seen; });
  }
}

Status Sender::step() {
  if (const Status done = make_messages(); !done) return done;
  for (const auto& receiver : receivers_)
    if (const Status done = receiver->step({}); !done) return done;
  return {};
}

Status Sender::make_messages() {
  if (const Status done = tidy_up(); !done) return done;
  return route();
}

// At the start and each hour: old messages go, and those to targets that the configuration lacks.
Status Sender::tidy_up() {
  const Instant now = clock_.now();
  if (now < tidied_at_ + limits::kOutboxTidyEvery) return {};
  tidied_at_ = now;
  return service::tidy_outbox(store_, targets_, now - limits::kOutboxKept, now);
}

Status Sender::route() {
  const auto routing = [this](const wire::Run& run, const service::Repository& repository) {
    return messages_for(config_, run, names_of(config_, repository.url, repository.full_name));
  };
  const auto posted = service::post_messages(store_, routing, limits::kForgeChangesPerRound, clock_.now());
  if (!posted) return pass_on(posted);
  if (!*posted) return {};
  const std::lock_guard lock(mutex_);
  ++routed_;
  wake_.notify_all();
  return {};
}

}  // namespace kernelgate::forge
