// SPDX-License-Identifier: Apache-2.0
#include "service/runs/supersede.hpp"

#include <string>

#include "db/runs/runs.hpp"
#include "service/runs/ends.hpp"

namespace kernelgate::service {
namespace {

// The same pull request, now to be merged elsewhere: what the older run says is no longer asked.
bool is_retargeted(const db::Run& older, const db::Run& newer) {
  return older.pull_request && newer.pull_request && older.pull_request->number == newer.pull_request->number &&
         older.pull_request->target != newer.pull_request->target;
}

}  // namespace

Result<std::vector<RunId>> supersede(db::Connection& connection, const db::Line& line, RunId newer, Instant now) {
  const auto run = db::get_run(connection, newer);
  if (!run) return pass_on(run);
  std::vector<RunId> out;
  for (const db::Run& older : db::unfinished_on(connection, line)) {
    if (older.id == newer || (older.commit == run->commit && !is_retargeted(older, *run))) continue;
    const std::string reason = "superseded by run " + std::to_string(newer.value);
    if (const Status done = stop_run(connection, older.id, reason, now); !done) return pass_on(done);
    db::set_superseded(connection, older.id, newer);
    out.push_back(older.id);
  }
  return out;
}

Result<std::vector<RunId>> cancel_line(db::Connection& connection, const db::Line& line, std::string_view reason,
                                       Instant now) {
  std::vector<RunId> out;
  for (const db::Run& run : db::unfinished_on(connection, line)) {
    if (const Status done = stop_run(connection, run.id, reason, now); !done) return pass_on(done);
    out.push_back(run.id);
  }
  return out;
}

}  // namespace kernelgate::service
