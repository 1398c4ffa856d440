// SPDX-License-Identifier: Apache-2.0
// POST /triggers: a commit to be judged. On disk before it is answered; what was judged already is
// answered from the store.
#include <algorithm>
#include <array>

#include "core/decision/decide.hpp"
#include "core/units/digest.hpp"
#include "core/units/git_hash.hpp"
#include "core/wire/codec.hpp"
#include "db/acknowledgements.hpp"
#include "db/repositories.hpp"
#include "db/testbeds.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/seed.hpp"

namespace kernelgate::api {
namespace {

constexpr std::size_t kRefMax = 255;
constexpr std::size_t kTextMax = 1000;
constexpr std::array<std::string_view, 7> kSources = {
    "cli", "post-commit", "pre-push", "post-receive", "retry", "webhook", "api"};

// Refs go to git as arguments on the runner: none may look like an option.
Status check_ref(const std::string& ref, const std::string& where) {
  const bool control = std::any_of(ref.begin(), ref.end(), [](unsigned char c) { return c < 32; });
  if (ref.size() > kRefMax || control || (!ref.empty() && ref.front() == '-'))
    return fail(Errc::invalid, "not a branch, ref or commit", where,
                "no '-' in front, no control characters, 255 bytes at most");
  return {};
}

Status check_pull_request(const wire::PullRequest& pull_request) {
  if (pull_request.head_repository.size() > kRefMax || pull_request.sender.size() > kRefMax)
    return fail(Errc::too_large, "a name is over 255 bytes", "/pull_request");
  return check_ref(pull_request.target, "/pull_request/target");
}

Status check_trigger(wire::Trigger& trigger) {
  if (const auto commit = CommitHash::parse(trigger.commit); !commit)
    return fail(Errc::invalid, commit.error().what, "/commit", commit.error().fix);
  if (trigger.source.empty()) trigger.source = "api";
  if (std::find(kSources.begin(), kSources.end(), trigger.source) == kSources.end())
    return fail(Errc::invalid, "unknown source", "/source", "docs/WIRE.md lists them");
  if (trigger.subject.size() > kTextMax) trigger.subject.resize(kTextMax);
  if (trigger.author.size() > kTextMax) trigger.author.resize(kTextMax);
  if (trigger.idempotency_key.size() > kRefMax)
    return fail(Errc::too_large, "the key is over 255 bytes", "/idempotency_key");
  if (trigger.base.kind == wire::BaseKind::none)
    return fail(Errc::invalid, "a trigger asks for a judgement, and that needs a base", "/base/kind",
                "POST /api/v1/baselines/remeasure times a baseline alone");
  if (trigger.pull_request)
    if (const Status status = check_pull_request(*trigger.pull_request); !status) return status;
  if (const Status status = check_ref(trigger.branch, "/branch"); !status) return status;
  return check_ref(trigger.base.argument, "/base/argument");
}

// A forced trigger asks for a run of its own each time.
std::string first_key(const wire::Trigger& trigger) {
  if (!trigger.idempotency_key.empty()) return "given:" + trigger.idempotency_key;
  if (trigger.force) return "force:" + random_hex(16);
  return "auto:" + Sha256()
                       .field(trigger.commit)
                       .field(to_string(trigger.base.kind))
                       .field(trigger.base.argument)
                       .hex();
}

// Ended without a judgement: the same commit, asked for again, deserves a new run.
bool must_run_again(const db::Run& run) {
  if (!is_finished(run.state)) return false;
  return !run.conclusion || *run.conclusion == Conclusion::undecided ||
         *run.conclusion == Conclusion::infrastructure;
}

std::optional<RunId> judged_before(db::Connection& connection, const db::Repository& repository,
                                   const wire::KnownTrees& trees, Instant now) {
  const std::string manifest =
      repository.manifest.empty() ? trees.manifest_sha256 : sha256_hex(repository.manifest);
  const auto epochs = db::present_epochs(connection, repository.id);
  if (epochs.empty()) return std::nullopt;
  const auto judged = db::find_judged(connection, db::JudgedParts{.repository = repository.id,
                                                                  .base_tree = trees.base_tree,
                                                                  .head_tree = trees.head_tree,
                                                                  .manifest_sha256 = manifest,
                                                                  .rule_version = kRuleVersion,
                                                                  .epoch = epochs.front()});
  return judged && db::verdict_stands(connection, *judged, now) ? judged : std::nullopt;
}

struct Outcome {
  db::Run run;
  bool queued = false;
};

Result<Outcome> store(db::Connection& connection, const wire::Trigger& trigger, int queued_max,
                      Instant now) {
  const auto repository = db::get_repository(connection, trigger.repository);
  if (!repository) return pass_on(repository);
  db::NewRun wanted{.repository = repository->id,
                    .commit = trigger.commit,
                    .branch = trigger.branch,
                    .subject = trigger.subject,
                    .author = trigger.author,
                    .base = trigger.base,
                    .source = trigger.source,
                    .idempotency_key = first_key(trigger),
                    .seed = random_seed(),
                    .force = trigger.force,
                    .retry_of = std::nullopt,
                    .queued = true,
                    .queued_max = queued_max,
                    .pull_request = trigger.pull_request,
                    .held = trigger.pull_request && trigger.pull_request->fork};
  for (;;) {
    const auto added = db::add_run(connection, wanted, now);
    if (!added) return pass_on(added);
    auto run = db::get_run(connection, added->id);
    if (!run) return pass_on(run);
    if (added->is_new) {
      const auto judged = trigger.trees && !trigger.force
                              ? judged_before(connection, *repository, *trigger.trees, now)
                              : std::nullopt;
      if (!judged) return Outcome{std::move(*run), true};
      if (const Status done = db::finish_reused(connection, run->id, *judged, now); !done)
        return pass_on(done);
      run = db::get_run(connection, added->id);
      if (!run) return pass_on(run);
      return Outcome{std::move(*run), false};
    }
    if (!trigger.idempotency_key.empty() || !must_run_again(*run))
      return Outcome{std::move(*run), false};
    wanted.idempotency_key = "after:" + std::to_string(run->id.value);
    wanted.retry_of = run->id;
  }
}

}  // namespace

Result<http::Answer> post_trigger(Context& context, const http::Request& request) {
  auto trigger = wire::decode<wire::Trigger>(request.body);
  if (!trigger) return pass_on(trigger);
  if (const Status status = check_trigger(*trigger); !status) return pass_on(status);
  const auto outcome = context.database.write([&](db::Connection& connection) {
    return store(connection, *trigger, context.settings.queued_runs_max, context.clock.now());
  });
  if (!outcome) return pass_on(outcome);
  const db::Run& run = outcome->run;
  announce(context, run);
  const std::string id = std::to_string(run.id.value);
  wire::TriggerReply reply{.run = run.id.value,
                           .state = std::string(to_string(run.state)),
                           .reused_from = std::nullopt,
                           .url = context.settings.public_url + "/runs/" + id};
  if (run.reused_from) reply.reused_from = run.reused_from->value;
  http::Response response = json(outcome->queued ? 202 : 200, wire::encode(reply));
  response.headers.emplace_back("Location", "/api/v1/runs/" + id);
  return response;
}

}  // namespace kernelgate::api
