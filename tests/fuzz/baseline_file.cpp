// SPDX-License-Identifier: Apache-2.0
#include "service/baselines/baseline_file.hpp"

#include "db/repositories/repositories.hpp"
#include "db/store/migrations.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

// A store in memory, made once: what an input changes is rolled back.
struct Store {
  Store() : connection(":memory:") {
    db::migrate(connection);
    repository =
        db::add_repository(connection, {.name = "kernels", .url = "file:///k", .manifest = {}}, Instant{}).value();
  }
  db::Connection connection;
  RepositoryId repository;
};

}  // namespace

bool baseline_file(std::string_view input) {
  static Store store;
  const db::Transaction rolled_back(store.connection);
  const service::BaselineImport wanted{.repository = store.repository, .testbed = {}, .actor = "ann"};
  const auto first = service::import_baselines(store.connection, wanted, input, Instant{});
  if (!first) {
    require(!first.error().where.empty() || !first.error().fix.empty(), "a refusal says where or what to do");
    return false;
  }
  const auto again = service::import_baselines(store.connection, wanted, input, Instant{});
  require(again && again->runs == 0 && again->baselines == 0, "importing once more changes nothing");
  const auto text = service::export_baselines(store.connection, {.repository = store.repository});
  require(text.has_value(), "what was imported can be exported");
  return true;
}

}  // namespace kernelgate::fuzz
