// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/trigger.hpp"

#include <fmt/format.h>

#include "client/token_file.hpp"
#include "commands/hook/make_trigger.hpp"
#include "commands/hook/settings.hpp"
#include "commands/hook/waiting.hpp"
#include "commands/output/report.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::hook {
namespace {

Result<Client> connect(const TriggerRequest& request) {
  return open_client({.server = request.server, .retry_for = limits::kTriggerRetryMax}, request.token_file);
}

std::string branch_of(const Git& git, const TriggerRequest& request, const CommitHash& commit) {
  if (!request.branch.empty()) return request.branch;
  const auto branch = current_branch(git);
  const auto head = git.resolve("HEAD");
  return branch && head && *head == commit ? *branch : "";
}

Result<wire::Trigger> describe(Client& client, const TriggerRequest& request) {
  const auto git = Git::open(request.folder, GitConfig::users);
  if (!git) return pass_on(git);
  const auto commit = git->resolve(request.commit);
  if (!commit) return pass_on(commit);
  wire::BaseRequest base{wire::BaseKind::explicit_commit, ""};
  if (request.base.empty()) {
    const auto repository = client.repository(request.repository);
    if (!repository) return pass_on(repository);
    base = {wire::BaseKind::merge_base, repository->default_branch};
  } else {
    const auto named = git->resolve(request.base);
    if (!named) return pass_on(named);
    base.argument = named->str();
  }
  auto trigger = make_trigger(*git, {.repository = request.repository,
                                     .commit = *commit,
                                     .branch = branch_of(*git, request, *commit),
                                     .base = base,
                                     .source = "cli",
                                     .remote = "origin"});
  if (!trigger) return trigger;
  trigger->force = request.force;
  // Forced again, the same commit is a new run; the retries of one call still are one.
  if (request.force) trigger->idempotency_key = random_hex(16);
  return trigger;
}

}  // namespace

Result<int> trigger(const TriggerRequest& request, std::FILE* out, std::FILE* progress) {
  auto client = connect(request);
  if (!client) return pass_on(client);
  const auto wanted = describe(*client, request);
  if (!wanted) return pass_on(wanted);
  const auto reply = client->trigger(*wanted);
  if (!reply) return pass_on(reply);
  if (!request.wait) {
    if (request.json)
      fmt::print(out, "{}\n", wire::encode(*reply));
    else
      fmt::print(out, "run {} {}{}: {}\n", reply->run, to_string(reply->state),
                 reply->reused_from ? fmt::format(", judged before by run {}", *reply->reused_from) : "", reply->url);
    return 0;
  }
  const auto run = follow(*client, reply->run, request.wait_most, progress);
  if (!run) return pass_on(run);
  const report::Report shown = report::report_of(*run);
  fmt::print(out, "{}",
             report::render(shown, request.json ? report::Format::json : report::Format::table, report::style_of(out)));
  return run->exit_code;
}

}  // namespace kernelgate::hook
