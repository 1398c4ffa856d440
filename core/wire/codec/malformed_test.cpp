// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/wire/codec.hpp"

#include "core/units/limits.hpp"

namespace kernelgate::wire {
namespace codec_malformed_test {

using Json = nlohmann::json;

struct Case {
  const char* name;
  const char* json;
  const char* where;
  const char* what;  // a part of the message
};

template <class Message>
void expect_refused(const Case& wrong) {
  const Result<Message> result = decode<Message>(wrong.json);
  ASSERT_FALSE(result) << wrong.name;
  EXPECT_EQ(result.error().code, Errc::invalid) << wrong.name;
  EXPECT_EQ(result.error().where, wrong.where) << wrong.name;
  EXPECT_NE(result.error().what.find(wrong.what), std::string::npos) << wrong.name << ": " << result.error().what;
}

TEST(Decode, RefusesMalformedTriggers) {
  const Case cases[] = {
      {"empty body", "", "", "not JSON"},
      {"half a document", "{\"repository\":\"r\",", "", "not JSON"},
      {"two documents", "{\"repository\":\"r\",\"commit\":\"c\"} {}", "", "not JSON"},
      {"not an object", "[]", "", "must be an object, but is of type array"},
      {"null", "null", "", "must be an object, but is null"},
      {"missing member", "{\"repository\":\"r\"}", "", "member 'commit' is missing"},
      {"number for text", "{\"repository\":1,\"commit\":\"c\"}", "/repository", "must be a string"},
      {"null for text", "{\"repository\":null,\"commit\":\"c\"}", "/repository", "but is null"},
      {"text for a flag", "{\"repository\":\"r\",\"commit\":\"c\",\"force\":\"yes\"}", "/force",
       "must be true or false"},
      {"number for a flag", "{\"repository\":\"r\",\"commit\":\"c\",\"force\":1}", "/force", "true or false"},
      {"unknown word", "{\"repository\":\"r\",\"commit\":\"c\",\"base\":{\"kind\":\"parent\"}}", "/base/kind",
       "unknown word 'parent'"},
      {"list for an object", "{\"repository\":\"r\",\"commit\":\"c\",\"trees\":[]}", "/trees", "an object"},
      {"member missing inside", "{\"repository\":\"r\",\"commit\":\"c\",\"trees\":{\"base_commit\":\"b\"}}", "/trees",
       "member 'base_tree' is missing"},
      {"bad UTF-8", "{\"repository\":\"\xff\",\"commit\":\"c\"}", "", "ill-formed UTF-8"},
      {"overlong UTF-8", "{\"repository\":\"\xc0\xaf\",\"commit\":\"c\"}", "", "ill-formed UTF-8"},
      {"lone surrogate", "{\"repository\":\"\\ud800\",\"commit\":\"c\"}", "", "surrogate"},
      {"comment", "{\"repository\":\"r\" /* x */,\"commit\":\"c\"}", "", "not JSON"},
  };
  for (const Case& wrong : cases) expect_refused<Trigger>(wrong);
}

Json good_upload() {
  return Json::parse(
      R"({"lease":"l","processes":[{"id":"p","suite":"s","side":"base","round":0,"pair":0,
    "attempt":0,"order":0,"end":"ok","series":[{"benchmark":"b","samples_ns":[1,2.5]}]}]})");
}

