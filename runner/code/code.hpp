// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads the device code of built programs with cuobjdump, inside the sandbox: they are foreign files. Blocks.

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/decision/evidence/evidence.hpp"
#include "core/units/result.hpp"
#include "runner/sandbox/sandbox.hpp"

namespace kernelgate::gpu {

struct DeviceCode {
  std::vector<KernelCode> kernels;
  std::string data_sha256;  // of initialised variables and constants, which SASS does not show
};

struct CodeRequest {
  const Sandbox* sandbox = nullptr;
  std::filesystem::path build;               // on the host
  std::vector<std::filesystem::path> files;  // relative to it
  std::filesystem::path cuobjdump;
};

// Errc::corrupt: cuobjdump failed on a file; too_large: more text or more kernels than the limits allow.
[[nodiscard]] Result<DeviceCode> read_device_code(const CodeRequest& request, const std::stop_token& stop);

// A program of the CUDA toolkit: in `folder`, or where that is empty on our PATH, then in /usr/local/cuda/bin. Without
// symbolic links, so that the sandbox sees it too. Empty: it is not there.
[[nodiscard]] std::filesystem::path find_cuda_tool(std::string_view name, const std::filesystem::path& folder = {});

}  // namespace kernelgate::gpu
