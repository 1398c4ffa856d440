// SPDX-License-Identifier: Apache-2.0
#include "db/store/connection.hpp"

#include <array>
#include <limits>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace connection_test {

Connection open_with_table(const Folder& folder) {
  Connection connection(folder / "a.db");
  connection.script("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB) STRICT");
  return connection;
}

std::int64_t count(Connection& connection) {
  Statement row = connection.query("SELECT count(*) FROM t");
  return row.step() ? row.integer(0) : -1;
}

Error error_from(const auto& act) {
  try {
    act();
  } catch (const DbError& fault) {
    return fault.error();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Connection, KeepsEveryTypeBitForBit) {
  const Folder folder;
  Connection connection = open_with_table(folder);
  const std::string text("quote ' slash / nul \0 é", 23);
  const std::array<std::byte, 3> blob{std::byte{0}, std::byte{255}, std::byte{7}};
  connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", std::numeric_limits<std::int64_t>::min(), 0.1, text,
                 std::span<const std::byte>(blob));
  Statement row = connection.query("SELECT i, r, s, b FROM t");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(row.real(1), 0.1);
  EXPECT_EQ(row.text(2), text);
  ASSERT_EQ(row.blob(3).size(), 3u);
  EXPECT_EQ(row.blob(3)[1], std::byte{255});
  EXPECT_FALSE(row.step());
}

TEST(Connection, TellsNullFromEmpty) {
  const Folder folder;
  Connection connection = open_with_table(folder);
  connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", std::optional<int>(), std::optional<double>(), std::string_view(),
                 std::span<const std::byte>());
  Statement row = connection.query("SELECT i, r, s, b FROM t");
  ASSERT_TRUE(row.step());
  EXPECT_FALSE(row.maybe_integer(0));
  EXPECT_FALSE(row.maybe_real(1));
  EXPECT_FALSE(row.is_null(2));
  EXPECT_FALSE(row.is_null(3));
}

TEST(Connection, LetsOneTextRunTwiceAtOnce) {
  const Folder folder;
  Connection connection = open_with_table(folder);
  connection.run("INSERT INTO t (i) VALUES (1), (2)");
  Statement outer = connection.query("SELECT i FROM t ORDER BY i");
  ASSERT_TRUE(outer.step());
  Statement inner = connection.query("SELECT i FROM t ORDER BY i");
  ASSERT_TRUE(inner.step());
  EXPECT_TRUE(outer.step());
  EXPECT_EQ(outer.integer(0), 2);
  EXPECT_EQ(inner.integer(0), 1);
}

TEST(Transaction, RollsBackUnlessCommitted) {
  const Folder folder;
  Connection connection = open_with_table(folder);
  {
    Transaction transaction(connection);
    connection.run("INSERT INTO t (i) VALUES (1)");
  }
  EXPECT_EQ(count(connection), 0);
  {
    Transaction transaction(connection);
    connection.run("INSERT INTO t (i) VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(count(connection), 1);
}

TEST(Transaction, TakesTheWriteLockAtOnce) {
  const Folder folder;
  Connection first = open_with_table(folder);
  Connection second(folder / "a.db", {.busy_timeout = Millis{1}});
  const Transaction held(first);
  const Error error = error_from([&] { const Transaction refused(second); });
  EXPECT_EQ(error.code, Errc::unavailable);
  EXPECT_NE(error.fix.find("another program"), std::string::npos) << to_string(error);
}

TEST(Transaction, ReadHoldsOneSnapshot) {
  const Folder folder;
  Connection writer = open_with_table(folder);
  Connection reader(folder / "a.db", {.mode = OpenMode::read_only});
  const Transaction snapshot(reader, Transaction::Kind::read);
  EXPECT_EQ(count(reader), 0);
  writer.run("INSERT INTO t (i) VALUES (1)");
  EXPECT_EQ(count(reader), 0);
}

TEST(Connection, ReadOnlyCannotWrite) {
  const Folder folder;
  Connection writer = open_with_table(folder);
  Connection reader(folder / "a.db", {.mode = OpenMode::read_only});
  EXPECT_EQ(error_from([&] { reader.run("INSERT INTO t (i) VALUES (1)"); }).code, Errc::io);
}

TEST(Connection, ForeignKeysAreHeld) {
  const Folder folder;
  Connection connection(folder / "a.db");
  connection.script(
      "CREATE TABLE p (id INTEGER PRIMARY KEY) STRICT;"
      "CREATE TABLE c (p INTEGER NOT NULL REFERENCES p (id)) STRICT");
  EXPECT_EQ(error_from([&] { connection.run("INSERT INTO c VALUES (1)"); }).code, Errc::conflict);
}

TEST(Connection, NamesTheFileThatCannotBeOpened) {
  const Folder folder;
  const Error error = error_from([&] { Connection(folder / "no such folder/a.db"); });
  EXPECT_EQ(error.code, Errc::io);
  EXPECT_NE(to_string(error).find("no such folder"), std::string::npos) << to_string(error);
}

}  // namespace connection_test
}  // namespace kernelgate::db
