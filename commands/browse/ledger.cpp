// SPDX-License-Identifier: Apache-2.0
#include "commands/browse/ledger.hpp"

#include "commands/browse/reach.hpp"
#include "commands/login_name.hpp"
#include "core/units/time.hpp"
#include "service/ledger/attempts.hpp"

namespace kernelgate::browse {
namespace {

using Attempts = std::vector<wire::Attempt>;

AttemptLookup lookup_of(const Target& target, const AttemptsWanted& wanted) {
  AttemptLookup out{.repository = target.repository,
                    .outcome = wanted.outcome,
                    .branch = wanted.branch,
                    .since = wanted.since,
                    .suite = wanted.suite,
                    .benchmark = wanted.benchmark,
                    .text = wanted.text};
  out.limit = wanted.limit;
  return out;
}

}  // namespace

Result<Attempts> attempts(const Target& target, const AttemptsWanted& wanted) {
  if (target.server.empty()) {
    const auto store = open_store(target);
    if (!store) return pass_on(store);
    return service::list_attempts(*store,
                                  {.repository = target.repository,
                                   .outcome = wanted.outcome,
                                   .since = wanted.since,
                                   .branch = wanted.branch,
                                   .suite = wanted.suite,
                                   .benchmark = wanted.benchmark,
                                   .text = wanted.text},
                                  {.before = 0, .limit = wanted.limit}, SystemClock().now());
  }
  auto client = connect(target);
  if (!client) return pass_on(client);
  auto page = client->attempts(lookup_of(target, wanted));
  if (!page) return pass_on(page);
  return std::move(page->attempts);
}

Result<wire::Attempt> one_attempt(const Target& target, std::int64_t id) {
  if (target.server.empty()) {
    const auto store = open_store(target);
    if (!store) return pass_on(store);
    return service::get_attempt(*store, id);
  }
  auto client = connect(target);
  if (!client) return pass_on(client);
  return client->attempt(id);
}

Result<wire::Attempt> note(const Target& target, wire::AttemptNote note) {
  note.repository = target.repository;
  if (!target.server.empty()) {
    if (note.repository.empty())
      return fail(Errc::invalid, "whose attempt?", "--repository", "name a repository of the server");
    auto client = connect(target);
    if (!client) return pass_on(client);
    return client->note(note);
  }
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  // A store of `run` and `sweep` has two names for one repository: what is tried next goes by the first.
  if (note.repository.empty()) {
    auto meant = service::meant_repository(*store, note.run, local::kRepositoryName);
    if (!meant) return pass_on(meant);
    note.repository = std::move(*meant);
  }
  return service::note_attempt(*store, note, local::login_name(), SystemClock().now());
}

Result<wire::TuningReport> tuning_report(const Target& target, const TuningWanted& wanted) {
  if (!target.server.empty()) {
    if (target.repository.empty())
      return fail(Errc::invalid, "whose tuning?", "--repository", "name a repository of the server");
    auto client = connect(target);
    if (!client) return pass_on(client);
    AttemptsWanted both;
    both.branch = wanted.branch;
    both.since = wanted.since;
    both.limit = 0;
    return client->tuning_report(lookup_of(target, both));
  }
  const auto store = open_store(target);
  if (!store) return pass_on(store);
  service::TuningWanted asked{.repository = target.repository, .branch = wanted.branch, .since = wanted.since};
  asked.of_address = true;
  if (asked.repository.empty()) {
    auto meant = service::meant_repository(*store, {}, local::kRepositoryName);
    if (!meant) return pass_on(meant);
    asked.repository = std::move(*meant);
  }
  return service::tuning_report(*store, asked, SystemClock().now());
}

}  // namespace kernelgate::browse
