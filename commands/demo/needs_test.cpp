// SPDX-License-Identifier: Apache-2.0
#include "commands/demo/needs.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace kernelgate::demo {
namespace needs_test {

TEST(FreeAddress, PortZeroBecomesAFreeOne) {
  const auto address = free_address("127.0.0.1:0");
  ASSERT_TRUE(address) << to_string(address.error());
  EXPECT_EQ(address->host, "127.0.0.1");
  EXPECT_NE(address->port, 0);
}

TEST(FreeAddress, ATakenPortIsAConflict) {
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof own;
  ASSERT_EQ(bind(file, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
  ASSERT_EQ(listen(file, 1), 0);
  ASSERT_EQ(getsockname(file, reinterpret_cast<sockaddr*>(&own), &size), 0);
  const auto address = free_address("127.0.0.1:" + std::to_string(ntohs(own.sin_port)));
  close(file);
  ASSERT_FALSE(address);
  EXPECT_EQ(address.error().code, Errc::conflict);
}

TEST(FreeAddress, WhatIsNoAddressIsRefused) {
  for (const char* wrong : {"", "8080", "localhost", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:70000", ":80"}) {
    const auto address = free_address(wrong);
    ASSERT_FALSE(address) << wrong;
    EXPECT_EQ(address.error().code, Errc::invalid) << wrong;
  }
}

std::string lack(const std::string& replay, const MachineFacts& machine, bool has_nvcc = true) {
  const auto there = check_gpu(replay, machine, has_nvcc);
  if (there) return {};
  EXPECT_EQ(there.error().code, Errc::unsupported);
  return there.error().what;
}

TEST(CheckGpu, AReplayNamesWhatTheMachineLacks) {
  MachineFacts machine;
  EXPECT_EQ(lack("cuda", machine), "the cuda replay needs a GPU and this machine has none");
  EXPECT_EQ(lack("softmax", machine), "the softmax replay needs a GPU and this machine has none");
  machine.has_gpu = true;
  machine.testbed.compute_capability = "8.0";
  EXPECT_EQ(lack("cuda", machine), "the cuda replay needs compute capability 9.0 and this machine has 8.0");
  EXPECT_EQ(lack("softmax", machine, false), "the softmax replay needs nvcc");
  EXPECT_EQ(lack("softmax", machine), "the softmax replay needs kg_probe_ceilings beside kernelgate");
  machine.testbed.compute_capability = "9.0";
  EXPECT_EQ(lack("cuda", machine), "");
}

}  // namespace needs_test
}  // namespace kernelgate::demo
