// SPDX-License-Identifier: Apache-2.0
#include "db/history/roofs.hpp"

#include <map>
#include <string>

#include "core/decision/explain/roofline.hpp"
#include "core/wire/codec.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {

std::optional<Ceilings> ceilings_of(Connection& connection, RunId run) {
  Statement row = connection.query(
      "SELECT json_extract(evidence, '$.ceilings') FROM run_documents WHERE run_id = ? AND json_valid(evidence)", run);
  if (!row.step() || row.is_null(0)) return std::nullopt;
  const auto found = wire::decode<Ceilings>(row.text(0));
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<wire::HistoryWork> work_of(Connection& connection, RepositoryId repository,
                                         const wire::BenchmarkHistory& history) {
  if (history.points.empty()) return std::nullopt;
  const wire::HistoryPoint& newest = history.points.back();
  Statement row = connection.query(
      "SELECT s.counters FROM processes p JOIN series s ON s.process_id = p.id WHERE p.run_id = ? AND p.suite = ? "
      "AND p.side = 'head' AND p.superseded = 0 AND s.error = '' AND s.benchmark_id = "
      "(SELECT id FROM benchmarks WHERE repository_id = ? AND suite = ? AND name = ?) ORDER BY p.id LIMIT 1",
      newest.run, history.suite, repository, history.suite, history.benchmark);
  if (!row.step()) return std::nullopt;
  const Work work = kernelgate::work_of(history.benchmark, decode_counters(row.text(0)), newest.median_ns / 1e9);
  if (!(work.flops > 0) && !(work.bytes > 0)) return std::nullopt;
  wire::HistoryWork out{.flops = work.flops, .bytes = work.bytes, .roof_ns = {}, .roof = {}};
  const auto ceilings = ceilings_of(connection, RunId{newest.run});
  const auto position = ceilings ? roof_position(work, *ceilings) : std::nullopt;
  if (!position) return out;
  out.roof_ns = position->fraction * newest.median_ns;
  out.roof = position->roof;
  return out;
}

}  // namespace kernelgate::db
