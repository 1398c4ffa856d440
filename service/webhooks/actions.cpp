// SPDX-License-Identifier: Apache-2.0
#include "service/webhooks/actions.hpp"

#include <algorithm>

#include "core/units/limits.hpp"
#include "core/units/repository_url.hpp"
#include "db/accounts/audit.hpp"
#include "db/baselines/acknowledgements.hpp"
#include "db/outbox/deliveries.hpp"
#include "db/repositories/repositories.hpp"
#include "db/repositories/webhook_secrets.hpp"
#include "db/runs/lines.hpp"
#include "service/baselines/acceptances.hpp"
#include "service/runs/submit.hpp"
#include "service/runs/supersede.hpp"

namespace kernelgate::service {
namespace {

std::string name_of(RunId run) { return "run " + std::to_string(run.value); }

std::string actor_of(const webhooks::Event& event) { return "@" + event.sender + " on GitHub"; }

void log(db::Connection& connection, const EventWork& work, const std::string& what, const std::vector<RunId>& runs,
         const std::string& detail) {
  for (const RunId run : runs)
    db::log_action(connection,
                   db::Action{.actor = actor_of(work.event), .action = what, .subject = name_of(run), .detail = detail},
                   work.now);
}

bool is_about(const db::Repository& repository, const EventWork& work) {
  if (!repository.named_by_url) return same_full_name(repository.full_name, work.event.repository);
  const auto own = parse_repository_url(repository.url);
  return own && std::any_of(work.event.urls.begin(), work.event.urls.end(), [&](const std::string& text) {
           const auto url = parse_repository_url(text);
           return url && url->host == own->host && same_full_name(url->full_name, own->full_name);
         });
}

db::Line line_of(const db::Repository& repository, const webhooks::Head& head) {
  db::Line line{.repository = repository.id};
  if (head.pull_request) line.pull_request = head.pull_request->number;
  if (!head.pull_request || !head.pull_request->fork) line.branch = head.branch;
  return line;
}

// What nobody will judge any more is judged together with what came after it.
wire::BaseRequest base_for(db::Connection& connection, const db::Repository& repository, const webhooks::Head& head,
                           const db::Line& line) {
  wire::BaseRequest base = webhooks::base_of(head, repository.default_branch);
  if (base.kind != wire::BaseKind::before) return base;
  for (const db::Run& older : db::unfinished_on(connection, line))
    if (older.commit == base.argument && older.base.kind == wire::BaseKind::before) return older.base;
  return base;
}

std::string key_of(const wire::Trigger& trigger, const webhooks::Head& head) {
  if (head.pull_request)
    return "pull:" + std::to_string(head.pull_request->number) + ":" + trigger.commit + ":" + trigger.base.argument;
  if (trigger.base.kind == wire::BaseKind::before) return "push:" + head.branch + ":" + head.before + ":" + head.commit;
  return trigger_key(trigger);
}

wire::Trigger trigger_of(const db::Repository& repository, const webhooks::Head& head, wire::BaseRequest base) {
  wire::Trigger out{.repository = repository.name,
                    .commit = head.commit,
                    .branch = head.branch,
                    .subject = head.subject.substr(0, limits::kCommitTextMax),
                    .author = head.author.substr(0, limits::kCommitTextMax),
                    .base = std::move(base),
                    .source = "webhook",
                    .trees = std::nullopt,
                    .force = false,
                    .idempotency_key = {}};
  out.pull_request = head.pull_request;
  return out;
}

// The push and the pull request of one commit are two webhooks and one run, whichever comes first.
Result<std::optional<RunId>> join(db::Connection& connection, const db::Repository& repository,
                                  const wire::Trigger& trigger) {
  if (trigger.pull_request && trigger.pull_request->fork) return std::optional<RunId>();
  const auto number = trigger.pull_request ? std::optional(trigger.pull_request->number) : std::nullopt;
  const auto twin = db::unfinished_twin(connection, repository.id, trigger.commit, trigger.base, number);
  if (!twin || !trigger.pull_request) return twin;
  if (const Status set = db::set_pull_request(connection, *twin, *trigger.pull_request); !set) return pass_on(set);
  return twin;
}

EventResult told(const db::Run& run, bool is_new) {
  EventResult out{.outcome = "noted", .detail = {}, .run = run.id};
  if (is_new) {
    out.outcome = to_string(run.state);
    out.detail = run.state == RunState::held ? "a fork's: somebody with trigger rights must approve it" : "";
  } else {
    out.detail = name_of(run.id) + (is_finished(run.state) ? " judged it before" : " is at work on it already");
  }
  out.changed.push_back(run.id);
  return out;
}

Status check_head(const webhooks::Head& head) {
  if (const Status status = check_ref(head.branch, "branch"); !status) return status;
  return head.pull_request ? check_ref(head.pull_request->target, "/pull_request/base/ref") : Status();
}

Result<EventResult> judge(db::Connection& connection, const EventWork& work, const db::Repository& repository) {
  const webhooks::Head& head = work.event.head;
  if (const Status good = check_head(head); !good) return pass_on(good);
  const db::Line line = line_of(repository, head);
  if (head.pushed_at)
    if (const auto newer = db::newer_on(connection, line, *head.pushed_at))
      return EventResult{.outcome = "ignored", .detail = name_of(*newer) + " is of a newer push"};
  const wire::Trigger trigger = trigger_of(repository, head, base_for(connection, repository, head, line));
  const auto joined = join(connection, repository, trigger);
  if (!joined) return pass_on(joined);
  Submitted made;
  if (*joined) {
    auto run = db::get_run(connection, **joined);
    if (!run) return pass_on(run);
    made.run = std::move(*run);
  } else {
    auto submitted = submit(
        connection, trigger,
        Submission{.key = key_of(trigger, head), .queued_max = work.queued_max, .pushed_at = head.pushed_at}, work.now);
    if (!submitted) return pass_on(submitted);
    made = std::move(*submitted);
    if (made.is_new) log(connection, work, "run.trigger", {made.run.id}, trigger.source + " " + trigger.commit);
  }
  const auto older = supersede(connection, line, made.run.id, work.now);
  if (!older) return pass_on(older);
  log(connection, work, "run.supersede", *older, "by " + name_of(made.run.id));
  EventResult out = told(made.run, made.queued);
  out.changed.insert(out.changed.end(), older->begin(), older->end());
  return out;
}

Result<EventResult> close(db::Connection& connection, const EventWork& work, const db::Repository& repository) {
  const webhooks::Head& head = work.event.head;
  if (work.event.merged && head.pull_request && head.pull_request->target == repository.default_branch)
    db::note_merged(connection, repository.id, head.commit, work.now);
  const auto ended = cancel_line(connection, line_of(repository, head), work.event.why, work.now);
  if (!ended) return pass_on(ended);
  log(connection, work, "run.cancel", *ended, work.event.why);
  return EventResult{
      .outcome = ended->empty() ? "noted" : "cancelled", .detail = work.event.why, .run = {}, .changed = *ended};
}

// The run that the check run names, or the newest of the commit.
Result<db::Run> run_of(db::Connection& connection, const webhooks::Check& check, const db::Repository& repository) {
  if (check.run > 0) {
    auto run = db::get_run(connection, RunId{check.run});
    if (run && run->repository_id == repository.id && run->commit == check.commit) return run;
  }
  const db::RunFilter filter{.repository = repository.id, .commit = check.commit};
  auto runs = db::list_runs(connection, filter, db::Page{.before = 0, .limit = 1});
  if (runs.empty())
    return fail(Errc::not_found, "no run of commit " + check.commit, "check run", "push the commit, or trigger it");
  return std::move(runs.front());
}

Result<EventResult> rerun(db::Connection& connection, const EventWork& work, const db::Repository& repository) {
  auto run = run_of(connection, work.event.check, repository);
  if (!run) return pass_on(run);
  for (;;) {
    if (!is_finished(run->state)) {
      EventResult out = told(*run, false);
      if (run->state == RunState::held) out.detail = name_of(run->id) + " is held: approve it";
      return out;
    }
    auto again = retry_run(connection, run->id, work.queued_max, work.now);
    if (!again) return pass_on(again);
    if (again->queued) {
      log(connection, work, "run.retry", {again->run.id}, "of " + name_of(run->id));
      return told(again->run, true);
    }
    run = std::move(again->run);
  }
}

// A finished run never changes: the acknowledgement shows in the run that follows.
Result<EventResult> accept(db::Connection& connection, const EventWork& work, const db::Repository& repository) {
  const auto run = run_of(connection, work.event.check, repository);
  if (!run) return pass_on(run);
  const auto accepted = accept_regressions(connection,
                                           db::Acceptance{.repository = repository.id,
                                                          .run = run->id,
                                                          .match = ".*",
                                                          .actor = actor_of(work.event),
                                                          .reason = "accepted by a click on the check run"},
                                           work.now);
  if (!accepted) return pass_on(accepted);
  auto out = rerun(connection, work, repository);
  if (out) out->detail = "accepted " + name_of(run->id);
  return out;
}

Result<EventResult> install(db::Connection& connection, const EventWork& work) {
  const webhooks::Installation& change = work.event.installation;
  const Status noted = db::note_installation(connection,
                                             db::InstallationChange{.installation = change.id,
                                                                    .added = change.added,
                                                                    .removed = change.removed,
                                                                    .gone = change.gone,
                                                                    .suspended = change.suspended},
                                             work.now);
  if (!noted) return pass_on(noted);
  db::log_action(connection,
                 db::Action{.actor = actor_of(work.event),
                            .action = work.event.name + "." + work.event.action,
                            .subject = "installation " + std::to_string(change.id),
                            .detail = {}},
                 work.now);
  return EventResult{.outcome = "noted", .detail = "installation " + std::to_string(change.id)};
}

// The registered repository that the event is about.
Result<db::Repository> repository_of(db::Connection& connection, const EventWork& work) {
  std::vector<db::Repository> found;
  Page page{.before = 0, .limit = limits::kPageMax};
  for (;;) {
    const auto some = db::list_repositories(connection, page);
    for (const db::Repository& each : some)
      if (is_about(each, work)) found.push_back(each);
    if (some.size() < static_cast<std::size_t>(page.limit)) break;
    page.before = some.back().id.value;
  }
  const std::string name = work.event.repository.substr(0, 200);
  if (found.empty())
    return fail(Errc::not_found, "no registered repository is '" + name + "'", "/repository/full_name",
                "an admin registers it by 'kernelgate repository add', with --full-name where the URL does not say it");
  if (found.size() > 1)
    return fail(Errc::conflict,
                "two registered repositories are '" + name + "': " + found[0].name + " and " + found[1].name,
                "/repository/full_name", "give one of them another --full-name");
  return found.front();
}

}  // namespace

Status check_signer(db::Connection& connection, const EventWork& work, std::string_view signer) {
  using webhooks::Wish;
  if (work.event.wish == Wish::nothing || work.event.wish == Wish::unknown) return {};
  const auto forbid = [](const std::string& why) { return fail(Errc::forbidden, why, "header X-Hub-Signature-256"); };
  if (work.event.wish == Wish::installation)
    return signer.empty() ? Status() : forbid("a repository's secret says nothing about installations");
  const auto repository = repository_of(connection, work);
  if (signer.empty()) {
    const bool has_own = repository && !db::webhook_secrets(connection, repository->id, work.now).empty();
    return has_own ? forbid(repository->name + " has a secret of its own: it alone speaks of it") : Status();
  }
  if (repository && repository->name == signer) return {};
  return forbid("the secret of " + std::string(signer) + " speaks of no other repository");
}

Result<EventResult> carry_out(db::Connection& connection, const EventWork& work) {
  using webhooks::Wish;
  switch (work.event.wish) {
    case Wish::nothing: return EventResult{.outcome = "ignored", .detail = work.event.why};
    case Wish::unknown: return EventResult{.outcome = "unknown_event", .detail = work.event.why};
    case Wish::installation: return install(connection, work);
    default: break;
  }
  const auto repository = repository_of(connection, work);
  if (!repository) return pass_on(repository);
  switch (work.event.wish) {
    case Wish::judge: return judge(connection, work, *repository);
    case Wish::close: return close(connection, work, *repository);
    case Wish::rerun: return rerun(connection, work, *repository);
    default: return accept(connection, work, *repository);
  }
}

}  // namespace kernelgate::service
