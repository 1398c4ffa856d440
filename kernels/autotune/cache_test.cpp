// SPDX-License-Identifier: Apache-2.0
#include "kernels/autotune/cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kernels/autotune/tuner.hpp"

namespace kernels::autotune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kHere = "device=here driver=1";

Entry entry_of(int size, const std::string& configuration = "dense", const std::string& environment = kHere) {
  return {environment, "size=" + std::to_string(size), configuration, 12.5};
}

class Cache : public testing::Test {
 protected:
  Cache() { std::filesystem::create_directories(folder_); }
  ~Cache() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // A program's start: what it chooses for one problem, and how often it measures.
  Decision start(const std::string& driver = "1", const std::vector<std::string>& names = {"wgmma", "dense"}) {
    std::vector<Candidate> candidates;
    for (const std::string& name : names) candidates.push_back({name, 1});
    Settings settings{
        .cache_path = path_, .warn = [this](const std::string& warning) { warnings_.push_back(warning); }, .tell = {}};
    Tuner tuner(Key().add("device", "here").add("driver", driver), settings);
    const auto measure = [this](std::size_t i) {
      ++measured_;
      return Ready{i == 1 ? 1.0 : 2.0, [i] { return i == 1 ? 1.0 : 2.0; }};
    };
    const Decision first = tuner.choose(Key().add("size", 1), candidates, measure);
    const Decision again = tuner.choose(Key().add("size", 1), candidates, measure);
    EXPECT_EQ(again.source, Source::remembered);
    EXPECT_EQ(again.configuration, first.configuration);
    return first;
  }

  std::string folder_ = testing::TempDir() + "tuner_" + std::to_string(::getpid()), path_ = folder_ + "/cache.jsonl";
  std::vector<std::string> warnings_;
  int measured_ = 0;
};

TEST_F(Cache, ALineIsJsonAndReadsBack) {
  const std::string line = to_line(entry_of(1, "wgmma/64x512x64"));
  EXPECT_EQ(line, R"({"format":1,"environment":"device=here driver=1","problem":"size=1",)"
                  R"("configuration":"wgmma/64x512x64","us":12.500})");
  const Contents found = read_lines(line + "\n", kHere);
  EXPECT_EQ(found.mine.at("size=1"), entry_of(1, "wgmma/64x512x64"));
}

TEST_F(Cache, TheSecondStartMeasuresNothing) {
  EXPECT_EQ(start().configuration, "dense");
  EXPECT_EQ(measured_, 2);
  const Decision second = start();
  EXPECT_EQ(second.configuration, "dense");
  EXPECT_EQ(second.source, Source::remembered);
  EXPECT_EQ(measured_, 2);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(Cache, CorruptLinesAreIgnoredOnceAndMended) {
  const std::string good = to_line(entry_of(7));
  for (const std::string& broken : {std::string("not json"), good.substr(0, good.size() / 2), good + " ",
                                    std::string("{\"format\":1}"), std::string(10, '\0'), std::string()}) {
    write(good + "\n" + broken + "\n");
    warnings_.clear();
    EXPECT_EQ(start().source, Source::measured) << broken;
    ASSERT_EQ(warnings_.size(), 1u) << broken;
    EXPECT_THAT(warnings_[0], HasSubstr(path_ + ": 1 of 2 lines ignored, the first is line 2 (1 corrupt)"));
    EXPECT_THAT(warnings_[0], HasSubstr("Remove the file"));
    EXPECT_EQ(start().source, Source::remembered);
    EXPECT_EQ(warnings_.size(), 1u) << "the file is whole again";
  }
}

TEST_F(Cache, ATimeThatIsNoneIsCorrupt) {
  const std::string good = to_line(entry_of(1)), time = "12.500";
  for (const char* none : {"nan", "-nan", "inf", "-5.000", "1e300", "1000000000000000000000000000.000", "", "12.5"}) {
    std::string line = good;
    const Contents found = read_lines(line.replace(line.find(time), time.size(), none), kHere);
    EXPECT_EQ(found.corrupt, 1) << none;
    EXPECT_THAT(found.kept, IsEmpty()) << none;
  }
  for (const double us : {std::nan(""), -1.0, 1e300})
    EXPECT_THAT(store(path_, {kHere, "size=1", "dense", us}), HasSubstr("cannot be kept"));
}

TEST_F(Cache, OtherDevicesDriversAndFormatsAreIgnoredAndKept) {
  const std::string future = R"({"format":2,"answer":42})";
  write(future + "\n" + to_line(entry_of(1, "wgmma", "device=there driver=1")) + "\n");
  EXPECT_EQ(start().configuration, "dense");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("2 of 2 lines ignored, the first is line 1 (1 of another format, 1 of another "
                                      "device, driver, library or build)"));
  EXPECT_THAT(text(), HasSubstr(future));
  EXPECT_THAT(text(), HasSubstr("device=there"));
  EXPECT_EQ(start("2").source, Source::measured);  // the driver was changed
  EXPECT_EQ(start("1").source, Source::remembered);
}

