// SPDX-License-Identifier: Apache-2.0
#include "core/wire/plain_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include <fmt/format.h>

#include "core/units/limits.hpp"

namespace kernelgate::wire {
namespace plain_json_test {

using Json = nlohmann::json;

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') + std::string(static_cast<std::size_t>(depth), ']');
}

// Equal numbers of two kinds compare equal, so the kinds and the printed text are compared too.
void expect_like_library(const std::string& text) {
  const auto plain = parse_plain(text);
  ASSERT_TRUE(plain) << text;
  const Json library = Json::parse(text);
  EXPECT_EQ(*plain, library) << text;
  EXPECT_EQ(plain->type(), library.type()) << text;
  EXPECT_EQ(plain->dump(), library.dump()) << text;
}

TEST(PlainJson, ReadsWhatTheLibraryReads) {
  for (const char* text : {"null",
                           " true ",
                           "\tfalse\r\n",
                           "0",
                           "7",
                           "-12",
                           "9223372036854775807",
                           "18446744073709551615",
                           "-9223372036854775808",
                           "0.0",
                           "-0.0",
                           "1e5",
                           "1E+05",
                           "12.5e-3",
                           "5e-324",
                           "1.7976931348623157e308",
                           "\"\"",
                           "\"a b\"",
                           R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")",
                           "\"\xc3\xa9 \xe2\x80\xa6\"",
                           R"("}],:\\")",
                           "[]",
                           "[ ]",
                           "[1 , 2.5,\"x\",[],{}]",
                           "{}",
                           "{ }",
                           R"({"a":1,"b":{"c":[null]}, "\u0061":2,"":0})"})
    expect_like_library(text);
  expect_like_library(nested(limits::kJsonDepthMax - 1));
}

TEST(PlainJson, ReadsEveryDoubleBitForBit) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    for (const std::string& text : {Json(value).dump(), fmt::format("{:.25e}", value)}) {
      const auto plain = parse_plain(text);
      ASSERT_TRUE(plain) << text;
      EXPECT_EQ(std::signbit(plain->get<double>()), std::signbit(value)) << text;
      EXPECT_EQ(plain->get<double>(), Json::parse(text).get<double>()) << text;
    }
  }
}

TEST(PlainJson, LeavesIntegersOfMoreThan64BitsToTheLibrary) {
  for (const char* text : {"18446744073709551616", "-9223372036854775809"}) EXPECT_FALSE(parse_plain(text)) << text;
}

TEST(PlainJson, LeavesTheRestToTheLibrary) {
  for (const char* text : {"",
                           " ",
                           "nul",
                           "nulll",
                           "+1",
                           "01",
                           "-",
                           "-a",
                           ".5",
                           "1.",
                           "1.e3",
                           "1e",
                           "1e+",
                           "1e400",
                           "0x10",
                           "NaN",
                           "inf",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{a:1}",
                           "{\"a\":1,}",
                           "{,}",
                           "{\"a\" 1}",
                           "{\"a\":1 \"b\":2}",
                           "\"",
                           "\"a",
                           "\"a\\",
                           "\"\\x\"",
                           "\"\n\"",
                           "\"\xff\"",
                           "\"\xc0\xaf\"",
                           R"("\ud800")",
                           "1 2",
                           "[1]]",
                           "{} //",
                           "'a'",
                           "]"}) {
    EXPECT_FALSE(parse_plain(text)) << text;
    EXPECT_FALSE(Json::accept(text)) << text;
  }
  EXPECT_FALSE(parse_plain(std::string("1\0", 2)));
  EXPECT_FALSE(parse_plain(nested(limits::kJsonDepthMax + 1)));
}

// Documents of the API, cut and changed at random: never taken where the library refuses, never read otherwise.
TEST(PlainJson, AgreesWithTheLibraryOnDamagedDocuments) {
  const std::string good =
      R"({"lease":"l","processes":[{"id":"p\n","end":"ok","x":[null,true,false,-1.5e-7,0,12],"é":{"b":[1,2.5]}}]})";
  static constexpr std::string_view kBytes = "{}[]\",:\\0123.-eEutf \n\x01\xc3\xa9";
  std::mt19937 random(13);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good.substr(0, i % 4 == 0 ? random() % good.size() : good.size());
    for (unsigned change = random() % 4; change > 0 && !text.empty(); --change)
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    if (const auto plain = parse_plain(text)) {
      const Json library = Json::parse(text, nullptr, false);
      EXPECT_EQ(*plain, library) << text;
      EXPECT_EQ(plain->dump(), library.dump()) << text;
    }
  }
}

}  // namespace plain_json_test
}  // namespace kernelgate::wire