TEST(Decode, RefusesMalformedProcesses) {
  ASSERT_TRUE(decode<ProcessUpload>(good_upload().dump()));
  struct Edit {
    const char* pointer;
    Json value;
    const char* what;
  };
  const Edit edits[] = {
      {"/lease", 5, "must be a string"},
      {"/processes", Json::object(), "must be an array"},
      {"/processes/0", "p", "must be an object"},
      {"/processes/0/side", "left", "unknown word 'left'"},
      {"/processes/0/end", 3, "must be a string"},
      {"/processes/0/pair", 1.5, "must be an integer, but is a fraction"},
      {"/processes/0/pair", 3000000000, "out of range"},
      {"/processes/0/started_at_ms", 18446744073709551615u, "out of range"},
      {"/processes/0/series/0/benchmark", Json::array(), "must be a string"},
      {"/processes/0/series/0/samples_ns/1", "2.5", "must be a number"},
      {"/processes/0/series/0/samples_ns/1", nullptr, "must be a number, but is null"},
      {"/processes/0/series/0/counters", {{"bytes/second", "fast"}}, "must be a number"},
  };
  for (const Edit& edit : edits) {
    Json json = good_upload();
    json[Json::json_pointer(edit.pointer)] = edit.value;
    const Result<ProcessUpload> result = decode<ProcessUpload>(json.dump());
    ASSERT_FALSE(result) << edit.pointer;
    EXPECT_EQ(result.error().where.rfind(edit.pointer, 0), 0U) << result.error().where;
    EXPECT_NE(result.error().what.find(edit.what), std::string::npos) << result.error().what;
  }
}

TEST(Decode, HoldsProcessesWithinTheLimits) {
  const std::pair<const char*, Json> edits[] = {
      {"/processes/0/id", ""},
      {"/processes/0/id", std::string(129, 'x')},
      {"/processes/0/round", -1},
      {"/processes/0/pair", -1},
      {"/processes/0/pair", 2'000'000},
      {"/processes/0/attempt", -1},
      {"/processes/0/order", -1},
      {"/processes/0/series/0/benchmark", ""},
      {"/processes/0/series/0/benchmark", std::string(513, 'x')},
      {"/processes/0/series/0/samples_ns", std::vector<double>(100001, 1.0)},
  };
  for (const auto& [pointer, value] : edits) {
    Json json = good_upload();
    json[Json::json_pointer(pointer)] = value;
    const Result<ProcessUpload> result = decode<ProcessUpload>(json.dump());
    ASSERT_FALSE(result) << pointer;
    EXPECT_EQ(result.error().where, pointer);
    EXPECT_NE(result.error().what.find("allowed are"), std::string::npos) << result.error().what;
  }
}

TEST(Decode, NamesAMemberWithASlashAsAPointerDoes) {
  const Result<Series> result = decode<Series>(R"({"benchmark":"b","samples_ns":[],"counters":{"a/b~c":true}})");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().where, "/counters/a~1b~0c");
}

TEST(Decode, RefusesNumbersThatAreNotFinite) {
  for (const char* number : {"NaN", "Infinity", "-Infinity", "1e999", "-1e999"})
    EXPECT_FALSE(decode<Series>(std::string(R"({"benchmark":"b","samples_ns":[)") + number + "]}")) << number;
}

TEST(Decode, RequiresEveryMemberThatCouldChangeAVerdict) {
  const Json process = good_upload()["processes"][0];
  for (const char* member : {"id", "suite", "side", "round", "pair", "attempt", "order", "end", "series"}) {
    Json json = process;
    json.erase(member);
    const Result<Process> result = decode<Process>(json.dump());
    ASSERT_FALSE(result) << member;
    EXPECT_NE(result.error().what.find(member), std::string::npos) << result.error().what;
  }
}

TEST(Decode, IgnoresMembersItDoesNotKnow) {
  const Result<Release> result = decode<Release>(R"({"lease":"l","reason":"r","from_the_future":[{"x":1}]})");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->reason, "r");
}

TEST(Decode, LimitsNesting) {
  const auto nested = [](int depth) {
    return R"({"lease":"l","x":)" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_TRUE(decode<Release>(nested(limits::kJsonDepthMax - 1)));
  const Result<Release> result = decode<Release>(nested(1'000'000));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("deeper"), std::string::npos);
  EXPECT_TRUE(decode<Release>(R"({"lease":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"[[[[[["})"))
      << "brackets inside text do not nest";
}

}  // namespace codec_malformed_test
}  // namespace kernelgate::wire
