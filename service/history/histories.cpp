// SPDX-License-Identifier: Apache-2.0
#include "service/history/histories.hpp"

#include <utility>

#include "db/baselines/anchors.hpp"
#include "db/history/roofs.hpp"
#include "service/history/trends.hpp"
#include "service/store/named.hpp"

namespace kernelgate::service {
Result<Repository> find_repository(Store store, const std::string& name) {
  return store.read([&](db::Connection& connection) -> Result<Repository> {
    if (!name.empty()) return db::get_repository(connection, name);
    auto all = db::list_repositories(connection);
    if (all.size() == 1) return std::move(all.front());
    return fail(Errc::invalid, "the store has " + std::to_string(all.size()) + " repositories", "--repository",
                "name one");
  });
}

Result<wire::BenchmarkPage> list_benchmarks(Store store, std::string_view name, const Page& page) {
  return store.read([&](db::Connection& connection) -> Result<wire::BenchmarkPage> {
    const auto repository = db::get_repository(connection, name);
    if (!repository) return pass_on(repository);
    const auto rows = db::list_benchmarks(connection, repository->id, page);
    wire::BenchmarkPage out;
    for (const db::BenchmarkName& row : rows)
      out.benchmarks.push_back(
          {row.suite, row.benchmark, db::recent_levels(connection, row.id, repository->default_branch)});
    if (rows.size() == static_cast<std::size_t>(db::row_limit(page))) out.next = std::to_string(rows.back().id);
    return out;
  });
}

Result<std::vector<wire::BenchmarkName>> benchmark_names(Store store, RepositoryId repository) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::BenchmarkName> all;
    for (Page page{.before = 0, .limit = limits::kPageMax};;) {
      const auto rows = db::list_benchmarks(connection, repository, page);
      for (const db::BenchmarkName& row : rows) all.push_back({row.suite, row.benchmark});
      if (rows.size() < static_cast<std::size_t>(page.limit)) return all;
      page.before = rows.back().id;
    }
  });
}

Result<wire::BenchmarkHistory> benchmark_history(db::Connection& connection, const HistoryQuery& query) {
  auto history = db::read_main_line(connection, query);
  if (!history) return history;
  if (const Status found = add_trend(*history); !found) return pass_on(found);
  if (history->points.empty()) return history;
  add_start(*history);
  history->work = db::work_of(connection, query.repository, *history);
  const db::AnchorLookup lookup = db::find_anchor(connection, query.repository, EpochId{history->epoch});
  history->anchor_note = note_of(lookup);
  if (!lookup.anchor) return history;
  if (const Status compared = compare_with_anchor(*history, *lookup.anchor); !compared) return pass_on(compared);
  return history;
}

Result<wire::BenchmarkHistory> benchmark_history(Store store, const HistoryQuery& query) {
  return store.read([&](db::Connection& connection) { return benchmark_history(connection, query); });
}

Result<wire::BenchmarkHistory> benchmark_history(Store store, const BenchmarkWanted& wanted, int points) {
  return store.read([&](db::Connection& connection) -> Result<wire::BenchmarkHistory> {
    const auto repository = db::get_repository(connection, wanted.repository);
    if (!repository) return pass_on(repository);
    return benchmark_history(connection, {.repository = repository->id,
                                          .suite = wanted.suite,
                                          .benchmark = wanted.benchmark,
                                          .branch = wanted.branch.value_or(repository->default_branch),
                                          .epoch = wanted.epoch,
                                          .points = points});
  });
}

Result<std::vector<HistoryPoint>> list_points(Store store, const BenchmarkWanted& wanted, const Page& page) {
  return read_of(store, wanted.repository, [&](db::Connection& connection, RepositoryId id) {
    const db::HistoryFilter filter{.repository = id,
                                   .suite = wanted.suite,
                                   .benchmark = wanted.benchmark,
                                   .branch = wanted.branch.value_or(""),
                                   .epoch = wanted.epoch};
    return Result<std::vector<HistoryPoint>>(db::list_history(connection, filter, page));
  });
}

}  // namespace kernelgate::service
