// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rates of large matrix products through cuBLASLt, by data type, in FLOP/s. A type that the GPU or the library does
// not have is left out. Throws CudaError for errors of the GPU.

#include <map>
#include <string>

namespace kernels {

[[nodiscard]] std::map<std::string, double> matrix_rates();

}  // namespace kernels
