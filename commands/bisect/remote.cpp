// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <mutex>

#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/bisect/bisect.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::local {
namespace {

Result<Client> connect(const BisectServer& server) {
  return open_client({.server = server.url, .retry_for = std::chrono::seconds(10)}, server.token_file);
}

Result<std::vector<std::string>> commits_of(const BisectOptions& options) {
  const auto git = Git::open(options.run.repository, GitConfig::users);
  if (!git) return pass_on(git);
  const auto line = commit_line(*git, options.good, options.bad);
  if (!line) return pass_on(line);
  std::vector<std::string> out;
  for (const CommitHash& one : *line) out.push_back(one.str());
  return out;
}

}  // namespace

Result<wire::Bisection> start_there(const BisectServer& server, const BisectOptions& options) {
  auto commits = commits_of(options);
  if (!commits) return pass_on(commits);
  auto client = connect(server);
  if (!client) return pass_on(client);
  return client->bisect({.repository = server.repository,
                         .suite = options.target.suite,
                         .benchmark = options.target.benchmark,
                         .until = options.target.aim,
                         .commits = std::move(*commits)});
}

Result<wire::Bisection> show_there(const BisectServer& server, std::int64_t id) {
  auto client = connect(server);
  if (!client) return pass_on(client);
  return client->bisection(id);
}

Result<wire::Bisection> cancel_there(const BisectServer& server, std::int64_t id) {
  auto client = connect(server);
  if (!client) return pass_on(client);
  return client->cancel_bisection(id);
}

Result<wire::BisectionPage> list_there(const BisectServer& server) {
  auto client = connect(server);
  if (!client) return pass_on(client);
  return client->bisections(server.repository);
}

Result<wire::BackfillReply> backfill_there(const BisectServer& server, const BisectOptions& options) {
  auto commits = commits_of(options);
  if (!commits) return pass_on(commits);
  auto client = connect(server);
  if (!client) return pass_on(client);
  return client->backfill({.repository = server.repository, .commits = std::move(*commits), .limit = options.limit});
}

Result<wire::Bisection> wait_there(const BisectServer& server, std::int64_t id, const RunProgress& progress,
                                   const std::stop_token& stop) {
  auto client = connect(server);
  if (!client) return pass_on(client);
  std::mutex mutex;
  std::condition_variable_any wake;
  while (true) {
    auto now = client->bisection(id);
    if (!now || now->state != wire::BisectionState::running) return now;
    progress(now->text);
    std::unique_lock lock(mutex);
    if (wake.wait_for(lock, stop, limits::kBisectionAskEvery, [] { return false; }); stop.stop_requested())
      return fail(Errc::conflict, "stopped waiting; the bisection goes on", "bisection " + std::to_string(id));
  }
}

}  // namespace kernelgate::local
