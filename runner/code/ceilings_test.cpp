// SPDX-License-Identifier: Apache-2.0
#include "runner/code/ceilings.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/test_repository.hpp"

namespace kernelgate::gpu {
namespace ceilings_test {

namespace fs = std::filesystem;

class CeilingsTest : public testing::Test {
 protected:
  CeilingsTest() {
    program("echo '{\"device\":\"H200\",\"copy_bytes_s\":4.2e12,\"flops\":{\"fp16\":7e14},\"l2_bytes\":6e7}'");
    request_.folder = folder_.path;
    request_.testbed.driver = "580";
  }
  // Each start leaves a line in `starts`.
  void program(const std::string& script) {
    request_.program = folder_.path / "kg_probe_ceilings";
    std::ofstream(request_.program) << "#!/bin/sh\necho start >> \"$(dirname \"$0\")/starts\"\n" << script << "\n";
    fs::permissions(request_.program, fs::perms::owner_all);
  }
  int starts() const {
    std::ifstream file(folder_.path / "starts");
    int lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
  }
  TemporaryFolder folder_{"ceilings"};
  CeilingsRequest request_;
  CpuProbe probe_;
};

TEST_F(CeilingsTest, AreMeasuredOnceAnEpoch) {
  for (int i = 0; i < 2; ++i) {
    const auto found = find_ceilings(request_, probe_, {}, {});
    ASSERT_TRUE(found) << to_string(found.error());
    EXPECT_EQ(found->copy_bytes_s, 4.2e12);
    EXPECT_EQ(found->flops.at("fp16"), 7e14);
  }
  EXPECT_EQ(starts(), 1);
  request_.testbed.driver = "590";
  EXPECT_TRUE(find_ceilings(request_, probe_, {}, {}));
  EXPECT_EQ(starts(), 2);
}

// A device that is never free.
struct BusyProbe final : DisturbanceProbe {
  Status hold(const Say& say, const std::stop_token&) override {
    say("waiting: the GPU is used by another");
    return fail(Errc::unavailable, "waited");
  }
  void process_starts() override {}
  DeviceWindow process_ended() override { return {}; }
};

TEST_F(CeilingsTest, WaitingForTheDeviceIsSaid) {
  BusyProbe busy;
  std::string said;
  EXPECT_EQ(find_ceilings(request_, busy, [&](const std::string& text) { said = text; }, {}).error().what, "waited");
  EXPECT_EQ(said, "waiting: the GPU is used by another");
  EXPECT_EQ(starts(), 0);
}

TEST_F(CeilingsTest, AFailureIsSaidAndNotKept) {
  program("echo 'no CUDA-capable device' >&2; exit 1");
  EXPECT_EQ(find_ceilings(request_, probe_, {}, {}).error().code, Errc::unavailable);
  program("echo words");
  EXPECT_FALSE(find_ceilings(request_, probe_, {}, {}));
  EXPECT_EQ(starts(), 2);
  request_.program.clear();
  request_.cuda_tools = folder_.path;
  EXPECT_EQ(find_ceilings(request_, probe_, {}, {}).error().code, Errc::not_found);
}

}  // namespace ceilings_test
}  // namespace kernelgate::gpu
