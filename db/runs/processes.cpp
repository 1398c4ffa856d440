// SPDX-License-Identifier: Apache-2.0
#include "db/runs/processes.hpp"

#include <cmath>

#include "core/stats/summary.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"
#include "db/runs/run_parts.hpp"
#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

Status check_sizes(const Process& process) {
  if (process.id.empty()) return fail(Errc::invalid, "a process needs an id", "id");
  if (process.series.size() > static_cast<std::size_t>(limits::kBenchmarksPerSuiteMax))
    return fail(Errc::too_large,
                "a process has more than " + std::to_string(limits::kBenchmarksPerSuiteMax) + " series");
  for (const Series& series : process.series) {
    if (series.configuration.size() > limits::kConfigurationMax)
      return fail(Errc::too_large,
                  "a configuration is longer than " + std::to_string(limits::kConfigurationMax) + " bytes",
                  series.benchmark);
    if (series.samples_ns.size() > static_cast<std::size_t>(limits::kSamplesPerSeriesMax))
      return fail(Errc::too_large,
                  "a series has more than " + std::to_string(limits::kSamplesPerSeriesMax) + " samples",
                  series.benchmark);
    for (const double sample : series.samples_ns)
      if (!std::isfinite(sample)) return fail(Errc::invalid, "a sample is not a finite number", series.benchmark);
  }
  return {};
}

std::optional<double> median_ns(const Series& series) {
  const auto median = stats::median(series.samples_ns);
  return median ? std::optional(*median) : std::nullopt;
}

void insert_series(Connection& connection, RepositoryId repository, std::int64_t process_row, const Process& process) {
  std::int64_t position = 0;
  for (const Series& series : process.series) {
    const std::int64_t benchmark = benchmark_row(connection, repository, process.suite, series.benchmark);
    connection.run(
        "INSERT INTO series (process_id, position, benchmark_id, sample_count, median_ns, samples, "
        "error, counters, configuration) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        process_row, position++, benchmark, series.samples_ns.size(), median_ns(series), pack(series.samples_ns),
        series.error, encode_counters(series.counters), series.configuration);
  }
}

std::int64_t insert_process(Connection& connection, RunId run, int generation, const Process& process, Instant now) {
  connection.run(
      "INSERT INTO processes (run_id, process_id, generation, suite, side, round, pair, attempt, "
      "position, disturbed, "
      "disturbance, started_at, wall_s, gpu_s, ending, exit_code, signal, text, device_state, "
      "device_times, stored_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      run, process.id, generation, process.suite, to_string(process.side), process.round, process.pair, process.attempt,
      process.order, process.disturbed, process.disturbance, process.started_at_ms, process.wall_s, process.gpu_s,
      to_string(process.end), process.exit_code, process.signal, process.text, process.state_json,
      process.device ? wire::encode(*process.device) : std::string(), now);
  return connection.last_insert_id();
}

constexpr std::string_view kSelectProcesses =
    "SELECT p.id, p.generation, p.superseded, p.stored_at, p.process_id, p.suite, p.side, p.round, "
    "p.pair, p.attempt, "
    "p.position, p.disturbed, p.disturbance, p.started_at, p.wall_s, p.gpu_s, p.ending, "
    "p.exit_code, p.signal, p.text, "
    "p.device_state, p.device_times FROM processes p ";

StoredProcess read_process(const Statement& row) {
  StoredProcess out;
  out.row = row.integer(0);
  out.generation = static_cast<int>(row.integer(1));
  out.superseded = row.boolean(2);
  out.stored_at = row.instant(3);
  Process& process = out.process;
  process.id = row.text(4);
  process.suite = row.text(5);
  process.side = known(parse_side(row.text(6)), row.text(6));
  process.round = static_cast<int>(row.integer(7));
  process.pair = static_cast<int>(row.integer(8));
  process.attempt = static_cast<int>(row.integer(9));
  process.order = static_cast<int>(row.integer(10));
  process.disturbed = row.boolean(11);
  process.disturbance = row.text(12);
  process.started_at_ms = row.integer(13);
  process.wall_s = row.real(14);
  process.gpu_s = row.real(15);
  process.end = known(parse_process_end(row.text(16)), row.text(16));
  process.exit_code = static_cast<int>(row.integer(17));
  process.signal = static_cast<int>(row.integer(18));
  process.text = row.text(19);
  process.state_json = row.text(20);
  if (const std::string times = row.text(21); !times.empty()) {
    auto device = wire::decode<DeviceTimes>(times);
    if (!device) throw_corrupt("the device times of a process: " + to_string(device.error()));
    process.device = std::move(*device);
  }
  return out;
}

