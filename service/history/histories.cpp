// SPDX-License-Identifier: Apache-2.0
#include "service/history/histories.hpp"

#include "core/units/limits.hpp"
#include "db/history/history.hpp"

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

Result<std::vector<wire::BenchmarkName>> benchmark_names(Store store, RepositoryId repository) {
  return store.read([&](db::Connection& connection) {
    std::vector<wire::BenchmarkName> all;
    for (db::Page page{.before = 0, .limit = limits::kPageMax};;) {
      const auto rows = db::list_benchmarks(connection, repository, page);
      for (const db::BenchmarkName& row : rows) all.push_back({row.suite, row.benchmark});
      if (rows.size() < static_cast<std::size_t>(page.limit)) return all;
      page.before = rows.back().id;
    }
  });
}

Result<wire::BenchmarkHistory> benchmark_history(Store store, const HistoryQuery& query) {
  return store.read([&](db::Connection& connection) { return db::benchmark_history(connection, query); });
}

}  // namespace kernelgate::service
