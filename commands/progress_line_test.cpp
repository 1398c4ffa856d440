// SPDX-License-Identifier: Apache-2.0
#include "commands/progress_line.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace kernelgate::cli {
namespace progress_line_test {

using namespace std::chrono_literals;

std::string text_of(std::FILE* file) {
  std::rewind(file);
  std::string out(4096, '\0');
  out.resize(std::fread(out.data(), 1, out.size(), file));
  return out;
}

class ProgressLineTest : public testing::Test {
 protected:
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

TEST_F(ProgressLineTest, WithoutATerminalTheLatestIsWrittenNowAndThen) {
  {
    ProgressLine line(file_.get(), 20ms);
    line.show("building base");
    line.show("gemm: pair 3 of 16\x1b[2J");
    for (int i = 0; i < 500 && std::ftell(file_.get()) == 0; ++i) std::this_thread::sleep_for(10ms);
  }
  const std::string text = text_of(file_.get());
  EXPECT_THAT(text, testing::StartsWith("kernelgate: 0 min 00 s: gemm: pair 3 of 16"));
  EXPECT_THAT(text, testing::EndsWith("\n"));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST_F(ProgressLineTest, WhatIsShortSaysNothing) {
  { ProgressLine(file_.get()).show("building base"); }
  {
    ProgressLine line(file_.get(), 1ms);
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_EQ(text_of(file_.get()), "") << "there was nothing to say";
}

}  // namespace progress_line_test
}  // namespace kernelgate::cli
