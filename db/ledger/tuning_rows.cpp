// SPDX-License-Identifier: Apache-2.0
#include "db/ledger/tuning_rows.hpp"

#include <utility>

namespace kernelgate::db {
namespace {

std::vector<RunCase> cases_of(Statement row) {
  std::vector<RunCase> out;
  while (row.step()) out.push_back({row.text(0), row.text(1)});
  return out;
}

}  // namespace

std::vector<RepositoryId> same_address(Connection& connection, RepositoryId repository) {
  Statement row = connection.query(
      "SELECT b.id FROM repositories a JOIN repositories b ON b.url = a.url WHERE a.id = ? ORDER BY b.id <> a.id, b.id",
      repository);
  std::vector<RepositoryId> out;
  while (row.step()) out.push_back(row.id<RepositoryId>(0));
  return out;
}

std::optional<RunTestbed> testbed_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT e.id, t.name, e.gpu_model, e.compute_capability, e.driver, e.toolkit, e.host_cpu FROM runs r JOIN epochs "
      "e ON e.id = r.epoch_id JOIN testbeds t ON t.id = e.testbed_id WHERE r.id = ?",
      run);
  if (!row.step()) return std::nullopt;
  RunTestbed out{.epoch = row.id<EpochId>(0), .testbed = {}};
  out.testbed.name = row.text(1);
  out.testbed.gpu_model = row.text(2);
  out.testbed.compute_capability = row.text(3);
  out.testbed.driver = row.text(4);
  out.testbed.toolkit = row.text(5);
  out.testbed.host_cpu = row.text(6);
  return out;
}

std::vector<RunCase> benchmarks_of(Connection& connection, RunId run) {
  return cases_of(connection.query(
      "SELECT DISTINCT b.suite, b.name FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = "
      "? AND c.fingerprint = ''",
      run));
}

std::vector<RunCase> shapes_of(Connection& connection, RunId run) {
  return cases_of(connection.query("SELECT DISTINCT suite, shape FROM checks WHERE run_id = ? AND shape <> ''", run));
}

}  // namespace kernelgate::db
