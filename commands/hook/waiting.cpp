// SPDX-License-Identifier: Apache-2.0
#include "commands/hook/waiting.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "commands/hook/blocked.hpp"
#include "commands/output/report.hpp"
#include "core/decision/evidence/verdict.hpp"
#include "core/report/text.hpp"

namespace kernelgate::hook {
namespace {

constexpr const char* kRefused = "the push is refused for want of a verdict";

std::string line_of(const wire::Run& run) {
  std::string out = fmt::format("run {} {}", run.id, to_string(run.state));
  if (!run.progress.empty()) out += ": " + report::harmless(run.progress);
  return out;
}

// Of head and base, head included; 0 where git cannot say.
int commits_between(const Git& git, const wire::Run& run) {
  if (run.base_commit.empty()) return 0;
  const auto count =
      git.call({.args = {"rev-list", "--count", "--first-parent", run.base_commit + ".." + run.commit, "--"}});
  return count ? std::atoi(count->c_str()) : 0;
}

}  // namespace

void say(std::FILE* out, const std::string& text) {
  std::string indented = "kernelgate: ";
  for (const char c : text) {
    indented += c;
    if (c == '\n') indented += "  ";
  }
  fmt::print(out, "{}\n", indented);
  std::fflush(out);
}

Result<wire::Run> follow(Client& client, std::int64_t run, std::chrono::seconds most, std::FILE* progress) {
  std::string last;
  return client.wait_for_run(run, most, [&](const wire::Run& now) {
    std::string line = line_of(now);
    if (line == last) return;
    say(progress, line);
    last = std::move(line);
  });
}

bool lets_through(Client& client, const wire::TriggerReply& asked, const Git& git, const Settings& settings,
                  bool fail_closed, std::FILE* out) {
  if (asked.state == RunState::queued)
    say(out, fmt::format("waits for a runner to take run {0}; Ctrl-C ends the wait and the push, run {0} stays queued",
                         asked.run));
  const auto finished = follow(client, asked.run, settings.wait_most, out);
  if (!finished) {
    say(out,
        fmt::format("{}, not judged yet: {}", fail_closed ? kRefused : "let through", to_string(finished.error())));
    return !fail_closed;
  }
  fmt::print(out, "{}", report::to_table(report::report_of(*finished), report::style_of(out)));
  const std::string_view word = finished->conclusion ? to_string(*finished->conclusion) : to_string(finished->state);
  if (finished->conclusion && blocks_push(*finished->conclusion)) {
    // `kernelgate up` keeps one beside the hook's own.
    const auto admin_token = settings.token_file.parent_path() / "admin.token";
    std::error_code ignored;
    const bool has_admin = std::filesystem::exists(admin_token, ignored);
    say(out, blocked_text(*finished, settings,
                          {.url = asked.url,
                           .commits = commits_between(git, *finished),
                           .admin_token = has_admin ? admin_token.string() : ""}));
    return false;
  }
  const bool judged = finished->conclusion == Conclusion::passed || finished->conclusion == Conclusion::undecided;
  if (!judged && fail_closed) {
    say(out, fmt::format("{}: the run is {}. 'git push --no-verify' pushes anyway.", kRefused, word));
    return false;
  }
  const bool passed = finished->conclusion == Conclusion::passed;
  say(out, passed ? "passed" : fmt::format("let through, though the run is {}", word));
  return true;
}

}  // namespace kernelgate::hook
