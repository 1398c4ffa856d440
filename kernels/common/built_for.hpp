// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether kernels with instructions of one architecture can run in this program on this GPU. They are compiled for
// every architecture, but empty where the instructions are missing, so their host code asks here first.

namespace kernels {

// Why not, or null: the tensor copy engine (sm_90 and later), and wgmma (sm_90a alone). Throw CudaError without a GPU.
[[nodiscard]] const char* sm_90_refusal();
[[nodiscard]] const char* sm_90a_refusal();

}  // namespace kernels
