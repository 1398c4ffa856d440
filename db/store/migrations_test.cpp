// SPDX-License-Identifier: Apache-2.0
#include "db/store/migrations.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "db/accounts/audit.hpp"
#include "db/store/backup.hpp"
#include "db/store/database.hpp"
#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace migrations_test {

constexpr Migration kFirst{1, "0001_create_a.sql", "CREATE TABLE a (i INTEGER) STRICT;"};
constexpr Migration kSecond{2, "0002_create_b.sql", "CREATE TABLE b (i INTEGER) STRICT;"};
constexpr Migration kEdited{1, "0001_create_a.sql", "CREATE TABLE a (i TEXT) STRICT;"};
constexpr Migration kBroken{2, "0002_break.sql", "CREATE TABLE b (i INTEGER) STRICT; CREATE TABLE a (i INTEGER);"};

std::int64_t version(Connection& connection) {
  Statement row = connection.query("PRAGMA user_version");
  return row.step() ? row.integer(0) : -1;
}

Error refusal(Connection& connection, std::span<const Migration> all) {
  try {
    migrate(connection, all);
  } catch (const DbError& fault) {
    return fault.error();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

// Everything that makes up a schema, without white space.
std::string schema_of(Connection& connection) {
  Statement row = connection.query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name");
  std::string all;
  while (row.step()) {
    for (const char c : row.text(0))
      if (!std::isspace(static_cast<unsigned char>(c))) all += c;
    all += '\n';
  }
  return all;
}

TEST(Migrations, BringAnEmptyFileToTheLast) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection);
  EXPECT_EQ(version(connection), static_cast<std::int64_t>(embedded_migrations().size()));
  migrate(connection);  // nothing left to do
}

TEST(Migrations, AreNumberedWithoutGaps) {
  int number = 0;
  for (const Migration& each : embedded_migrations()) EXPECT_EQ(each.number, ++number) << each.name;
  EXPECT_GT(number, 0);
}

TEST(Migrations, EveryTableIsStrict) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection);
  Statement row = connection.query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
      "AND name NOT LIKE 'sqlite_%' AND strict = 0");
  while (row.step()) ADD_FAILURE() << row.text(0) << " is not STRICT";
}

TEST(Migrations, GoOnFromAnOlderFile) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection, std::array{kFirst});
  connection.run("INSERT INTO a VALUES (7)");
  migrate(connection, std::array{kFirst, kSecond});
  EXPECT_EQ(version(connection), 2);
  Statement row = connection.query("SELECT i FROM a");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), 7);
}

TEST(Migrations, AnEditedOldOneIsRefusedByName) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection, std::array{kFirst});
  const Error error = refusal(connection, std::array{kEdited, kSecond});
  EXPECT_EQ(error.code, Errc::conflict);
  EXPECT_NE(error.what.find("0001_create_a.sql was edited"), std::string::npos) << error.what;
  EXPECT_EQ(version(connection), 1);
}

TEST(Migrations, AFileNewerThanTheProgramIsRefused) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection, std::array{kFirst, kSecond});
  const Error error = refusal(connection, std::array{kFirst});
  EXPECT_EQ(error.code, Errc::conflict);
  EXPECT_NE(error.what.find("schema version 2, this program knows 1"), std::string::npos) << error.what;
}

TEST(Migrations, OneThatFailsLeavesNothingBehind) {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection, std::array{kFirst});
  (void)refusal(connection, std::array{kFirst, kBroken});
  EXPECT_EQ(version(connection), 1);
  Statement row = connection.query("SELECT count(*) FROM sqlite_master WHERE name = 'b'");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), 0);
}

TEST(Migrations, AllAreAppliedOrNone) {
  const Folder folder;
  Connection connection(folder / "a.db");
  (void)refusal(connection, std::array{kFirst, kBroken});
  EXPECT_EQ(version(connection), 0);
  Connection other(folder / "a.db");
  EXPECT_EQ(schema_of(other), "");
}

