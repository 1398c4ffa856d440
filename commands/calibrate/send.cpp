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
  const auto body = client->get("/session", {});
  if (!body) return pass_on(body);
  const auto caller = wire::decode<wire::Caller>(*body);
  if (!caller) return pass_on(caller);
  if (caller->role != "runner" && caller->role != "admin")
    return fail(Errc::forbidden, "a token of role " + caller->role + " may not send a calibration", to.token_file,
                "use one of role runner");
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
  const auto body = client->post("/calibrations", wire::encode(upload));
  if (!body) return pass_on(body);
  auto reply = wire::decode<wire::CalibrationReply>(*body);
  if (!reply) return pass_on(reply);
  calibrated.server = std::move(*reply);
  return {};
}

}  // namespace kernelgate::local
