// SPDX-License-Identifier: Apache-2.0
#include "runner/daemon/session.hpp"

#include "core/log/log.hpp"
#include "runner/job/fit_evidence.hpp"

namespace kernelgate {
namespace {

// Three beats within a lease, so that two may be lost.
JobSession::Pace pace_of(JobSession::Pace pace, const wire::Claim& claim) {
  if (claim.lease_s > 0)
    pace.heartbeat = std::min<std::chrono::milliseconds>(pace.heartbeat, std::chrono::seconds(claim.lease_s) / 3);
  return pace;
}

// The first and last half of a log that is too long.
std::string shortened(const std::string& text) {
  if (text.size() <= limits::kLogSentMax) return text;
  const std::size_t half = limits::kLogSentMax / 2;
  return text.substr(0, half) + "\n… " + std::to_string(text.size() - 2 * half) + " bytes left out …\n" +
         text.substr(text.size() - half);
}

}  // namespace

std::string_view to_string(SessionEnd end) {
  switch (end) {
    case SessionEnd::open: return "open";
    case SessionEnd::lost: return "the lease is lost";
    case SessionEnd::cancelled: return "the run was cancelled";
    case SessionEnd::server_away: return "the server was away for too long";
  }
  return "open";
}

JobSession::JobSession(Client client, const wire::Claim& claim, Pace pace, std::stop_source stop, std::stop_token outer)
    : client_(std::move(client)),
      claim_(claim),
      pace_(pace_of(pace, claim)),
      stop_(std::move(stop)),
      outer_(std::move(outer), [this] { stop_.request_stop(); }) {
  heartbeat_.lease = claim_.lease;
  heartbeat_.state = RunState::claimed;
  lease_renewer_ = std::jthread([this](const std::stop_token& over) { keep_lease(over); });
  uploader_ = std::jthread([this](const std::stop_token& over) { upload_all(over); });
}

JobSession::~JobSession() { join(); }

void JobSession::join() {
  lease_renewer_ = std::jthread();
  uploader_ = std::jthread();
}

SessionEnd JobSession::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

Status JobSession::still_open() const {
  const std::lock_guard lock(mutex_);
  if (end_ == SessionEnd::open) return {};
  return fail(Errc::conflict, std::string(to_string(end_)));
}

void JobSession::end_session(SessionEnd end) {
  {
    const std::lock_guard lock(mutex_);
    if (end_ != SessionEnd::open) return;
    end_ = end;
  }
  changed_.notify_all();
  stop_.request_stop();
}

// A refusal means that the job is no longer ours; an absent server is waited for.
void JobSession::judge(const Error& error) {
  if (is_away(error)) return;
  log_warn("run " + std::to_string(claim_.run) + ": " + to_string(error));
  end_session(SessionEnd::lost);
}

void JobSession::keep_lease(const std::stop_token& over) {
  auto last_answer = std::chrono::steady_clock::now();
  while (!over.stop_requested()) {
    wire::Heartbeat beat;
    {
      const std::lock_guard lock(mutex_);
      beat = heartbeat_;
      state_changed_ = false;
    }
    const auto reply = client_.heartbeat(claim_.run, beat);
    if (reply) {
      last_answer = std::chrono::steady_clock::now();
      if (reply->cancel) end_session(SessionEnd::cancelled);
    } else {
      judge(reply.error());
      if (std::chrono::steady_clock::now() - last_answer > pace_.away_max) end_session(SessionEnd::server_away);
    }
    std::unique_lock lock(mutex_);
    if (end_ != SessionEnd::open) return;
    // Progress is told at most once a second, a beat is due in any case.
    const auto soon = std::chrono::steady_clock::now() +
                      std::min<std::chrono::milliseconds>(pace_.heartbeat, std::chrono::seconds(1));
    changed_.wait_until(lock, over, soon, [] { return false; });
    changed_.wait_for(lock, over, pace_.heartbeat, [this] { return state_changed_ || end_ != SessionEnd::open; });
    if (end_ != SessionEnd::open) return;
  }
}

Status JobSession::send(const Upload& upload) {
  if (const auto* log = std::get_if<wire::LogUpload>(&upload)) return client_.upload_log(claim_.run, *log);
  wire::ProcessUpload processes;
  processes.lease = claim_.lease;
  processes.processes.push_back(std::get<Process>(upload));
  const auto reply = client_.upload(claim_.run, processes);
  if (!reply) return pass_on(reply);
  return {};
}

void JobSession::upload_all(const std::stop_token& over) {
  while (true) {
    Upload next;
    {
      std::unique_lock lock(mutex_);
      idle_ = true;
      changed_.notify_all();
      changed_.wait(lock, over, [this] { return !queue_.empty(); });
      if (over.stop_requested() || end_ != SessionEnd::open) return;
      next = std::move(queue_.front());
      queue_.pop_front();
      idle_ = false;
    }
    const Status sent = send(next);
    if (sent) continue;
    if (is_away(sent.error()))
      end_session(SessionEnd::server_away);
    else
      judge(sent.error());
    return;
  }
}

Status JobSession::enqueue(Upload upload) {
  if (auto open = still_open(); !open) return open;
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(upload));
  }
  changed_.notify_all();
  return {};
}

