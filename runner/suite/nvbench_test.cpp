// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/nvbench.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "runner/suite/dialect.hpp"

namespace kernelgate::suite {
namespace nvbench_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::string golden(const std::string& name) {
  std::ifstream file(std::string(KG_FORMATS_DIR) + "/nvbench/" + name, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<SuiteResult> read(const std::string& text, ReadOptions options = {}) {
  const SampleFile beside = [](const std::string& name) { return Result<std::string>(golden(name)); };
  return read_nvbench(text, beside, options, "r.json");
}

const Series* find(const SuiteResult& result, const std::string& name) {
  for (const auto& series : result.series)
    if (series.benchmark == name) return &series;
  return nullptr;
}

TEST(Nvbench, StatesAreBenchmarksWithTheirSamples) {
  const auto result = read(golden("result.json"));
  ASSERT_TRUE(result) << to_string(result.error());
  const Series* copy = find(*result, "copy_sweep_grid_shape/BlockSize[pow2]=6/NumBlocks[pow2]=6");
  ASSERT_NE(copy, nullptr);
  EXPECT_THAT(copy->samples_ns, SizeIs(20));
  const Series* simple = find(*result, "simple");
  ASSERT_NE(simple, nullptr);
  EXPECT_NEAR(simple->samples_ns[2], 0.0010034715849794225e9, 100) << "seconds become nanoseconds";
  EXPECT_NE(find(*result, "copy_type_sweep/T=U8"), nullptr);
  EXPECT_NE(find(*result, "single_float64_axis/Duration=0.0003"), nullptr) << "as the command line spells it";
}

TEST(Nvbench, ASkippedStateIsNotTimedAndOneThatThrewIsAnError) {
  const auto result = read(golden("result.json"));
  ASSERT_TRUE(result);
  ASSERT_THAT(result->skipped, SizeIs(1));
  EXPECT_EQ(result->skipped[0].benchmark, "copy_type_conversion_sweep/In=I8/Out=I8");
  EXPECT_THAT(result->skipped[0].message, HasSubstr("Not a conversion"));
  EXPECT_THAT(find(*result, "throws")->error, HasSubstr("illegal memory access"));
}

TEST(Nvbench, ARealResultWithoutSampleFilesIsANamedError) {
  const auto result = read(golden("ref.json"));
  ASSERT_FALSE(result);
  const std::string said = to_string(result.error());
  EXPECT_THAT(said, AllOf(StartsWith("r.json: "), HasSubstr("means only"), HasSubstr("--jsonbin")));
}

TEST(Nvbench, EachListedStateIsInTheResult) {
  const auto names = read_nvbench_list("NVBench says hello\n" + golden("list.json"), "list");
  const auto result = read(golden("result.json"));
  ASSERT_TRUE(names && result);
  for (const auto& series : result->series) EXPECT_THAT(*names, Contains(series.benchmark));
  EXPECT_THAT(*names, Contains("copy_type_conversion_sweep/In=I8/Out=I8"));
}

TEST(Nvbench, ANameSaysHowToRunItAlone) {
  EXPECT_THAT(nvbench_selection({"copy/T=I32/Elements[pow2]=20", "a%2Fb/Device=1/Name=x y"}),
              ElementsAre("-b", "copy", "-a", "T[]=I32", "-a", "Elements[pow2]=20", "-b", "a/b", "-d", "1", "-a",
                          "Name[]=x y"));
  EXPECT_THAT(nvbench_selection({"f/T=foo<int, 3>"}), ElementsAre("-b", "f")) << "a comma would be read as a list";
}

TEST(Nvbench, DamagedFilesAreNamedErrors) {
  const std::string whole = golden("result.json");
  struct Case {
    std::string text;
    const char* what;
  };
  for (const Case& c :
       {Case{"", "empty"}, Case{whole.substr(0, whole.size() / 2), "half of it"}, Case{"{}", "no \"benchmarks\""},
        Case{R"({"benchmarks":[]})", "version is not 1.x"},
        Case{R"({"meta":{"version":{"json":{"major":2}}},"benchmarks":[]})", "version is not 1.x"},
        Case{R"({"meta":{"version":{"json":{"major":1}}},"benchmarks":[]})", "no benchmark"},
        Case{R"({"meta":{"version":{"json":{"major":1}}},"benchmarks":[{"states":[{}]}]})", "has no name"}}) {
    const auto result = read(c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_THAT(to_string(result.error()), HasSubstr(c.what));
    EXPECT_EQ(result.error().where, "r.json");
  }
  const auto short_file = [](const std::string& name) { return Result<std::string>(golden(name).substr(0, 10)); };
  const auto cut = read_nvbench(whole, short_file, {}, "r.json");
  ASSERT_FALSE(cut);
  EXPECT_THAT(cut.error().what, HasSubstr("has 10 bytes, and 20 samples"));
  EXPECT_FALSE(read(whole, {.time = TimeSource::cpu}));
}

TEST(Nvbench, PartsOfOnePipeAreTakenApart) {
  const std::string text = "result.json 7\n{\"a\":1}0.bin 3\nx\ny1.bin 0\n";
  const auto parts = unpack_nvbench(text, "pipe");
  ASSERT_TRUE(parts) << to_string(parts.error());
  EXPECT_EQ(parts->json, "{\"a\":1}");
  EXPECT_EQ(parts->find("result.json-bin/0.bin").value(), "x\ny");
  EXPECT_FALSE(parts->find("result.json-bin/2.bin"));
  EXPECT_FALSE(unpack_nvbench("0.bin 9\nabc", "pipe"));
  EXPECT_FALSE(unpack_nvbench("no head", "pipe"));
}

TEST(Dialect, TheFormatOfAFileIsSeen) {
  EXPECT_EQ(format_of(golden("ref.json")), SuiteFormat::nvbench);
  EXPECT_EQ(format_of(R"({"benchmarks":[{"context":1}],"machine_info":{}})"), SuiteFormat::pytest_benchmark);
  EXPECT_EQ(format_of(R"({"benchmarks":[],"context":{"x":NaN}})"), SuiteFormat::google_benchmark);
  EXPECT_EQ(format_of("chatter\n{\"meta\":1}"), SuiteFormat::google_benchmark);
  EXPECT_EQ(format_of(""), SuiteFormat::google_benchmark);
}

TEST(Dialect, OurWordsAreNeverPartOfTheLine) {
  StartFlags start;
  start.benchmarks = {"x/N=$(exit 3)"};
  start.out = "/dev/fd/3";
  for (const auto format : {SuiteFormat::google_benchmark, SuiteFormat::nvbench, SuiteFormat::pytest_benchmark}) {
    const Call call = start_call(format, "./suite", start);
    EXPECT_THAT(call.line, AllOf(HasSubstr("./suite \"$@\""), testing::Not(HasSubstr("exit 3"))));
    EXPECT_THAT(call.words, Contains(HasSubstr("exit 3")));
  }
}

// Each state's values are looked for among all of its axes'.
TEST(Nvbench, AxesWithTooManyValuesForTheirStatesAreRefused) {
  std::string values, chosen, states;
  for (int i = 0; i < 20'000; ++i) values += R"({"input_string":"v","value":"v"},)";
  for (int i = 0; i < 20; ++i) chosen += R"({"name":"x","value":"w"},)";
  values.pop_back();
  chosen.pop_back();
  for (int i = 0; i < 20; ++i) states += R"({"axis_values":[)" + chosen + "]},";
  states.pop_back();
  const auto result = read(R"({"meta":{"version":{"json":{"major":1}}},"benchmarks":[{"name":"b","axes":[{"name":"x",)"
                           R"("values":[)" +
                           values + R"(]}],"states":[)" + states + "]}]}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::too_large);
  EXPECT_THAT(result.error().what, HasSubstr("too many values"));
}

// Kept whole while it is read, each value takes many times the bytes of its text.
TEST(Nvbench, ADocumentOfTooManyValuesIsRefused) {
  std::string text = R"({"meta":{"version":{"json":{"major":1}}},"benchmarks":[)";
  for (std::size_t i = 0; i < limits::kJsonValuesMax; ++i) text += "0,";
  const auto result = read(text + "0]}");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::too_large);
}

}  // namespace nvbench_test
}  // namespace kernelgate::suite
