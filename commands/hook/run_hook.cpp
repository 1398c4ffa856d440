// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/run_hook.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "client/token_file.hpp"
#include "commands/hook/install.hpp"
#include "commands/hook/make_trigger.hpp"
#include "commands/hook/pushed_refs.hpp"
#include "commands/hook/settings.hpp"
#include "commands/hook/waiting.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::hook {
namespace {

// A person waits for this hook: an absent server is noticed fast, and the queue keeps the rest.
Result<Client> connect(const Settings& settings) {
  return open_client({.server = settings.server, .retry_for = limits::kHookContactMax, .timeout = limits::kHookTimeout},
                     settings.token_file);
}

Result<std::vector<TriggerSubject>> subjects_of(const Git& git, const HookCall& call, const Settings& settings) {
  if (call.name == "post-commit") {
    auto head = git.resolve("HEAD");
    if (!head) return pass_on(head);
    return std::vector<TriggerSubject>{{settings.repository,
                                        std::move(*head),
                                        current_branch(git).value_or(""),
                                        {wire::BaseKind::first_parent, ""},
                                        call.name,
                                        ""}};
  }
  const bool pushing = call.name == "pre-push";
  const auto pushed = pushing ? parse_pre_push(call.input) : parse_post_receive(call.input);
  if (!pushed) return pass_on(pushed);
  const std::string source = pushing && !settings.wait ? "push" : call.name;  // a "pre-push" may be refused
  std::vector<TriggerSubject> out;
  for (const PushedBranch& branch : *pushed)
    out.push_back({settings.repository, branch.head, branch.branch, base_of(branch, settings.default_branch), source,
                   pushing ? call.remote : ""});
  return out;
}

// Where the runner cannot fetch from here, commits go to a remote under a name of their own first.
void stage(const Git& git, const Settings& settings, const TriggerSubject& subject, std::FILE* out) {
  if (settings.stage.empty()) return;
  const std::string hash = subject.commit.str();
  // A remote's relative path counts from where git would stand in this repository.
  const std::string here = git.work_tree().value_or(git.git_dir()).string();
  const auto pushed = git.call(
      {.args = {"-C", here, "push", "--quiet", "--no-verify", settings.stage, hash + ":refs/kernelgate/" + hash},
       .env = {{"GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"}},
       .timeout = limits::kHookStageTimeout});
  if (!pushed) say(out, "cannot stage " + subject.commit.short_str() + ": " + to_string(pushed.error()));
}

// Queues a trigger on disk before anything is sent, so that no way of dying loses it.
void enqueue(const Git& git, Queue& queue, const TriggerSubject& subject, std::vector<std::string>& names,
             std::FILE* out) {
  const auto trigger = make_trigger(git, subject);
  if (!trigger) {
    say(out, "cannot describe " + subject.commit.short_str() + ": " + to_string(trigger.error()));
    return;
  }
  auto name = queue.add(*trigger);
  if (!name)
    say(out, subject.commit.short_str() + " is not measured: " + to_string(name.error()));
  else
    names.push_back(std::move(*name));
}

void say_sent(const Sent& sent, bool ours, std::FILE* out) {
  const std::string commit = sent.trigger.commit.substr(0, 10);
  if (!sent.reply) {
    say(out, commit + " is refused: " + to_string(sent.reply.error()));
    return;
  }
  const std::string where = sent.reply->url.empty() ? "" : ": " + sent.reply->url;
  const std::string earlier = ours ? "" : " (queued earlier)";
  const std::string judged =
      sent.reply->reused_from ? fmt::format(", judged before by run {}", *sent.reply->reused_from) : "";
  say(out, fmt::format("{}{} is run {}, {}{}{}", commit, earlier, sent.reply->run, to_string(sent.reply->state), judged,
                       where));
}

Result<Flush> send_all(Queue& queue, const Settings& settings, const std::vector<std::string>& ours, std::FILE* out) {
  auto client = connect(settings);
  if (!client) return pass_on(client);
  auto flush = queue.flush(*client);
  if (!flush) return flush;
  for (const Sent& sent : flush->sent)
    say_sent(sent, std::find(ours.begin(), ours.end(), sent.name) != ours.end(), out);
  return flush;
}

void say_kept(const Queue& queue, const Error& why, std::FILE* out) {
  say(out, to_string(why));
  say(out, fmt::format("{} trigger(s) wait in {}; they are sent by the next hook or by 'kernelgate hook flush'",
                       queue.waiting().size(), queue.folder().string()));
}

// Where there is no verdict.
int refused_or_through(const HookCall& call, const std::string& why, std::FILE* out) {
  if (!call.fail_closed) return 0;
  say(out, "the push is refused, as the hook was installed with --fail-closed: " + why +
               ". 'git push --no-verify' pushes anyway.");
  return 1;
}

Result<int> run_installed(const Git& git, const HookCall& call, const Settings& settings, std::FILE* out) {
  const auto subjects = subjects_of(git, call, settings);
  if (!subjects) return pass_on(subjects);
  const auto folder = common_folder(git);
  if (!folder) return pass_on(folder);
  Queue queue(*folder);
  std::vector<std::string> ours;
  for (const TriggerSubject& subject : *subjects) {
    stage(git, settings, subject, out);
    enqueue(git, queue, subject, ours, out);
  }
  const auto flush = send_all(queue, settings, ours, out);
  if (!flush || flush->away) {
    say_kept(queue, flush ? *flush->away : flush.error(), out);
    if (subjects->empty()) return 0;  // of this push nothing is to be judged: what waits is of earlier ones
    return refused_or_through(call, flush ? "the server did not answer" : "the server could not be asked", out);
  }
  if (call.name != "pre-push" || !settings.wait) return 0;
  std::vector<wire::TriggerReply> runs;
  for (const Sent& sent : flush->sent)
    if (sent.reply && std::find(ours.begin(), ours.end(), sent.name) != ours.end()) runs.push_back(*sent.reply);
  auto client = connect(settings);
  if (!client) return pass_on(client);
  bool blocked = false;
  for (const wire::TriggerReply& run : runs)
    blocked = !lets_through(*client, run, git, settings, call.fail_closed, out) || blocked;
  if (!blocked && runs.size() < subjects->size()) return refused_or_through(call, "not all of it is measured", out);
  return blocked ? 1 : 0;
}

struct Installed {
  Git git;
  Settings settings;
  Queue queue;
};

Result<Installed> open_installed(const std::filesystem::path& repository) {
  auto git = Git::open(repository, GitConfig::users);
  if (!git) return pass_on(git);
  auto settings = read_settings(*git);
  if (!settings) return pass_on(settings);
  if (!*settings)
    return fail(Errc::not_found, "no hook is installed in this repository", repository.string(),
                "run 'kernelgate hook install'");
  const auto folder = common_folder(*git);
  if (!folder) return pass_on(folder);
  return Installed{std::move(*git), std::move(**settings), Queue(*folder)};
}

}  // namespace