TEST(Migrations, ForeignFilesAreRefused) {
  const Folder folder;
  Connection other(folder / "other.db");
  other.script("CREATE TABLE theirs (i INTEGER)");
  EXPECT_EQ(refusal(other, embedded_migrations()).code, Errc::invalid);

  std::ofstream(folder / "text.db") << std::string(4096, 'x');
  std::ofstream(folder / "short.db") << "x";
  for (const char* name : {"text.db", "short.db", "."}) {
    const auto opened = Database::open(folder / name);
    ASSERT_FALSE(opened) << name;
    EXPECT_EQ(opened.error().code, Errc::invalid) << name;
    EXPECT_NE(to_string(opened.error()).find("no kernelgate store (give the path"), std::string::npos) << name;
  }
  EXPECT_EQ(Database::open(folder / "absent" / "x.db").error().code, Errc::not_found);
}

// tests/golden/db holds one dump per released schema, made by its script beside it.
TEST(Migrations, EveryGoldenOldStoreComesUpWhole) {
  const Folder folder;
  Connection fresh(folder / "fresh.db");
  migrate(fresh);
  int stores = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KG_GOLDEN_DB)) {
    if (entry.path().extension() != ".sql") continue;
    SCOPED_TRACE(entry.path().filename());
    ++stores;
    std::stringstream dump;
    dump << std::ifstream(entry.path()).rdbuf();
    const auto file = folder / entry.path().stem().string();
    {
      Connection connection(file);
      connection.script("PRAGMA foreign_keys = OFF");
      connection.script(dump.str());
    }
    const auto opened = Database::open(file);
    ASSERT_TRUE(opened) << to_string(opened.error());
    Connection connection(file);
    EXPECT_EQ(schema_of(connection), schema_of(fresh));
    const Status whole = check_integrity(file);
    EXPECT_TRUE(whole) << to_string(whole.error());
    EXPECT_EQ(get_repository(connection, "kernels")->default_branch, "main");
    EXPECT_EQ(evidence_processes(connection, RunId{1}).at(0).series.at(0).samples_ns,
              (std::vector<double>{1.5, 2.5, 3.5}));
  }
  EXPECT_GT(stores, 0);
}

TEST(Migrations, FactsThatStoodInTextsBecomeColumns) {
  const Folder folder;
  Connection connection(folder / "a.db");
  connection.script("PRAGMA foreign_keys = OFF");
  std::stringstream dump;
  dump << std::ifstream(std::filesystem::path(KG_GOLDEN_DB) / "0013.sql").rdbuf();
  connection.script(dump.str());
  connection.script("UPDATE runs SET policy = 'rule=pairs sandbox=none', fork = 1, pull_request = 7");
  connection.script("UPDATE runs SET judged_key = 'k'");
  migrate(connection);
  const db::Run run = *get_run(connection, RunId{1});
  EXPECT_EQ(run.policy, "rule=pairs");
  EXPECT_EQ(run.sandbox, "none");
  EXPECT_EQ(run.trust, Trust::fork);
  EXPECT_TRUE(run.pull_request->fork);
  EXPECT_EQ(run.judged_key, "k") << "what was judged is found again";
}

TEST(Migrations, ASessionStandsInItsBaseRequestAlone) {
  const Folder folder;
  Connection connection(folder / "a.db");
  connection.script("PRAGMA foreign_keys = OFF");
  std::stringstream dump;
  dump << std::ifstream(std::filesystem::path(KG_GOLDEN_DB) / "0014.sql").rdbuf();
  connection.script(dump.str());
  connection.script("UPDATE runs SET policy = 'rule=pairs session=3', base_kind = 'none', base_argument = '3'");
  connection.script("INSERT INTO acts (at, actor, act, subject, detail) VALUES (1, 'ann', 'run.cancel', 'run 1', '')");
  migrate(connection);
  const db::Run run = *get_run(connection, RunId{1});
  EXPECT_EQ(run.policy, "rule=pairs");
  EXPECT_EQ(run.base.argument, "3");
  EXPECT_EQ(list_actions(connection).at(0).action.action, "run.cancel");
}

}  // namespace migrations_test
}  // namespace kernelgate::db
