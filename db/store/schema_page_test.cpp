// SPDX-License-Identifier: Apache-2.0
// docs/SCHEMA.md names every table and every column of the live schema, and none besides.
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "tests/support/store_fixture.hpp"

namespace kernelgate::db {
namespace schema_page_test {

using Tables = std::map<std::string, std::set<std::string>>;

Tables live_tables() {
  const Folder folder;
  Connection connection(folder / "a.db");
  migrate(connection);
  Tables tables;
  Statement row = connection.query(
      "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c "
      "WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'");
  while (row.step()) tables[row.text(0)].insert(row.text(1));
  return tables;
}

// A table is a heading "### `name`"; its columns are the first cells of the rows below.
Tables page_tables() {
  std::ifstream page(KG_SCHEMA_PAGE);
  EXPECT_TRUE(page) << KG_SCHEMA_PAGE;
  const std::regex heading("^### `([a-z_0-9]+)`.*");
  const std::regex cell("^\\| `([a-z_0-9]+)` .*");
  Tables tables;
  std::string line;
  std::string table;
  for (std::smatch match; std::getline(page, line);) {
    if (std::regex_match(line, match, heading)) tables[table = match[1]];
    if (std::regex_match(line, match, cell)) tables[table].insert(match[1]);
  }
  return tables;
}

TEST(SchemaPage, NamesEveryTableAndColumn) {
  const Tables live = live_tables();
  const Tables page = page_tables();
  for (const auto& [table, columns] : live) {
    ASSERT_TRUE(page.contains(table)) << "the page lacks table " << table;
    EXPECT_EQ(page.at(table), columns) << "in table " << table;
  }
  for (const auto& [table, columns] : page) EXPECT_TRUE(live.contains(table)) << "no such table: " << table;
}

}  // namespace schema_page_test
}  // namespace kernelgate::db
