// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/wire/codec.hpp"
#include "core/wire/history.hpp"

namespace kernelgate::wire {
namespace codec_history_test {

using Json = nlohmann::json;

BenchmarkHistory sample() {
  BenchmarkHistory out{.repository = "r",
                       .suite = "s",
                       .benchmark = "b/64",
                       .branch = "main",
                       .epoch = 3,
                       .epochs = {3, 1},
                       .older_left_out = true,
                       .points = {},
                       .changes = {},
                       .creep = {},
                       .anchor = {},
                       .anchor_note = "n",
                       .start_ns = 1.25};
  out.points = {{.run = 7,
                 .commit = "c",
                 .finished_at = from_millis(5),
                 .median_ns = 1.5,
                 .spread_ns = 0.5,
                 .processes = 4,
                 .verdict = Verdict::improved,
                 .side = Side::base,
                 .anchor_ratio = 1.25}};
  out.changes = {{.commit_before = "a",
                  .commit_after = "b",
                  .run_before = 1,
                  .run_after = 2,
                  .ratio = 1.5,
                  .p = 0.25,
                  .points_before = 5,
                  .points_after = 6}};
  out.creep = HistoryCreep{.commit_before = "a",
                           .commit_after = "b",
                           .run_before = 1,
                           .run_after = 2,
                           .ratio = 1.5,
                           .ratio_per_commit = 1.25,
                           .commits = 9,
                           .p = 0.125};
  out.anchor = HistoryAnchor{.baseline = 4,
                             .name = "v1",
                             .commit = "d",
                             .median_ns = 2,
                             .ratio = 1.5,
                             .ratio_low = 1.25,
                             .ratio_high = 1.75,
                             .spread = "sessions",
                             .spread_count = 20,
                             .text = "x"};
  out.work = HistoryWork{.flops = 2e12, .bytes = 3e9, .roof_ns = 1.25, .roof = "dram"};
  return out;
}

TEST(HistoryCodec, RoundTrips) {
  const std::string text = encode(sample());
  const auto back = decode<BenchmarkHistory>(text);
  ASSERT_TRUE(back) << to_string(back.error());
  EXPECT_EQ(encode(*back), text);
  // No member is lost on the way: none has its default.
  const Json json = Json::parse(text), plain = Json::parse(encode(BenchmarkHistory{}));
  for (const auto& [name, value] : plain.items()) EXPECT_NE(json[name], value) << name;
  const auto differs = [](const Json& one, const std::string& default_text) {
    const Json other = Json::parse(default_text);
    EXPECT_EQ(one.size(), other.size());
    for (const auto& [name, value] : other.items()) EXPECT_NE(one[name], value) << name;
  };
  differs(json["points"][0], encode(HistoryPoint{}));
  differs(json["changes"][0], encode(HistoryChange{}));
  differs(json["creep"], encode(HistoryCreep{}));
  differs(json["anchor"], encode(HistoryAnchor{}));
  differs(json["work"], encode(HistoryWork{}));
}

TEST(HistoryCodec, ColumnsHoldWhatThePointsHold) {
  BenchmarkHistory history = sample();
  history.points.push_back({.run = 8,
                            .commit = "a\"\\\xff",
                            .finished_at = from_millis(1234567),
                            .median_ns = 1.0 / 3,
                            .spread_ns = 0,
                            .processes = 2,
                            .verdict = Verdict::regressed});
  const Json json = Json::parse(encode_columns(history));
  const Json points = Json::parse(encode(history))["points"];
  EXPECT_EQ(json["columns"].size(), points[0].size() - 1);  // all but the ratio to the anchor
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const auto& [name, values] : json["columns"].items()) {
      if (name == "median_ns")
        EXPECT_NEAR(values[i].get<double>(), points[i][name].get<double>(), 1e-9);
      else
        EXPECT_EQ(values[i], points[i][name]) << name;
    }
  }
  const auto typed = decode<HistoryInColumns>(json.dump());
  ASSERT_TRUE(typed) << to_string(typed.error());
  EXPECT_EQ(Json::parse(encode(typed->columns)), json["columns"]);
  history.points.clear();
  EXPECT_EQ(json["history"], Json::parse(encode(history)));
  EXPECT_EQ(Json::parse(encode_columns(history))["columns"]["commit"], Json::array());
}

TEST(HistoryCodec, AbsentFiguresAreNull) {
  BenchmarkHistory history;
  history.points.emplace_back();
  const Json json = Json::parse(encode(history));
  EXPECT_TRUE(json["creep"].is_null());
  EXPECT_TRUE(json["anchor"].is_null());
  EXPECT_TRUE(json["points"][0]["anchor_ratio"].is_null());
}

TEST(HistoryCodec, APageOfBenchmarksRoundTrips) {
  const BenchmarkPage page{{{"s", "b", {1.5, 2.5}}}, "12"};
  const auto back = decode<BenchmarkPage>(encode(page));
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), encode(page));
}

}  // namespace codec_history_test
}  // namespace kernelgate::wire