void read_series(Connection& connection, StoredProcess& stored, const std::string& benchmark) {
  Statement row = connection.query(
      "SELECT b.name, s.samples, s.sample_count, s.error, s.counters, r.thinned_at IS NOT NULL, "
      "s.configuration FROM series s "
      "JOIN processes p ON p.id = s.process_id JOIN runs r ON r.id = p.run_id "
      "JOIN benchmarks b ON b.id = s.benchmark_id WHERE s.process_id = ? AND (?2 = '' OR b.name = "
      "?2) "
      "ORDER BY s.position",
      stored.row, benchmark);
  while (row.step()) {
    Series series{.benchmark = row.text(0),
                  .samples_ns = unpack(row.blob(1)),
                  .error = row.text(3),
                  .counters = decode_counters(row.text(4)),
                  .configuration = row.text(6)};
    const auto held = static_cast<std::int64_t>(series.samples_ns.size());
    if (held > row.integer(2) || (held < row.integer(2) && !row.boolean(5)))
      throw_corrupt("a series does not hold as many samples as it says");
    stored.process.series.push_back(std::move(series));
  }
}

}  // namespace

Result<bool> put_process(Connection& connection, RunId run, const Process& process, Instant now) {
  if (const Status sizes = check_sizes(process); !sizes) return pass_on(sizes);
  {
    Statement same = connection.query("SELECT run_id FROM processes WHERE process_id = ?", process.id);
    if (same.step()) {
      if (same.id<RunId>(0) == run) return false;
      return fail(Errc::conflict, "process " + process.id + " belongs to another run");
    }
  }
  const auto head = unfinished_run(connection, run);
  if (!head) return pass_on(head);
  const std::int64_t row = insert_process(connection, run, head->generation, process, now);
  insert_series(connection, head->repository, row, process);
  return true;
}

Result<int> put_processes(Connection& connection, RunId run, std::span<const Process> processes, Instant now) {
  int stored = 0;
  for (const Process& process : processes) {
    const auto is_new = put_process(connection, run, process, now);
    if (!is_new) return pass_on(is_new);
    stored += *is_new ? 1 : 0;
  }
  return stored;
}

std::vector<Process> evidence_processes(Connection& connection, RunId run) {
  std::vector<StoredProcess> stored;
  {
    Statement row = connection.query(
        std::string(kSelectProcesses) + "WHERE p.run_id = ? AND p.superseded = 0 ORDER BY p.position, p.id", run);
    while (row.step()) stored.push_back(read_process(row));
  }
  std::vector<Process> processes;
  for (StoredProcess& each : stored) {
    read_series(connection, each, {});
    processes.push_back(std::move(each.process));
  }
  return processes;
}

std::vector<std::string> process_ids(Connection& connection, RunId run) {
  Statement row = connection.query("SELECT process_id FROM processes WHERE run_id = ? ORDER BY id", run);
  std::vector<std::string> ids;
  while (row.step()) ids.push_back(row.text(0));
  return ids;
}

std::vector<StoredProcess> list_processes(Connection& connection, RunId run, const ProcessFilter& filter,
                                          const Page& page) {
  std::vector<StoredProcess> stored;
  {
    Statement row = connection.query(
        std::string(kSelectProcesses) +
            "WHERE p.run_id = ?1 AND p.id < ?2 AND (?3 <> 0 OR p.superseded = 0) AND (?4 = '' OR "
            "p.suite = ?4) "
            "AND (?5 = '' OR EXISTS (SELECT 1 FROM series s JOIN benchmarks b ON b.id = "
            "s.benchmark_id "
            "WHERE s.process_id = p.id AND b.name = ?5)) ORDER BY p.id DESC LIMIT ?6",
        run, first_below(page), filter.with_superseded, filter.suite, filter.benchmark, row_limit(page));
    while (row.step()) stored.push_back(read_process(row));
  }
  for (StoredProcess& each : stored) read_series(connection, each, filter.benchmark);
  return stored;
}

}  // namespace kernelgate::db