TEST_F(Cache, AFileOfSomebodyElseIsLeftAsItIs) {
  write("dear diary\n");
  EXPECT_EQ(start().configuration, "dense");
  EXPECT_EQ(text(), "dear diary\n");
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_THAT(warnings_[1], HasSubstr("no line of it is the tuner's. Remove the file, or set KG_TUNER_CACHE"));
}

TEST_F(Cache, ALinkStaysAndItsFileIsReplaced) {
  const std::string file = path_, link = folder_ + "/link";
  std::filesystem::create_symlink(file, link);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(store(link, entry_of(i)), "");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(load(file, kHere).contents.mine.size(), 2u);
}

TEST_F(Cache, LinksInACircleStayAsTheyAre) {
  std::filesystem::create_symlink(folder_ + "/other", path_);
  std::filesystem::create_symlink(path_, folder_ + "/other");
  EXPECT_EQ(start().configuration, "dense");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("circle"));
  EXPECT_TRUE(std::filesystem::is_symlink(path_) && std::filesystem::is_symlink(folder_ + "/other"));
}

TEST_F(Cache, AFolderInItsPlaceOnlyWarns) {
  std::filesystem::create_directories(path_);
  EXPECT_EQ(start().configuration, "dense");
  EXPECT_EQ(warnings_.size(), 2u);
}

TEST_F(Cache, WhereNothingCanBeWrittenItOnlyWarns) {
  path_ = "/proc/no/such/cache.jsonl";
  EXPECT_EQ(start().configuration, "dense");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("Set KG_TUNER_CACHE to a file that can be written"));
}

TEST_F(Cache, AChoiceThatIsNoCandidateAnyMoreIsMeasuredAnew) {
  EXPECT_EQ(start().configuration, "dense");
  EXPECT_EQ(start("1", {"wgmma", "wmma"}).configuration, "wmma");
  EXPECT_EQ(measured_, 4);
}

TEST_F(Cache, TheFileHasALimitAndTheOldestGo) {
  std::string text;
  for (int i = 0; text.size() < kCacheBytesMax; ++i) text += to_line(entry_of(i)) + "\n";
  write(text);
  EXPECT_EQ(store(path_, entry_of(-1)), "");
  const Loaded loaded = load(path_, kHere);
  EXPECT_LE(this->text().size(), kCacheBytesMax);
  EXPECT_TRUE(loaded.contents.mine.contains("size=-1"));
  EXPECT_FALSE(loaded.contents.mine.contains("size=0"));
  write(std::string(3 * kCacheBytesMax, 'x'));
  EXPECT_THAT(load(path_, kHere).warning, HasSubstr("is not read: it has 3145728 bytes"));
  EXPECT_THAT(store(path_, {kHere, std::string(kLineBytesMax, 'x'), "dense", 1}), HasSubstr("cannot be kept"));
  EXPECT_THAT(store(path_, {kHere, "a\"b", "dense", 1}), HasSubstr("cannot be kept"));
}

TEST(Settings, TheEnvironmentNamesTheFile) {
  const auto path_where = [](const char* given, const char* cache) {
    ::setenv("KG_TUNER_CACHE", given, 1);
    ::setenv("XDG_CACHE_HOME", cache, 1);
    ::setenv("HOME", "/somebody", 1);
    return settings_from_environment().cache_path;
  };
  EXPECT_EQ(path_where("/a/file", "/cache"), "/a/file");
  EXPECT_EQ(path_where("off", "/cache"), "");
  EXPECT_EQ(path_where("", "/cache"), "/cache/kernelgate/tuner.jsonl");
  EXPECT_EQ(path_where("", ""), "/somebody/.cache/kernelgate/tuner.jsonl");
}

TEST_F(Cache, TwoProcessesLoseNothing) {
  constexpr int kEach = 40;
  for (int process = 0; process < 2; ++process)
    if (::fork() == 0) {
      bool all = true;
      for (int i = 0; i < kEach; ++i) all = store(path_, entry_of(process * kEach + i)).empty() && all;
      ::_exit(all ? 0 : 1);
    }
  for (int process = 0; process < 2; ++process) {
    int status = -1;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  const Loaded loaded = load(path_, kHere);
  EXPECT_EQ(loaded.contents.mine.size(), 2u * kEach);
  EXPECT_EQ(loaded.warning, "");
}

}  // namespace
}  // namespace kernels::autotune
