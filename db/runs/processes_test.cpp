// SPDX-License-Identifier: Apache-2.0
#include "db/runs/processes.hpp"

#include <limits>

#include "core/units/limits.hpp"
#include "db/history/counts.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace processes_test {

using Processes = StoreTest;

TEST_F(Processes, KeepEverySampleAndFigure) {
  const RunId run = working_run(1);
  Process in = process("id", Side::head, 3, {0.1, 1e-300, 1e300, 0.1 + 0.2}, "a \"b\"/ü:'c'");
  in.round = 1;
  in.attempt = 2;
  in.disturbed = true;
  in.disturbance = "thermal";
  in.started_at_ms = 1234567890123;
  in.wall_s = 1.25;
  in.gpu_s = 0.5;
  in.end = ProcessEnd::crashed;
  in.exit_code = 3;
  in.signal = 11;
  in.text = "last words";
  in.state_json = "{\"sm_mhz\":1980}";
  in.series[0].counters = {{"flops", 1e12}, {"odd", std::numeric_limits<double>::infinity()}};
  in.series.push_back({.benchmark = "failed", .samples_ns = {}, .error = "CUDA error", .counters = {}});
  ASSERT_TRUE(put_process(connection, run, in, at(2)));

  const auto all = evidence_processes(connection, run);
  ASSERT_EQ(all.size(), 1u);
  const Process& out = all[0];
  EXPECT_EQ(out.id, in.id);
  EXPECT_EQ(out.side, in.side);
  EXPECT_EQ(out.round, 1);
  EXPECT_EQ(out.pair, 3);
  EXPECT_EQ(out.attempt, 2);
  EXPECT_EQ(out.order, in.order);
  EXPECT_TRUE(out.disturbed);
  EXPECT_EQ(out.disturbance, "thermal");
  EXPECT_EQ(out.started_at_ms, in.started_at_ms);
  EXPECT_EQ(out.wall_s, 1.25);
  EXPECT_EQ(out.gpu_s, 0.5);
  EXPECT_EQ(out.end, ProcessEnd::crashed);
  EXPECT_EQ(out.exit_code, 3);
  EXPECT_EQ(out.signal, 11);
  EXPECT_EQ(out.text, "last words");
  EXPECT_EQ(out.state_json, in.state_json);
  ASSERT_EQ(out.series.size(), 2u);
  EXPECT_EQ(out.series[0].benchmark, in.series[0].benchmark);
  EXPECT_EQ(out.series[0].samples_ns, in.series[0].samples_ns);
  EXPECT_EQ(out.series[0].counters, in.series[0].counters);
  EXPECT_EQ(out.series[1].error, "CUDA error");
  EXPECT_TRUE(out.series[1].samples_ns.empty());
}

TEST_F(Processes, TheSameUploadAgainChangesNothing) {
  const RunId run = working_run(1);
  const std::vector<Process> upload{process("a", Side::base, 0, {1, 2}), process("b", Side::head, 0, {3, 4})};
  EXPECT_EQ(put_processes(connection, run, upload, at(2)), 2);
  EXPECT_EQ(put_processes(connection, run, upload, at(3)), 0);
  const std::vector<Process> more{upload[1], process("c", Side::head, 1, {5})};
  EXPECT_EQ(put_processes(connection, run, more, at(4)), 1);
  const Counts counts = count_all(connection);
  EXPECT_EQ(counts.processes, 3);
  EXPECT_EQ(counts.series, 3);
}

TEST_F(Processes, AnUploadRepeatedAfterTheEndIsStillKnown) {
  const RunId run = working_run(1);
  ASSERT_TRUE(put_process(connection, run, process("a", Side::base, 0, {1}), at(2)));
  finish(run, Conclusion::passed);
  EXPECT_EQ(put_process(connection, run, process("a", Side::base, 0, {1}), at(3)), false);
  EXPECT_EQ(put_process(connection, run, process("b", Side::base, 0, {1}), at(3)).error().code, Errc::conflict);
}

TEST_F(Processes, AnIdBelongsToOneRun) {
  const RunId first = working_run(1);
  const RunId second = working_run(2);
  ASSERT_TRUE(put_process(connection, first, process("a", Side::base, 0, {1}), at(2)));
  EXPECT_EQ(put_process(connection, second, process("a", Side::base, 0, {1}), at(3)).error().code, Errc::conflict);
}

TEST_F(Processes, BadOnesAreRefused) {
  const RunId run = working_run(1);
  const auto code = [&](const Process& each) { return put_process(connection, run, each, at(2)).error().code; };
  EXPECT_EQ(code(process("", Side::base, 0, {1})), Errc::invalid);
  EXPECT_EQ(code(process("nan", Side::base, 0, {std::numeric_limits<double>::quiet_NaN()})), Errc::invalid);
  EXPECT_EQ(code(process("big", Side::base, 0, std::vector<double>(limits::kSamplesPerSeriesMax + 1, 1.0))),
            Errc::too_large);
  EXPECT_EQ(count_all(connection).processes, 0);
}

TEST_F(Processes, PagesAndFilters) {
  const RunId run = working_run(1);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(put_process(connection, run,
                            process("p" + std::to_string(i), Side::head, i, {1}, i % 2 ? "odd" : "even"), at(2)));
  }
  const auto first = list_processes(connection, run, {}, {.limit = 2});
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].process.id, "p4");
  const auto second = list_processes(connection, run, {}, {.before = first[1].row, .limit = 2});
  EXPECT_EQ(second.at(0).process.id, "p2");
  EXPECT_EQ(list_processes(connection, run, {.suite = {}, .benchmark = "odd"}).size(), 2u);
  EXPECT_EQ(list_processes(connection, run, {.suite = "other", .benchmark = {}}).size(), 0u);
}

}  // namespace processes_test
}  // namespace kernelgate::db