int run_hook(const HookCall& call, std::FILE* out) {
  const auto git = Git::open(call.repository, GitConfig::users);
  const auto settings = git ? read_settings(*git) : pass_on(git);
  if (!settings) {
    say(out, "nothing is measured: " + to_string(settings.error()));
    return refused_or_through(call, "the hook's settings cannot be read", out);
  }
  if (!*settings) return 0;  // the hook's folder is shared with a repository that is not ours
  const auto code = run_installed(*git, call, **settings, out);
  if (code) return *code;
  say(out, (call.fail_closed ? "" : "let through: ") + to_string(code.error()));
  return refused_or_through(call, "nothing was measured", out);
}

Status flush_queue(const std::filesystem::path& repository, bool refused_too, std::FILE* out) {
  auto installed = open_installed(repository);
  if (!installed) return pass_on(installed);
  if (refused_too) (void)installed->queue.requeue_refused();
  if (installed->queue.waiting().empty()) {
    say(out, "nothing waits");
    return {};
  }
  const auto flush = send_all(installed->queue, installed->settings, {}, out);
  if (!flush) return pass_on(flush);
  if (!flush->away) return {};
  Error error = *flush->away;
  error.what += fmt::format("; {} trigger(s) still wait", flush->left);
  return tl::unexpected<Error>(std::move(error));
}

Status print_status(const std::filesystem::path& repository, std::FILE* out) {
  const auto installed = open_installed(repository);
  if (!installed) return pass_on(installed);
  const auto folder = hooks_folder(installed->git);
  if (!folder) return pass_on(folder);
  const Settings& settings = installed->settings;
  std::string hooks;
  for (const std::string_view name : kHookNames)
    if (is_ours(*folder / name)) hooks += (hooks.empty() ? "" : ", ") + std::string(name);
  fmt::print(out, "hooks           {}\nserver          {}\nrepository      {}\ndefault branch  {}\n",
             hooks.empty() ? "none" : hooks, settings.server, settings.repository, settings.default_branch);
  fmt::print(out, "stage           {}\npre-push        {}\nwaiting         {}\nrefused         {}\n",
             settings.stage.empty() ? "none" : settings.stage,
             settings.wait ? fmt::format("waits up to {} s{}", settings.wait_most.count(),
                                         is_fail_closed(*folder / "pre-push") ? ", refuses without a verdict" : "")
                           : "does not wait",
             installed->queue.waiting().size(), installed->queue.refused().size());
  return {};
}

}  // namespace kernelgate::hook
