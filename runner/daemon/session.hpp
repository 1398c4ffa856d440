// SPDX-License-Identifier: Apache-2.0
#pragma once

// One claimed job as the server sees it: a thread keeps the lease alive, another uploads what the
// job reports, so that a slow or absent server never stands between the two halves of a pair. What
// cannot be uploaded yet is kept. The lease lost, the run cancelled, or the server away for longer
// than limits::kServerAwayMax: the job is stopped.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <variant>

#include "client/client.hpp"
#include "runner/job/job.hpp"

namespace kernelgate {

enum class SessionEnd { open, lost, cancelled, server_away };
[[nodiscard]] std::string_view to_string(SessionEnd end);

class JobSession final : public JobReporter {
 public:
  struct Pace {
    std::chrono::milliseconds heartbeat{limits::kHeartbeatEvery};
    std::chrono::milliseconds away_max{limits::kServerAwayMax};
  };
  // `client` repeats its calls while the server is away, until `stop` is requested; that happens
  // when the session ends and when `outer`, the runner's own, is requested.
  JobSession(Client client, const wire::Claim& claim, Pace pace, std::stop_source stop, std::stop_token outer);
  ~JobSession() override;
  JobSession(const JobSession&) = delete;
  JobSession& operator=(const JobSession&) = delete;

  // Stops when the runner stops or the session ends.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
  [[nodiscard]] SessionEnd end() const;

  [[nodiscard]] Status state(RunState state, const std::string& progress) override;
  [[nodiscard]] Result<std::optional<std::int64_t>> resolved(const wire::Resolved& facts) override;
  [[nodiscard]] Status process(const Process& process) override;
  [[nodiscard]] Status log(const std::string& name, const std::string& text) override;

  // What was measured at the start of the run's epoch. A refusal is said and ends nothing.
  void open_epoch(wire::EpochUpload upload);
  // Waits until everything is uploaded, then ends the run on the server.
  [[nodiscard]] Result<wire::FinishReply> finish(JobResult result);
  // Gives the job back through a client of its own, since this one has stopped. What was not
  // uploaded is dropped: the next runner measures anew.
  [[nodiscard]] Status release(Client& release_client, const std::string& reason);

 private:
  using Upload = std::variant<Process, wire::LogUpload>;

  void keep_lease(const std::stop_token& over);
  void upload_all(const std::stop_token& over);
  [[nodiscard]] Status send(const Upload& upload);
  [[nodiscard]] Status enqueue(Upload upload);
  [[nodiscard]] Status still_open() const;
  void end_session(SessionEnd end);
  void judge(const Error& error);
  void join();

  Client client_;
  const wire::Claim claim_;
  const Pace pace_;
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> outer_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SessionEnd end_ = SessionEnd::open;
  wire::Heartbeat heartbeat_;
  bool state_changed_ = false;
  std::deque<Upload> queue_;
  bool idle_ = true;  // the uploader has nothing in its hands
  std::jthread lease_renewer_, uploader_;
};

}  // namespace kernelgate
