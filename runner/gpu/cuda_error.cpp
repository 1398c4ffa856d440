// SPDX-License-Identifier: Apache-2.0
#include "runner/gpu/cuda_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kernelgate::gpu {
namespace {

constexpr std::array kErrors{
    CudaError{1, "cudaErrorInvalidValue", "invalid argument", "invalid argument of a CUDA call", false},
    CudaError{2, "cudaErrorMemoryAllocation", "out of memory", "out of memory", false},
    CudaError{9, "cudaErrorInvalidConfiguration", "invalid configuration argument", "bad launch configuration", false},
    CudaError{35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version",
              "no driver for this CUDA", false},
    CudaError{98, "cudaErrorInvalidDeviceFunction", "invalid device function", "no such kernel", false},
    CudaError{100, "cudaErrorNoDevice", "no CUDA-capable device is detected", "no GPU", false},
    CudaError{209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device",
              "built for another GPU", false},
    CudaError{214, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered", "memory error of the GPU", true},
    CudaError{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered", "illegal address", true},
    CudaError{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch",
              "too many resources for a launch", false},
    CudaError{702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated", "launch timed out", true},
    CudaError{710, "cudaErrorAssert", "device-side assert triggered", "device assert", true},
    CudaError{714, "cudaErrorHardwareStackError", "hardware stack error", "stack error", true},
    CudaError{715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered", "illegal instruction",
              true},
    CudaError{716, "cudaErrorMisalignedAddress", "misaligned address", "misaligned address", true},
    CudaError{717, "cudaErrorInvalidAddressSpace", "operation not supported on global/shared address space",
              "wrong address space", true},
    CudaError{718, "cudaErrorInvalidPc", "invalid program counter", "invalid program counter", true},
    CudaError{719, "cudaErrorLaunchFailure", "unspecified launch failure", "launch failure", true},
    CudaError{999, "cudaErrorUnknown", "unknown error", "unknown error of the driver", true},
};

}  // namespace

std::optional<CudaError> find_cuda_error(std::string_view text) {
  std::optional<CudaError> out;
  std::size_t first = text.npos;
  for (const CudaError& error : kErrors) {
    const std::size_t at = std::min(text.find(error.words), text.find(error.name));
    if (at >= first) continue;
    first = at;
    out = error;
  }
  return out;
}

bool says_no_gpu(std::string_view text) {
  const auto error = find_cuda_error(text);
  return error && (error->code == 35 || error->code == 100);
}

std::string explain_failure(const CaseFailure& failure) {
  if (failure.verdict == Verdict::timed_out)
    return "hang: it did not end in its time and its whole process group was killed: " + failure.text;
  if (failure.verdict != Verdict::crashed) return failure.text;
  if (const auto error = find_cuda_error(failure.text))
    return fmt::format("{} (CUDA error {}{}): {}", error->kind, error->code,
                       error->sticky ? "; nothing more could run in that process" : "", failure.text);
  if (failure.signal != 0) return "crash of the host program: " + failure.text;
  return failure.text;
}

}  // namespace kernelgate::gpu
