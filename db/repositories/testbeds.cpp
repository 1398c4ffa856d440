// SPDX-License-Identifier: Apache-2.0
#include "db/repositories/testbeds.hpp"

#include "core/units/digest.hpp"

namespace kernelgate::db {
namespace {

constexpr std::string_view kSelectTestbeds =
    "SELECT e.id, e.testbed_id, t.name, e.gpu_model, e.compute_capability, e.driver, e.toolkit, "
    "e.power_limit, "
    "e.mig_mode, e.host_cpu, e.facts_sha256, e.since FROM epochs e JOIN testbeds t ON t.id = "
    "e.testbed_id ";

Epoch read_epoch(const Statement& row) {
  return {.id = row.id<EpochId>(0),
          .testbed = row.id<TestbedId>(1),
          .facts = {.name = row.text(2),
                    .gpu_model = row.text(3),
                    .compute_capability = row.text(4),
                    .driver = row.text(5),
                    .toolkit = row.text(6),
                    .power_limit = row.text(7),
                    .mig_mode = row.text(8),
                    .host_cpu = row.text(9)},
          .facts_sha256 = row.text(10),
          .since = row.instant(11)};
}

TestbedId testbed_id(Connection& connection, const std::string& name) {
  connection.run("INSERT INTO testbeds (name) VALUES (?) ON CONFLICT (name) DO NOTHING", name);
  Statement row = connection.query("SELECT id FROM testbeds WHERE name = ?", name);
  if (!row.step()) throw DbError(Error{Errc::io, "the store: a testbed was not written", name, {}});
  return row.id<TestbedId>(0);
}

}  // namespace

std::string facts_hash(const wire::TestbedFacts& facts) {
  return Sha256{}
      .field(facts.name)
      .field(facts.gpu_model)
      .field(facts.compute_capability)
      .field(facts.driver)
      .field(facts.toolkit)
      .field(facts.power_limit)
      .field(facts.mig_mode)
      .field(facts.host_cpu)
      .hex();
}

EpochId enter_epoch(Connection& connection, const wire::TestbedFacts& facts, Instant now) {
  const TestbedId testbed = testbed_id(connection, facts.name);
  const std::string hash = facts_hash(facts);
  {
    Statement last =
        connection.query("SELECT id, facts_sha256 FROM epochs WHERE testbed_id = ? ORDER BY id DESC LIMIT 1", testbed);
    if (last.step() && last.text(1) == hash) return last.id<EpochId>(0);
  }
  connection.run(
      "INSERT INTO epochs (testbed_id, facts_sha256, gpu_model, compute_capability, driver, "
      "toolkit, power_limit, "
      "mig_mode, host_cpu, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      testbed, hash, facts.gpu_model, facts.compute_capability, facts.driver, facts.toolkit, facts.power_limit,
      facts.mig_mode, facts.host_cpu, now);
  return EpochId{connection.last_insert_id()};
}

std::optional<EpochId> find_epoch(Connection& connection, const wire::TestbedFacts& facts) {
  Statement row = connection.query(
      "SELECT e.id FROM epochs e JOIN testbeds t ON t.id = e.testbed_id WHERE t.name = ? AND e.facts_sha256 = ? ORDER "
      "BY e.id DESC LIMIT 1",
      facts.name, facts_hash(facts));
  if (!row.step()) return std::nullopt;
  return row.id<EpochId>(0);
}

bool knows_testbed(Connection& connection, const std::string& name) {
  Statement row = connection.query("SELECT 1 FROM testbeds WHERE name = ?", name);
  return row.step();
}

bool is_over(Connection& connection, EpochId epoch) {
  Statement row = connection.query(
      "SELECT 1 FROM epochs e JOIN epochs later ON later.testbed_id = e.testbed_id AND later.id > e.id WHERE e.id = ? "
      "LIMIT 1",
      epoch);
  return row.step();
}

Result<Epoch> get_epoch(Connection& connection, EpochId id) {
  Statement row = connection.query(std::string(kSelectTestbeds) + "WHERE e.id = ?", id);
  if (!row.step()) return fail(Errc::not_found, "no epoch " + std::to_string(id.value));
  return read_epoch(row);
}

std::vector<EpochRecord> list_epochs(Connection& connection, const Page& page) {
  Statement row = connection.query(std::string(kSelectTestbeds) + "WHERE e.id < ? ORDER BY e.id DESC LIMIT ?",
                                   first_below(page), row_limit(page));
  std::vector<EpochRecord> epochs;
  while (row.step()) epochs.push_back({.epoch = read_epoch(row)});
  for (EpochRecord& record : epochs) record.over = is_over(connection, record.epoch.id);
  return epochs;
}

std::vector<Epoch> present_epochs(Connection& connection) {
  Statement row = connection.query(std::string(kSelectTestbeds) +
                                   "WHERE e.id IN (SELECT max(id) FROM epochs GROUP BY testbed_id) ORDER BY e.id DESC");
  std::vector<Epoch> epochs;
  while (row.step()) epochs.push_back(read_epoch(row));
  return epochs;
}

std::vector<EpochId> present_epochs(Connection& connection, RepositoryId repository) {
  Statement row = connection.query(
      "SELECT max(e.id) FROM epochs e WHERE e.testbed_id IN ("
      "SELECT used.testbed_id FROM epochs used WHERE EXISTS ("
      "SELECT 1 FROM runs r WHERE r.repository_id = ? AND r.epoch_id = used.id AND r.state = 'done' "
      "AND r.source NOT IN ('remeasure', 'import'))) "
      "GROUP BY e.testbed_id ORDER BY max(e.id) DESC",
      repository);
  std::vector<EpochId> epochs;
  while (row.step()) epochs.push_back(row.id<EpochId>(0));
  return epochs;
}

}  // namespace kernelgate::db
