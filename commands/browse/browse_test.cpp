// SPDX-License-Identifier: Apache-2.0
// The same store looked at directly and through a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands/browse/forges.hpp"
#include "commands/browse/show.hpp"
#include "commands/browse/target.hpp"
#include "core/units/digest.hpp"
#include "server/api/service.hpp"
#include "server/http/server.hpp"
#include "tests/support/history_fixture.hpp"
#include "tests/support/table_repository.hpp"

namespace kernelgate::browse {
namespace browse_test {

using testing::HasSubstr;
using testing::SizeIs;

class Browse : public testing::Test {
 protected:
  Browse() : folder_(std::filesystem::temp_directory_path() / ("kg-browse-" + random_hex(8))) {
    std::filesystem::create_directories(folder_);
    database_ = std::move(db::Database::open(folder_ / "store.db")).value();
    EXPECT_TRUE(fill_history(*database_, "kernels", creeping()));
    api::Settings settings;
    settings.public_read = true;
    service_ = std::make_unique<api::Service>(*database_, clock_, settings);
    http::ServerConfig config;
    config.stop_on_signals = false;
    server_ = std::move(http::Server::listen(config, service_->app())).value();
    service_->attach(*server_, std::chrono::milliseconds(10));
    thread_ = std::thread([this] { server_->run(); });
    store_.database = folder_ / "store.db";
    remote_.server = "http://127.0.0.1:" + std::to_string(server_->port());
    remote_.repository = "kernels";
  }
  ~Browse() override {
    server_->stop();
    thread_.join();
    database_->stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  SystemClock clock_;
  std::filesystem::path folder_;
  std::unique_ptr<db::Database> database_;
  std::unique_ptr<api::Service> service_;
  std::unique_ptr<http::Server> server_;
  std::thread thread_;
  Target store_, remote_;
};

TEST_F(Browse, AStoreAndItsServerTellTheSameHistory) {
  const auto direct = histories(store_, {.benchmark = "gemm/"});
  const auto asked = histories(remote_, {.benchmark = "64$", .suite = "gemm"});
  ASSERT_TRUE(direct) << to_string(direct.error());
  ASSERT_TRUE(asked) << to_string(asked.error());
  EXPECT_EQ(to_json(*direct), to_json(*asked));
  ASSERT_THAT(*asked, SizeIs(1));
  ASSERT_TRUE(asked->front().creep);
  EXPECT_EQ(asked->front().creep->commit_before, commit_of(12));
}

TEST_F(Browse, ATableShowsTheCreepUnderItsSparkline) {
  const std::string table = to_table(*histories(store_, {.benchmark = "."}), {.columns = 120});
  EXPECT_THAT(table, HasSubstr("kernels, branch main, epoch 1"));
  EXPECT_THAT(table, HasSubstr("gemm: gemm/64"));
  EXPECT_THAT(table, HasSubstr("1.05 ms"));
  EXPECT_THAT(table, HasSubstr("▁▁▁▁▁▁▁▁▁▁▁▁▂▂▃▄▄▅▆▇▇█"));
  const std::string plain = to_table(*histories(store_, {.benchmark = "."}), {.columns = 120, .ascii = true});
  EXPECT_THAT(plain, HasSubstr("____________..:--=+**#"));
  EXPECT_TRUE(std::all_of(plain.begin(), plain.end(), [](unsigned char c) { return c < 0x80; }));
  EXPECT_THAT(table, HasSubstr("creep: +5.1 % since 0000000000 (10 commits, +0.50 % each)"));
}

TEST_F(Browse, ATableKeepsToItsWidthAndGivesNamesTheRoom) {
  auto found = *histories(store_, {.benchmark = "."});
  found.front().benchmark = "attention/decode/bf16/heads:32";
  for (const std::size_t columns : {60U, 80U, 100U, 160U}) {
    const std::string table = to_table(found, {.columns = columns, .ascii = true});
    for (std::size_t at = 0, end = 0; at < table.size(); at = end + 1) {
      end = std::min(table.find('\n', at), table.size());
      EXPECT_LE(end - at, columns) << table;
    }
    EXPECT_EQ(table.find("gemm: attention/decode/bf16/heads:32") != std::string::npos, columns >= 100) << table;
  }
}

TEST_F(Browse, ATableOfPointsMarksWhereTheCreepBegins) {
  const std::string csv = to_csv(*histories(store_, {.benchmark = "."}));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 23);
  EXPECT_THAT(csv, HasSubstr("kernels,gemm,gemm/64,main,1,13," + commit_of(13)));
  EXPECT_THAT(csv, HasSubstr("creep +5.1 %"));
}

TEST_F(Browse, RunsAreListedAndShownFromEither) {
  for (const Target& target : {store_, remote_}) {
    const auto runs = list_runs(target, {.limit = 3});
    ASSERT_TRUE(runs) << to_string(runs.error());
    ASSERT_THAT(*runs, SizeIs(3));
    EXPECT_EQ(runs->front().id, 22);
    EXPECT_THAT(to_table(*runs, {.columns = 100}), HasSubstr("22   passed   kernels"));
    EXPECT_THAT(*list_runs(target, {.commit = commit_of(5), .limit = 3}), SizeIs(1));
    EXPECT_THAT(*list_runs(target, {.branch = "feature", .limit = 3}), SizeIs(0));
    EXPECT_THAT(*list_runs(target, {.state = "unfinished", .limit = 3}), SizeIs(0));
    const auto run = one_run(target, 7);
    ASSERT_TRUE(run) << to_string(run.error());
    ASSERT_THAT(run->comparisons, SizeIs(1));
    EXPECT_EQ(one_run(target, 99).error().code, Errc::not_found);
  }
  EXPECT_EQ(nlohmann::json::parse(to_json(*list_runs(store_, {.limit = 3})))["runs"].size(), 3U);
}

TEST_F(Browse, ACommitIsAnyRevisionOfTheRepository) {
  TableRepository repository;
  const CommitHash head = repository.commit({{"times", "a\t100\n"}});
  store_.repo = repository.folder();
  for (const std::string& revision : {std::string("HEAD"), head.short_str(), head.str()})
    EXPECT_THAT(*list_runs(store_, {.commit = revision}), SizeIs(0)) << revision;
  const auto unknown = list_runs(store_, {.commit = "HEAD~7"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::not_found);
  EXPECT_EQ(unknown.error().where, "--commit HEAD~7");
}

TEST_F(Browse, WhatCanNotBeLookedUpIsSaid) {
  for (const Target& target : {store_, remote_}) {
    EXPECT_EQ(histories(target, {.benchmark = "("}).error().code, Errc::invalid);
    EXPECT_EQ(histories(target, {.benchmark = "nothing"}).error().code, Errc::not_found);
    EXPECT_EQ(list_runs(target, {.state = "odd"}).error().code, Errc::invalid);
    Target elsewhere = target;
    elsewhere.repo = folder_;
    EXPECT_THAT(to_string(list_runs(elsewhere, {.commit = "odd"}).error()), HasSubstr("give 40 hex digits, or"));
    EXPECT_THAT(to_string(histories(target, {.benchmark = ".", .suite = "odd"}).error()),
                HasSubstr("--suite: no suite 'odd' (one of gemm)"));
    EXPECT_THAT(to_string(histories(target, {.benchmark = ".", .branch = "odd"}).error()),
                HasSubstr("--branch: no point of branch 'odd'"));
    EXPECT_THAT(to_string(histories(target, {.benchmark = ".", .epoch = 9}).error()),
                HasSubstr("--epoch: no point in epoch 9"));
  }
  Target nowhere;
  nowhere.database = folder_ / "none.db";
  EXPECT_EQ(histories(nowhere, {.benchmark = "."}).error().code, Errc::not_found);
  EXPECT_FALSE(std::filesystem::exists(nowhere.database));
}

TEST(Forges, WhatWasSaidStandsWhole) {
  const std::string why =
      "/after: the payload lacks a text (docs/GITHUB.md lists the events that are understood), again and again";
  wire::Delivery refused;
  refused.id = 9;
  refused.event = "push";
  refused.outcome = wire::DeliveryOutcome::refused;
  refused.detail = why;
  wire::Delivery silent;
  silent.id = 8;
  const std::string table = to_table({refused, silent}, {.columns = 100});
  EXPECT_THAT(table, HasSubstr("\n    /after: the payload lacks a text (docs/GITHUB.md lists the events that are "));
  EXPECT_THAT(table, HasSubstr("\n    and again\n8 "));
  wire::OutboxMessage message;
  message.id = 1;
  message.error = "answered 422: No commit found for SHA: " + std::string(40, 'f');
  EXPECT_THAT(to_table(std::vector{message}, {.columns = 100}), HasSubstr("\n    " + message.error + "\n"));
  EXPECT_EQ(to_table(std::vector<wire::OutboxMessage>{}, {}), "no messages\n");
}

}  // namespace browse_test
}  // namespace kernelgate::browse