Status JobSession::state(RunState state, const std::string& progress) {
  {
    const std::lock_guard lock(mutex_);
    heartbeat_.state = state;
    heartbeat_.progress = progress;
    state_changed_ = true;
  }
  changed_.notify_all();
  return still_open();
}

Result<std::optional<std::int64_t>> JobSession::resolved(const wire::Resolved& facts) {
  wire::Resolved message = facts;
  message.lease = claim_.lease;
  const auto reply = client_.resolved(claim_.run, message);
  if (!reply) {
    if (is_away(reply.error()))
      end_session(SessionEnd::server_away);
    else
      judge(reply.error());
    return pass_on(reply);
  }
  return reply->reused_from;
}

Status JobSession::process(const Process& process) { return enqueue(process); }

Status JobSession::log(const std::string& name, const std::string& text) {
  return enqueue(wire::LogUpload{claim_.lease, name, shortened(text)});
}

void JobSession::open_epoch(wire::EpochUpload upload) {
  upload.lease = claim_.lease;
  const auto reply = client_.open_epoch(claim_.run, upload);
  if (!reply)
    log_warn("run " + std::to_string(claim_.run) + ": the epoch's start: " + to_string(reply.error()));
  else
    log_info("run " + std::to_string(claim_.run) + ": " + upload.text +
             "; baselines carried: " + std::to_string(reply->carried));
}

Result<wire::FinishReply> JobSession::finish(JobResult result) {
  if (auto told = state(RunState::deciding, "uploading the last results"); !told) return pass_on(told);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop_.get_token(), [this] { return (queue_.empty() && idle_) || end_ != SessionEnd::open; });
    if (!queue_.empty() || !idle_ || end_ != SessionEnd::open)
      return fail(Errc::conflict, std::string(to_string(end_)));
  }
  wire::Finish message;
  message.lease = claim_.lease;
  message.evidence = std::move(result.evidence);
  for (auto& suite : message.evidence.suites) {
    suite.processes.clear();
    suite.stored.clear();  // the server has what the claim carried
  }
  fit_evidence(message.evidence);  // also of what never came to a job
  message.policy_toml_manifest = std::move(result.manifest_text);
  message.gpu_s_held = result.gpu_s_held;
  message.gpu_s_used = result.gpu_s_used;
  message.wall_s = result.wall_s;
  auto reply = client_.finish(claim_.run, message);
  join();
  return reply;
}

Status JobSession::release(Client& release_client, const std::string& reason) {
  join();
  return release_client.release(claim_.run, wire::Release{claim_.lease, reason});
}

}  // namespace kernelgate
