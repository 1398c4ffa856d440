// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/bare_words.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "runner/suite/last_words.hpp"

namespace kernelgate::suite {
namespace bare_words_test {

using Json = nlohmann::json;

struct Text {
  const char* written;
  const char* cleaned;  // nullptr: nothing to do
};

TEST(BareWords, OutsideStringsBecomeNull) {
  const Text cases[] = {{"", nullptr},
                        {R"({"a":1})", nullptr},
                        {R"({"a":NaN})", R"({"a":null})"},
                        {R"([nan,-nan,inf,-inf,+inf,Infinity,-Infinity])", "[null,null,null,null,null,null,null]"},
                        {R"({"NaN":"inf"})", R"({"NaN":"inf"})"},
                        {R"({"a\"nan":nan})", R"({"a\"nan":null})"},
                        {R"({"a\\":nan})", R"({"a\\":null})"},
                        {R"(["\\\"inf",-inf])", R"(["\\\"inf",null])"},
                        {"[-1,-2.5e-3,nan]", "[-1,-2.5e-3,null]"},
                        {R"(["nan)", R"(["nan)"},
                        {"\"nan\\", "\"nan\\"},
                        {"nan", "null"},
                        {"-nan", "null"}};
  for (const auto& [written, cleaned] : cases) {
    const auto result = without_bare_words(written);
    ASSERT_EQ(result.has_value(), cleaned != nullptr) << written;
    EXPECT_EQ(result.value_or(written), cleaned ? cleaned : written);
  }
}

// A document with numbers that are none is what it is without them.
TEST(BareWords, LeaveTheRestOfADocumentAsItIs) {
  std::mt19937 random(11);
  const char* words[] = {"NaN", "nan", "inf", "-inf", "-nan", "Infinity", "-Infinity"};
  for (int i = 0; i < 300; ++i) {
    std::string text = "[", wanted = "[";
    for (unsigned n = 1 + random() % 6; n > 0; --n) {
      const std::string part = Json(std::string(random() % 3, '\\') + "nan\"" + std::to_string(random() % 9)).dump();
      const bool bare = random() % 2 == 0;
      text += (text == "[" ? "" : ", ") + (bare ? std::string(words[random() % 7]) : part);
      wanted += (wanted == "[" ? "" : ", ") + (bare ? "null" : part);
    }
    const auto cleaned = without_bare_words(text + "]");
    ASSERT_TRUE(cleaned);
    EXPECT_EQ(*cleaned, wanted + "]");
    EXPECT_TRUE(Json::accept(*cleaned));
  }
}

TEST(Member, IsNullWhereThereIsNone) {
  const Json object = {{"a", 1}};
  EXPECT_EQ(member(object, "a"), 1);
  EXPECT_TRUE(member(object, "b").is_null());
  for (const Json& other : {Json(), Json(5), Json::array({1}), Json("a")}) EXPECT_TRUE(member(other, "a").is_null());
}

TEST(LastWords, AreTheLastLinesThatAreNotBlank) {
  EXPECT_EQ(last_words(""), "");
  EXPECT_EQ(last_words("\n \r\n\n"), "");
  EXPECT_EQ(last_words("one"), "one");
  EXPECT_EQ(last_words("one\r\n\n  \ntwo  \n"), "one | two");
  EXPECT_EQ(last_words("1\n2\n3\n4\n5\n6\n"), "2 | 3 | 4 | 5 | 6");
  EXPECT_EQ(last_words(std::string(600, 'a') + "\n" + std::string(600, 'b')), std::string(600, 'b'));
}

TEST(LastWords, OfALongLineSomethingIsSaid) {
  const std::string line = "terminate called: " + std::string(5000, 'x') + " at the end";
  const std::string said = last_words("before\n" + line + "\n");
  EXPECT_EQ(said.rfind("terminate called: xxx", 0), 0U) << said;
  EXPECT_TRUE(said.ends_with("xxx at the end")) << said;
  for (std::size_t length = 980; length <= 1020; ++length)
    for (const std::string& before : {std::string(), std::string("a line\n")})
      EXPECT_LE(last_words(before + std::string(length, 'y')).size(), 1000U) << length;
  EXPECT_EQ(last_words(std::string(1000, 'z')), std::string(1000, 'z'));
}

}  // namespace bare_words_test
}  // namespace kernelgate::suite
