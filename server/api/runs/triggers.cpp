// SPDX-License-Identifier: Apache-2.0
// POST /triggers: a commit to be judged. On disk before it is answered; what was judged already is
// answered from the store.
#include <algorithm>
#include <array>

#include "core/units/git_hash.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "server/api/endpoints.hpp"
#include "service/runs/submit.hpp"

namespace kernelgate::api {
namespace {

constexpr std::array<std::string_view, 8> kSources = {"cli",          "post-commit", "pre-push", "push",
                                                      "post-receive", "retry",       "webhook",  "api"};

Status check_pull_request(const wire::PullRequest& pull_request) {
  if (pull_request.head_repository.size() > limits::kRefMax || pull_request.sender.size() > limits::kRefMax)
    return fail(Errc::too_large, "a name is over 255 bytes", "/pull_request", "send a shorter name");
  return service::check_ref(pull_request.target, "/pull_request/target");
}

Status check_trigger(wire::Trigger& trigger) {
  if (const auto commit = CommitHash::parse(trigger.commit); !commit)
    return fail(Errc::invalid, commit.error().what, "/commit", commit.error().fix);
  if (trigger.source.empty()) trigger.source = "api";
  if (std::find(kSources.begin(), kSources.end(), trigger.source) == kSources.end())
    return fail(Errc::invalid, "unknown source", "/source", "docs/API.md lists them");
  if (trigger.subject.size() > limits::kCommitTextMax) trigger.subject.resize(limits::kCommitTextMax);
  if (trigger.author.size() > limits::kCommitTextMax) trigger.author.resize(limits::kCommitTextMax);
  if (trigger.idempotency_key.size() > limits::kRefMax)
    return fail(Errc::too_large, "the key is over 255 bytes", "/idempotency_key", "send a hash of it");
  if (trigger.base.kind == wire::BaseKind::none)
    return fail(Errc::invalid, "a trigger asks for a judgement, and that needs a base", "/base/kind",
                "POST /api/v1/baselines/remeasure times a baseline alone");
  if (trigger.pull_request)
    if (const Status status = check_pull_request(*trigger.pull_request); !status) return status;
  if (const Status status = service::check_ref(trigger.branch, "/branch"); !status) return status;
  return service::check_ref(trigger.base.argument, "/base/argument");
}

}  // namespace

Result<http::Answer> post_trigger(Context& context, const http::Request& request) {
  auto trigger = wire::decode<wire::Trigger>(request.body);
  if (!trigger) return pass_on(trigger);
  if (const Status status = check_trigger(*trigger); !status) return pass_on(status);
  const service::Submission wanted{.key = service::trigger_key(*trigger),
                                   .again = trigger->idempotency_key.empty(),
                                   .queued_max = context.settings.queued_runs_max};
  const auto outcome = service::submit(context.store, *trigger, wanted, request.identity.name, context.clock.now());
  if (!outcome) return pass_on(outcome);
  const auto& run = outcome->run;
  announce(context, run);
  const std::string id = std::to_string(run.id.value);
  wire::TriggerReply reply{.run = run.id.value,
                           .state = run.state,
                           .reused_from = std::nullopt,
                           .url = context.settings.public_url + "/runs/" + id};
  if (run.reused_from) reply.reused_from = run.reused_from->value;
  http::Response response = json(outcome->queued ? 202 : 200, wire::encode(reply));
  response.headers.emplace_back("Location", "/api/v1/runs/" + id);
  return response;
}

}  // namespace kernelgate::api
