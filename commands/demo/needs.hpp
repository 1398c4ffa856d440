// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the demo needs of this machine, looked at before anything is started.

#include <cstdint>
#include <string>

#include "core/units/result.hpp"
#include "runner/testbed/testbed.hpp"

namespace kernelgate::demo {

// Errc::unsupported names the first thing that is missing, and the package that has it.
[[nodiscard]] Status check_programs(const std::string& replay);

// The same of the GPU that the replays but cpu run on, and of what is built and measured with there.
[[nodiscard]] Status check_gpu(const std::string& replay, const MachineFacts& machine, bool has_nvcc);

struct Address {
  std::string host;
  std::uint16_t port = 0;
  [[nodiscard]] std::string text() const { return host + ":" + std::to_string(port); }
  [[nodiscard]] std::string url() const { return "http://" + text(); }
};
// "ADDR:PORT" with an IPv4 address; port 0 becomes a free one. Errc::conflict: another program listens there.
[[nodiscard]] Result<Address> free_address(const std::string& listen);

}  // namespace kernelgate::demo
