// SPDX-License-Identifier: Apache-2.0
// Every input that is kept, and some changes of each, once through its fuzzer: keeps the fuzzers compiling, and what
// they found found. A fault ends the process, with the sanitizers' report.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace corpus_test {

std::vector<std::string> corpus_of(const std::string& name) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(KG_CORPUS) + "/" + name))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> out;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

// Cut short, a byte changed, a part twice, a part gone: the same ones each time.
std::vector<std::string> changes_of(const std::string& input) {
  std::vector<std::string> out{input + input};
  if (input.empty()) return out;
  std::minstd_rand random(static_cast<unsigned>(input.size()));
  for (int i = 0; i < 6; ++i) {
    const std::size_t at = random() % input.size(), length = random() % 64;
    out.push_back(input.substr(0, at));
    std::string changed = input;
    changed[at] = static_cast<char>(random());
    out.push_back(changed);
    out.push_back(input.substr(0, at) + input.substr(at, length) + input.substr(at));
    out.push_back(std::string(input).erase(at, length));
  }
  return out;
}

class FuzzCorpus : public testing::TestWithParam<Named> {};

TEST_P(FuzzCorpus, IsSurvivedAndUnderstood) {
  int understood = 0;
  const std::vector<std::string> inputs = corpus_of(GetParam().name);
  for (const std::string& input : inputs) {
    if (GetParam().run(input)) ++understood;
    for (const std::string& changed : changes_of(input)) (void)GetParam().run(changed);
  }
  EXPECT_GT(understood, 0) << "of " << inputs.size() << " files none gets beyond a refusal: the format has changed";
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzCorpus, testing::ValuesIn(fuzzers().begin(), fuzzers().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace corpus_test
}  // namespace kernelgate::fuzz
