// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/probe.hpp"

#include <gmock/gmock.h>

#include "runner/gpu/health.hpp"
#include "tests/support/table_gpu.hpp"

namespace kernelgate::gpu {
namespace probe_test {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::IsEmpty;

class Probe : public testing::Test {
 protected:
  [[nodiscard]] GpuProbe open(milliseconds patience = std::chrono::minutes(5)) const {
    return {table.open(), {.probe_folder = table.folder(), .patience = patience, .read_every = milliseconds(1)}};
  }
  void write_health(const std::string& body) const {
    const fs::path file = table.folder() / kHealthProgram;
    std::ofstream(file) << "#!/bin/sh\n" << body << '\n';
    fs::permissions(file, fs::perms::owner_all);
  }
  ~Probe() override { fs::remove(lock_file_of(table.uuid())); }
  TableGpu table;
};

TEST_F(Probe, AQuietProcessIsNotDisturbedAndItsStateIsKept) {
  GpuProbe probe = open();
  ASSERT_TRUE(probe.hold({}, {}));
  probe.process_starts();
  const auto window = probe.process_ended();
  EXPECT_FALSE(window.disturbed) << window.disturbance;
  EXPECT_THAT(window.state_json, HasSubstr("\"power_cap_ns\":0"));
  EXPECT_THAT(probe.trouble(), IsEmpty());
}

TEST_F(Probe, AnEventWhileTheProcessRunsIsSeenThoughItIsOverAtItsEnd) {
  GpuProbe probe = open();
  probe.process_starts();
  table.set({{"reasons", "0x80"}});
  std::this_thread::sleep_for(milliseconds(500));
  table.set({{"reasons", "0"}});
  const auto window = probe.process_ended();
  EXPECT_TRUE(window.disturbed);
  EXPECT_THAT(window.disturbance, HasSubstr("power_brake"));
  EXPECT_EQ(window.sm_mhz, 1980);
}

TEST_F(Probe, AForeignProcessThatStaysIsSeen) {
  GpuProbe probe = open();
  probe.process_starts();
  table.set({{"processes", std::to_string(getppid())}});
  EXPECT_THAT(probe.process_ended().disturbance, HasSubstr("foreign process"));
}

TEST_F(Probe, ABusyGpuIsNotMeasuredOn) {
  table.set({{"processes", std::to_string(getppid())}});
  GpuProbe probe = open(milliseconds(1));
  std::string said;
  const auto admitted = probe.admit([&said](const std::string& text) { said = text; }, {});
  ASSERT_FALSE(admitted);
  EXPECT_EQ(admitted.error().code, Errc::unavailable);
  EXPECT_THAT(probe.trouble(), HasSubstr("the GPU is used by"));
  EXPECT_FALSE(probe.recovered({}));
  EXPECT_FALSE(probe.hold({}, {}));
  EXPECT_TRUE(try_lock_gpu(table.uuid())) << "who may not measure holds nothing";
  table.set({{"processes", ""}});
  EXPECT_TRUE(probe.recovered({}));
  EXPECT_THAT(probe.trouble(), IsEmpty());
}

TEST_F(Probe, OneMeasuresAtATime) {
  GpuProbe first = open(), second = open(milliseconds(1));
  ASSERT_TRUE(first.hold({}, {}));
  ASSERT_TRUE(first.hold({}, {})) << "holding twice is holding";
  const auto refused = second.hold({}, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("another kernelgate"));
  first.let_go();
  EXPECT_TRUE(second.hold({}, {}));
}

TEST_F(Probe, AfterAFailureTheHealthProgramDecides) {
  GpuProbe probe = open();
  EXPECT_TRUE(probe.after_failure({})) << "without the program the driver is asked";
  write_health("exit 0");
  EXPECT_TRUE(probe.after_failure({}));
  write_health("echo 'CUDA error: unknown error'; exit 1");
  const auto unhealthy = probe.after_failure({});
  ASSERT_FALSE(unhealthy);
  EXPECT_THAT(unhealthy.error().what, HasSubstr("unhealthy: kg_probe_health: exit code 1: CUDA error: unknown error"));
  EXPECT_FALSE(probe.recovered({}));
  EXPECT_FALSE(probe.admit({}, {})) << "an unhealthy GPU gets no pair";
  write_health("exit 0");
  EXPECT_TRUE(probe.recovered({}));
  EXPECT_TRUE(probe.admit({}, {}));
}

TEST_F(Probe, AnErrorOfTheGpuAsksForItsHealthBeforeTheNextPair) {
  write_health("exit 1");
  GpuProbe probe = open();
  probe.process_starts();
  table.set({{"xid", "1 79"}});
  EXPECT_THAT(probe.process_ended().disturbance, HasSubstr("Xid 79"));
  EXPECT_FALSE(probe.admit({}, {}));
}

TEST_F(Probe, ALostGpuIsUnhealthy) {
  GpuProbe probe = open();
  table.lose();
  EXPECT_FALSE(probe.after_failure({}));
  EXPECT_THAT(probe.trouble(), HasSubstr("does not reach the GPU"));
}

TEST(MakeProbe, WithoutAGpuNothingIsEverDisturbed) {
  const auto probe = make_probe(4096, {});
  probe->process_starts();
  EXPECT_FALSE(probe->process_ended().disturbed);
  EXPECT_TRUE(probe->admit({}, {}));
}

}  // namespace probe_test
}  // namespace kernelgate::gpu
