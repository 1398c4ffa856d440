// SPDX-License-Identifier: Apache-2.0
#include "server/webhooks/event.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/webhooks/fields.hpp"

namespace kernelgate::webhooks {
namespace {

constexpr std::string_view kBranches = "refs/heads/";
constexpr const char* kNoCommit = "0000000000000000000000000000000000000000";

bool is_none(std::string_view commit) { return commit.find_first_not_of('0') == std::string_view::npos; }

std::string first_line(const std::string& message) { return message.substr(0, message.find_first_of("\r\n")); }

void ignore(Event& event, std::string why) {
  event.wish = Wish::nothing;
  event.why = std::move(why);
}

void ignore_action(Event& event) { ignore(event, "nothing to do when it is " + event.action); }

void read_push(const Fields& fields, Event& event) {
  const std::string ref = fields.must_text("/ref");
  if (ref.compare(0, kBranches.size(), kBranches) != 0) return ignore(event, "not a branch: " + ref);
  event.head.branch = ref.substr(kBranches.size());
  event.head.pushed_at = fields.instant("/repository/pushed_at");
  if (fields.truth("/deleted") || is_none(fields.must_text("/after"))) {
    event.wish = Wish::close;
    event.why = "branch " + event.head.branch + " was deleted";
    return;
  }
  event.wish = Wish::judge;
  event.head.commit = fields.must_commit("/after");
  event.head.before = fields.must_commit("/before");
  event.head.subject = first_line(fields.text("/head_commit/message"));
  event.head.author = fields.text("/head_commit/author/name");
}

// A deleted fork has no repository; what is left of it is still untrusted.
wire::PullRequest pull_request_of(const Fields& fields, const Event& event) {
  wire::PullRequest out{.number = fields.must_number("/pull_request/number"),
                        .target = fields.must_text("/pull_request/base/ref"),
                        .head_repository = fields.text("/pull_request/head/repo/full_name"),
                        .fork = true,
                        .sender = event.sender};
  const std::string watched = fields.must_text("/pull_request/base/repo/full_name");
  out.fork = out.head_repository != watched;
  return out;
}

void read_pull_request(const Fields& fields, Event& event) {
  static constexpr std::array<std::string_view, 4> kNewHead{"opened", "synchronize", "reopened", "ready_for_review"};
  const bool retargeted = event.action == "edited" && fields.has("/changes/base");
  const bool is_new = std::find(kNewHead.begin(), kNewHead.end(), event.action) != kNewHead.end();
  if (!is_new && !retargeted && event.action != "closed") return ignore_action(event);
  event.head.pull_request = pull_request_of(fields, event);
  event.head.branch = fields.must_text("/pull_request/head/ref");
  event.head.commit = fields.must_commit("/pull_request/head/sha");
  event.head.subject = first_line(fields.text("/pull_request/title"));
  event.head.author = fields.text("/pull_request/user/login");
  event.head.pushed_at = fields.instant("/pull_request/updated_at");
  const std::string number = std::to_string(event.head.pull_request->number);
  if (event.action == "closed") {
    event.wish = Wish::close;
    event.merged = fields.truth("/pull_request/merged");
    event.why = "pull request " + number + (event.merged ? " was merged" : " was closed");
  } else if (fields.truth("/pull_request/draft")) {
    ignore(event, "pull request " + number + " is a draft: it waits until it is ready for review");
  } else {
    event.wish = Wish::judge;
  }
}

std::int64_t number_in(const std::string& text) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size() && out > 0 ? out : 0;
}

void read_check_run(const Fields& fields, Event& event) {
  if (event.action == "rerequested") {
    event.wish = Wish::rerun;
  } else if (event.action == "requested_action") {
    const std::string button = fields.must_text("/requested_action/identifier");
    if (button != "rerun" && button != "accept") return ignore(event, "no button of ours: " + button);
    event.wish = button == "rerun" ? Wish::rerun : Wish::accept;
  } else {
    return ignore_action(event);
  }
  event.check.commit = fields.must_commit("/check_run/head_sha");
  event.check.run = number_in(fields.text("/check_run/external_id"));
}

// An App that hears of no pushes is told of new commits by these.
void read_check_suite(const Fields& fields, Event& event) {
  if (event.action == "rerequested") {
    event.wish = Wish::rerun;
    event.check.commit = fields.must_commit("/check_suite/head_sha");
    return;
  }
  if (event.action != "requested") return ignore_action(event);
  event.head.branch = fields.text("/check_suite/head_branch");
  if (event.head.branch.empty()) return ignore(event, "a fork's branch: its pull request comes by itself");
  event.wish = Wish::judge;
  event.head.commit = fields.must_commit("/check_suite/head_sha");
  event.head.before = fields.has("/check_suite/before") ? fields.must_commit("/check_suite/before") : kNoCommit;
  event.head.subject = first_line(fields.text("/check_suite/head_commit/message"));
  event.head.author = fields.text("/check_suite/head_commit/author/name");
}

void read_installation(const Fields& fields, Event& event) {
  event.installation.id = fields.must_number("/installation/id");
  event.wish = Wish::installation;
  if (event.name == "installation_repositories") {
    event.installation.added = fields.texts("/repositories_added", "full_name");
    event.installation.removed = fields.texts("/repositories_removed", "full_name");
  } else if (event.action == "created") {
    event.installation.added = fields.texts("/repositories", "full_name");
  } else if (event.action == "deleted") {
    event.installation.gone = true;
  } else if (event.action == "suspend" || event.action == "unsuspend") {
    event.installation.suspended = event.action == "suspend";
  } else {
    ignore_action(event);
  }
}

void read_ping(const Fields& fields, Event& event) { ignore(event, "pong: " + fields.text("/zen")); }

struct Reader {
  std::string_view name;
  void (*read)(const Fields& fields, Event& event);
};
constexpr Reader kReaders[] = {
    {"ping", read_ping},
    {"push", read_push},
    {"pull_request", read_pull_request},
    {"check_run", read_check_run},
    {"check_suite", read_check_suite},
    {"installation", read_installation},
    {"installation_repositories", read_installation},
};

}  // namespace

Result<Event> parse_event(std::string_view name, std::string_view body) {
  const auto fields = Fields::parse(body);
  if (!fields) return pass_on(fields);
  Event event;
  event.name = name;
  event.action = fields->text("/action");
  event.repository = fields->text("/repository/full_name");
  event.sender = fields->text("/sender/login");
  for (const char* url : {"/repository/clone_url", "/repository/ssh_url", "/repository/html_url"})
    if (fields->has(url)) event.urls.push_back(fields->text(url));
  const auto* reader =
      std::find_if(std::begin(kReaders), std::end(kReaders), [&](const Reader& each) { return each.name == name; });
  if (reader == std::end(kReaders)) {
    event.wish = Wish::unknown;
    event.why = "no event that is listened to";
    return event;
  }
  try {
    reader->read(*fields, event);
  } catch (const MissingMember& missing) {
    return fail(Errc::invalid, missing.what, missing.pointer, "docs/GITHUB.md lists the events that are understood");
  }
  return event;
}

}  // namespace kernelgate::webhooks
