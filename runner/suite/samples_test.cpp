// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/samples.hpp"

#include <gmock/gmock.h>

#include "core/units/limits.hpp"
#include "runner/suite/dialect.hpp"

namespace kernelgate::suite {
namespace samples_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

Result<SuiteResult> read(const std::string& text, ReadOptions options = {}) {
  return read_samples(text, options, "out");
}

Series one(const std::string& members) {
  const auto result = read(R"({"benchmark":"a",)" + members + "}\n");
  if (!result || result->series.size() != 1) {
    ADD_FAILURE() << members << (result ? "" : to_string(result.error()));
    return {};
  }
  return result->series.front();
}

TEST(Samples, EachLineIsABenchmarkAndTheRestIsChatter) {
  const auto result = read(
      "autotuning softmax ...\n{'loss': 1}\n[1, 2]\n"
      "{\"benchmark\": \"softmax/N=1024\", \"samples_ns\": [1500, 1.4e3, 1450.5], \"calls\": 100, "
      "\"counters\": {\"bytes\": 8192, \"dtype\": \"half\"}, \"configuration\": \"BLOCK=128\", \"check\": true, "
      "\"unknown\": []}\r\n"
      "\n  { \"benchmark\" : \"matmul\", \"samples_ns\" : [7]}\n"
      "{\"benchmark\": \"fp4\", \"skipped\": \"needs compute 10.0\"}\nbye");
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_THAT(result->series, SizeIs(2));
  const Series& softmax = result->series[0];
  EXPECT_EQ(softmax.benchmark, "softmax/N=1024");
  EXPECT_THAT(softmax.samples_ns, ElementsAre(1500, 1400, 1450.5));
  EXPECT_THAT(softmax.counters, ElementsAre(Pair("bytes", 8192)));
  EXPECT_EQ(softmax.configuration, "BLOCK=128");
  EXPECT_EQ(softmax.error, "");
  EXPECT_EQ(result->repetition[0].repetitions, 3);
  EXPECT_DOUBLE_EQ(result->repetition[0].longest_ms, 0.15);
  EXPECT_EQ(result->series[1].benchmark, "matmul");
  ASSERT_THAT(result->skipped, SizeIs(1));
  EXPECT_EQ(result->skipped[0].message, "needs compute 10.0");
}

TEST(Samples, WhatABenchmarkSaysOfItselfFailsItAlone) {
  struct Case {
    const char *members, *error;
  };
  for (const Case& c :
       {Case{R"("samples_ns":[1],"check":false)", "its check failed"},
        Case{R"("samples_ns":[1],"check":{"passed":false,"text":"off by 3"})", "check failed: off by 3"},
        Case{R"("samples_ns":[1],"check":{})", "neither true nor false"},
        Case{R"("samples_ns":[1],"check":"yes")", "neither true nor false"},
        Case{R"("error":"CUDA error: out of memory")", "out of memory"},
        Case{R"("error":{})", "the suite says that it failed"}, Case{R"("samples_ns":[])", "no list of times"},
        Case{R"("samples_ns":5)", "no list of times"}, Case{R"("x":1)", "no list of times"},
        Case{R"("samples_ns":[1,-2])", "not a positive number"},
        Case{R"("samples_ns":[1,NaN])", "not a positive number"},
        Case{R"("samples_ns":[1,"2"])", "not a positive number"}, Case{R"("samples_ns":[1e300])", "over a day"}}) {
    const Series series = one(c.members);
    EXPECT_THAT(series.error, HasSubstr(c.error)) << c.members;
    EXPECT_THAT(series.samples_ns, IsEmpty()) << c.members;
  }
  EXPECT_EQ(one(R"("samples_ns":[1],"check":{"passed":true})").error, "");
  EXPECT_EQ(one(R"("samples_ns":[1],"configuration":"two words")").configuration, "");
  const auto twice = read("{\"benchmark\":\"a\",\"samples_ns\":[1]}\n{\"benchmark\":\"a\",\"samples_ns\":[2]}\n");
  ASSERT_TRUE(twice);
  EXPECT_THAT(twice->series[1].error, HasSubstr("two benchmarks of this name"));
}

TEST(Samples, HostileLinesAreNamedErrors) {
  const std::string good = "{\"benchmark\":\"a\",\"samples_ns\":[1]}\n";
  std::string deep = "{\"benchmark\":" + std::string(100000, '[') + "\n";
  std::string many, samples = "{\"benchmark\":\"a\",\"samples_ns\":[1";
  for (int i = 0; i <= limits::kBenchmarksPerSuiteMax; ++i)
    many += "{\"benchmark\":\"" + std::to_string(i) + "\",\"skipped\":\"\"}\n";
  for (int i = 0; i < limits::kSamplesPerSeriesMax; ++i) samples += ",1";
  struct Case {
    std::string text;
    Errc code;
    const char* what;
  };
  for (const Case& c :
       {Case{"", Errc::invalid, "no line"}, Case{"only chatter\n", Errc::invalid, "no line"},
        Case{good + "{\"benchmark\":\"b\",\"sam", Errc::corrupt, "out:2"},
        Case{"{\"benchmark\":\"b\",}\n" + good, Errc::corrupt, "out:1"},
        Case{"{\"benchmark\":7}\n", Errc::corrupt, "has no name"}, Case{deep, Errc::corrupt, "nests too deep"},
        Case{"{\"benchmark\":\"" + std::string(600, 'x') + "\"}", Errc::too_large, "longer than 512"},
        Case{many, Errc::too_large, "more than 2000 benchmarks"},
        Case{samples + "]}", Errc::too_large, "more than 100000"},
        Case{"{\"benchmark\":\"" + std::string(limits::kSampleLineMax, 'x') + "\"}", Errc::too_large, "over 4 MiB"}}) {
    const auto result = read(c.text);
    ASSERT_FALSE(result) << c.what;
    EXPECT_EQ(result.error().code, c.code) << c.what;
    EXPECT_THAT(to_string(result.error()), HasSubstr(c.what));
  }
}

TEST(Samples, OfAProgramThatDiedWholeLinesCount) {
  const auto cut = read("{\"benchmark\":\"a\",\"samples_ns\":[1]}\n{\"benchmark\":\"b\",\"samp", {.partial = true});
  ASSERT_TRUE(cut) << to_string(cut.error());
  EXPECT_THAT(cut->series, SizeIs(1));
  EXPECT_TRUE(read("", {.partial = true}));
  EXPECT_FALSE(read("{\"benchmark\":\"b\",\"samp\n{\"benchmark\":\"a\",\"samples_ns\":[1]}\n", {.partial = true}));
}

TEST(Samples, TheListIsTheNames) {
  const auto names =
      read_samples_list("loading\n{\"benchmark\": \"a\"}\n{\"benchmark\": \"b\"}\n{\"benchmark\": \"a\"}\n", "l");
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("a", "b"));
  EXPECT_FALSE(read_samples_list("a\nb\n", "l"));
}

TEST(Samples, ItsWordsAreItsOwn) {
  const auto call = start_call(SuiteFormat::samples, "python3 bench.py",
                               {.benchmarks = {"a+b", "c"}, .repetitions = 12, .sample_ms = 0.5});
  EXPECT_EQ(call.line, "python3 bench.py \"$@\"");
  EXPECT_THAT(call.words, ElementsAre("--repetitions=12", "--sample-ms=0.5", "--filter=^(a\\+b|c)$"));
  EXPECT_THAT(list_call(SuiteFormat::samples, "p", MinTime::absent, 1).words, ElementsAre("--list"));
  EXPECT_THAT(list_call(SuiteFormat::samples, "p", MinTime::plain, 1).words, ElementsAre("--list", "--sample-ms=1"));
  EXPECT_THAT(once_flags(SuiteFormat::samples, "a"), ElementsAre("--repetitions=1", "--filter=^(a)$"));
  EXPECT_EQ(format_of("noise\n{\"benchmark\": \"a\", \"samples_ns\": [1]}\n"), SuiteFormat::samples);
}

}  // namespace samples_test
}  // namespace kernelgate::suite
