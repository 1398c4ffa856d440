// SPDX-License-Identifier: Apache-2.0
#include "db/runs/comparisons.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/wire/codec.hpp"
#include "db/baselines/calibrations.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr int kStoredDegreesMin = 15;  // DESIGN section 5, item 3

// Pools the newest comparisons of one benchmark until they give enough degrees.
std::optional<StoredVariance> pooled(Connection& connection, std::int64_t benchmark, EpochId epoch) {
  Statement row = connection.query(
      "SELECT c.sum_squares, c.degrees FROM comparisons c JOIN runs r ON r.id = c.run_id WHERE c.benchmark_id = ? "
      "AND c.epoch_id = ? AND c.degrees > 0 AND r.trust = 'trusted' "
      "ORDER BY c.run_id DESC",
      benchmark, epoch);
  StoredVariance pool;
  double sum_squares = 0;
  while (pool.degrees < kStoredDegreesMin && row.step()) {
    sum_squares += row.real(0);
    pool.degrees += static_cast<int>(row.integer(1));
  }
  if (pool.degrees < kStoredDegreesMin) return std::nullopt;
  pool.variance = sum_squares / pool.degrees;
  return pool;
}

}  // namespace

std::int64_t benchmark_row(Connection& connection, RepositoryId repository, std::string_view suite,
                           std::string_view name) {
  {
    Statement found = connection.query("SELECT id FROM benchmarks WHERE repository_id = ? AND suite = ? AND name = ?",
                                       repository, suite, name);
    if (found.step()) return found.integer(0);
  }
  connection.run("INSERT INTO benchmarks (repository_id, suite, name) VALUES (?, ?, ?)", repository, suite, name);
  return connection.last_insert_id();
}

void write_comparisons(Connection& connection, RunId run, RepositoryId repository, std::optional<EpochId> epoch,
                       std::span<const Comparison> comparisons) {
  std::int64_t position = 0;
  for (const Comparison& each : comparisons) {
    const std::int64_t benchmark = benchmark_row(connection, repository, each.suite, each.benchmark);
    connection.run(
        "INSERT INTO comparisons (run_id, position, benchmark_id, epoch_id, verdict, reason, fingerprint, round, "
        "pairs, ratio, ratio_low, ratio_high, base_median_ns, head_median_ns, sum_squares, degrees, against) VALUES "
        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        run, position++, benchmark, epoch, to_string(each.verdict), each.reason, each.fingerprint, each.round,
        each.pairs, each.ratio, each.ratio_low, each.ratio_high, each.base_median_ns, each.head_median_ns,
        each.sum_squares, each.degrees, to_string(each.against));
  }
}

RunDecision stored_decision(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT decision FROM run_documents WHERE run_id = ?", run);
  if (!row.step()) return {};
  auto decision = wire::decode<RunDecision>(row.text(0));
  if (decision) return std::move(*decision);
  const std::string name = "run " + std::to_string(run.value);
  throw DbError(Error{Errc::corrupt, "the stored decision cannot be read: " + to_string(decision.error()),
                      "run_documents.decision of " + name,
                      "restore the store from a backup, or measure the commit again"});
}

std::vector<Comparison> list_comparisons(Connection& connection, RunId run, int from, int limit) {
  std::vector<Comparison> all = stored_decision(connection, run).comparisons;
  const auto size = static_cast<std::ptrdiff_t>(all.size());
  const std::ptrdiff_t first = std::min<std::ptrdiff_t>(from, size);
  const std::ptrdiff_t last = first + std::min<std::ptrdiff_t>(limit, size - first);
  if (first == 0 && last == size) return all;
  return {std::make_move_iterator(all.begin() + first), std::make_move_iterator(all.begin() + last)};
}

std::vector<StoredVariance> stored_variances(Connection& connection, RepositoryId repository, EpochId epoch) {
  std::vector<StoredVariance> variances;
  Statement benchmark = connection.query(
      "SELECT id, suite, name FROM benchmarks WHERE repository_id = ? ORDER BY suite, name", repository);
  while (benchmark.step()) {
    auto pool = pooled(connection, benchmark.integer(0), epoch);
    const double detectable = detectable_shift(connection, benchmark.integer(0), epoch);
    if (!pool && detectable == 0) continue;
    if (!pool) pool.emplace();
    pool->detectable = detectable;
    pool->suite = benchmark.text(1);
    pool->benchmark = benchmark.text(2);
    variances.push_back(std::move(*pool));
  }
  return variances;
}

}  // namespace kernelgate::db
