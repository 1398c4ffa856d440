// SPDX-License-Identifier: Apache-2.0
#include "db/runs/comparisons.hpp"

#include <climits>
#include <cmath>
#include <utility>

#include "core/wire/codec.hpp"
#include "db/baselines/calibrations.hpp"
#include "db/ledger/attempts.hpp"
#include "db/runs/run_parts.hpp"
#include "db/runs/runs.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr int kStoredDegreesMin = 15;  // DESIGN section 5, item 3

Comparison read_comparison(const Statement& row) {
  Comparison out;
  out.suite = row.text(0);
  out.benchmark = row.text(1);
  out.verdict = known(parse_verdict(row.text(2)), row.text(2));
  out.severity = known(parse_severity(row.text(3)), row.text(3));
  out.reason = row.text(4);
  out.fingerprint = row.text(5);
  out.round = static_cast<int>(row.integer(6));
  out.pairs = static_cast<int>(row.integer(7));
  std::optional<double>* const figures[] = {
      &out.ratio,   &out.ratio_low,      &out.ratio_high,    &out.hl_ratio, &out.hl_low,
      &out.hl_high, &out.cliffs_delta,   &out.mwu_p,         &out.q_value,  &out.minimum_detectable,
      &out.pair_sd, &out.base_median_ns, &out.head_median_ns};
  for (int i = 0; i < 13; ++i) *figures[i] = row.maybe_real(8 + i);
  out.tolerate = row.real(21);
  out.catch_limit = row.real(22);
  out.gpu_s = row.real(23);
  out.sum_squares = row.real(24);
  out.degrees = static_cast<int>(row.integer(25));
  out.looks = decode_looks(row.text(26));
  return out;
}

// The stored decision; empty for a run without one (cancelled, reused), or with one of another shape.
RunDecision documented(Connection& connection, RunId run) {
  const auto documents = get_documents(connection, run);
  if (!documents) return {};
  return wire::decode<RunDecision>(documents->decision).value_or(RunDecision{});
}

// Takes over what has no column; `from` is the position of the first comparison.
void add_documented(const RunDecision& decision, int from, std::vector<Comparison>& comparisons) {
  std::size_t at = static_cast<std::size_t>(from);
  for (Comparison& comparison : comparisons) {
    if (at >= decision.comparisons.size()) return;
    const Comparison& source = decision.comparisons[at++];
    comparison.distribution = source.distribution;
    comparison.against = source.against;
    comparison.error_factor = source.error_factor;
    comparison.code_changes = source.code_changes;
    comparison.counter_changes = source.counter_changes;
    comparison.roof = source.roof;
    comparison.base_configuration = source.base_configuration;
    comparison.head_configuration = source.head_configuration;
    comparison.pinned = source.pinned;
    comparison.attribution = source.attribution;
    comparison.acknowledged = source.acknowledged;
    comparison.quarantined = source.quarantined;
  }
}

std::vector<Comparison> read_comparisons(Connection& connection, RunId run, int from, int limit) {
  Statement row = connection.query(
      "SELECT b.suite, b.name, c.verdict, c.severity, c.reason, c.fingerprint, c.round, c.pairs, "
      "c.ratio, c.ratio_low, "
      "c.ratio_high, c.hl_ratio, c.hl_low, c.hl_high, c.cliffs_delta, c.mwu_p, c.q_value, "
      "c.minimum_detectable, "
      "c.pair_sd, c.base_median_ns, c.head_median_ns, c.tolerate, c.catch_limit, c.gpu_s, "
      "c.sum_squares, c.degrees, "
      "c.looks FROM comparisons c JOIN benchmarks b ON b.id = c.benchmark_id WHERE c.run_id = ? "
      "AND c.position >= ? "
      "ORDER BY c.position LIMIT ?",
      run, from, limit);
  std::vector<Comparison> comparisons;
  while (row.step()) comparisons.push_back(read_comparison(row));
  return comparisons;
}

// Pools the newest comparisons of one benchmark until they give enough degrees.
std::optional<StoredVariance> pooled(Connection& connection, std::int64_t benchmark, EpochId epoch) {
  Statement row = connection.query(
      "SELECT sum_squares, degrees FROM comparisons WHERE benchmark_id = ? AND epoch_id = ? AND "
      "degrees > 0 "
      "ORDER BY run_id DESC",
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
        "INSERT INTO comparisons (run_id, position, benchmark_id, epoch_id, verdict, severity, "
        "reason, fingerprint, "
        "round, pairs, ratio, ratio_low, ratio_high, hl_ratio, hl_low, hl_high, cliffs_delta, "
        "mwu_p, q_value, "
        "minimum_detectable, pair_sd, base_median_ns, head_median_ns, tolerate, catch_limit, "
        "gpu_s, sum_squares, "
        "degrees, looks, against) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?)",
        run, position++, benchmark, epoch, to_string(each.verdict), to_string(each.severity), each.reason,
        each.fingerprint, each.round, each.pairs, each.ratio, each.ratio_low, each.ratio_high, each.hl_ratio,
        each.hl_low, each.hl_high, each.cliffs_delta, each.mwu_p, each.q_value, each.minimum_detectable, each.pair_sd,
        each.base_median_ns, each.head_median_ns, each.tolerate, each.catch_limit, each.gpu_s, each.sum_squares,
        each.degrees, encode_looks(each.looks), to_string(each.against));
  }
}

std::vector<Comparison> list_comparisons(Connection& connection, RunId run, int from, int limit) {
  auto comparisons = read_comparisons(connection, run, from, limit);
  if (!comparisons.empty()) add_documented(documented(connection, run), from, comparisons);
  return comparisons;
}

Result<wire::Run> whole_run(Connection& connection, RunId id) {
  const auto run = get_run(connection, id);
  if (!run) return pass_on(run);
  wire::Run out = to_wire(*run);
  const RunId judged = run->reused_from.value_or(id);
  RunDecision decision = documented(connection, judged);
  out.comparisons = read_comparisons(connection, judged, 0, INT_MAX);
  add_documented(decision, 0, out.comparisons);
  out.workloads = std::move(decision.workloads);
  out.regions = std::move(decision.regions);
  for (std::string& notice : attempt_notices(connection, id)) out.notices.push_back(std::move(notice));
  return out;
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
