// SPDX-License-Identifier: Apache-2.0
#include "core/wire/contract/contract.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/wire/contract/endpoint_notes.hpp"
#include "core/wire/contract/messages_of.hpp"
#include "core/wire/endpoints.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/type_name.hpp"

namespace kernelgate::wire {
namespace contract_test {

enum class Colour { red, green, blue };

const Field* field_of(const Schema& schema, std::string_view name) {
  for (const Field& field : schema.fields)
    if (field.name == name) return &field;
  return nullptr;
}

TEST(TypeName, NamesTypesAndCountsEnumerators) {
  EXPECT_EQ(type_name<Trigger>(), "Trigger");
  EXPECT_EQ(type_name<Colour>(), "Colour");
  EXPECT_EQ(enumerator_count<Colour>(), 3);
  EXPECT_EQ(enumerator_names<Colour>().back(), "blue");
  EXPECT_EQ(enumerator_count<Verdict>(), 12);
}

TEST(Schema, SaysWhatTheTableOfFieldsSays) {
  const Schema& series = schema<Series>();
  EXPECT_EQ(series.name, "Series");
  const Field& samples = *field_of(series, "samples_ns");
  EXPECT_TRUE(samples.is_required);
  EXPECT_EQ(samples.shape.lists, 1);
  EXPECT_EQ(samples.shape.kind, ShapeKind::number);
  EXPECT_EQ(samples.shape.most, 100000);
  EXPECT_TRUE(field_of(series, "counters")->shape.is_map);
  EXPECT_FALSE(field_of(series, "error")->is_required);
  EXPECT_EQ(field_of(schema<StoredSessions>(), "sessions")->shape.lists, 2);
  EXPECT_EQ(field_of(schema<Process>(), "side")->shape.words, (std::vector<std::string_view>{"base", "head"}));
  EXPECT_TRUE(field_of(schema<Comparison>(), "ratio")->shape.is_nullable);
  EXPECT_EQ(field_of(schema<Claim>(), "base")->shape.message().name, "BaseRequest");
}

TEST(Endpoints, HaveNotesAndNamesOfTheirOwn) {
  std::set<std::string> operations;
  std::set<std::string_view> names;
  for (const EndpointRow& row : endpoints()) {
    EXPECT_TRUE(operations.insert(std::string(to_string(row.method)) + std::string(row.path)).second) << row.path;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(notes_of(row.name).answers.empty()) << row.name;
    EXPECT_FALSE(row.summary.empty()) << row.name;
  }
}

// Two messages of one name would become one type of the pages.
TEST(Messages, HaveNamesOfTheirOwn) {
  for (const ListedMessage& message : all_messages())
    for (const Field& field : message.schema->fields) {
      if (!field.shape.message) continue;
      EXPECT_EQ(field.shape.message().name, field.shape.type) << message.schema->name;
    }
}

TEST(Pages, NameEveryMessageAndEndpoint) {
  const std::string openapi = openapi_page("head\n  # From here on printed by tools/generate.\nwhat stood there\n");
  const std::string types = typescript_page(), page = api_page();
  EXPECT_EQ(openapi.find("what stood there"), std::string::npos);
  EXPECT_EQ(openapi.find("head\n"), 0U);
  for (const ListedMessage& message : all_messages()) {
    const std::string name(message.schema->name);
    EXPECT_NE(openapi.find("\n    " + name + ":\n"), std::string::npos) << name;
    EXPECT_NE(types.find("export interface " + name + " {"), std::string::npos) << name;
    EXPECT_NE(page.find("\n### " + name + "\n"), std::string::npos) << name;
  }
  for (const EndpointRow& row : endpoints())
    EXPECT_NE(openapi.find("\n  " + std::string(row.path) + ":\n"), std::string::npos) << row.path;
}

}  // namespace contract_test
}  // namespace kernelgate::wire
