// SPDX-License-Identifier: Apache-2.0
#include "client/client.hpp"
#include "client/token_file.hpp"
#include "commands/calibrate/calibrate.hpp"
#include "core/wire/accounts.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate::local {
namespace {

Result<Client> connect(const CalibrationServer& to) {
  return open_client({.server = to.url, .retry_for = std::chrono::seconds(10)}, to.token_file);
}

}  // namespace

Status check_server(const CalibrationServer& to) {
  auto client = connect(to);
  if (!client) return pass_on(client);
  const auto known = client->repository(to.repository);
  if (!known) return pass_on(known);
  const auto caller = client->call(wire::endpoint::get_session);
  if (!caller) return pass_on(caller);
  if (caller->role != Role::runner && caller->role != Role::admin)
    return fail(Errc::forbidden,
                "a token of role " + std::string(to_string(caller->role)) + " may not send a calibration",
                to.token_file, "use one of role runner");
  return {};
}

Status send(const CalibrationServer& to, Calibrated& calibrated) {
  auto client = connect(to);
  if (!client) return pass_on(client);
  wire::CalibrationUpload upload{.repository = to.repository,
                                 .testbed = calibrated.facts,
                                 .commit = calibrated.found.commit,
                                 .rule_version = calibrated.found.rule_version,
                                 .program = calibrated.found.program,
                                 .benchmarks = calibrated.found.benchmarks};
  if (!to.testbed.empty()) upload.testbed.name = to.testbed;
  auto reply = client->call(wire::endpoint::post_calibration, upload);
  if (!reply) return pass_on(reply);
  calibrated.server = std::move(*reply);
  return {};
}

}  // namespace kernelgate::local
