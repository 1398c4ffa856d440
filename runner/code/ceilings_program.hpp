// SPDX-License-Identifier: Apache-2.0
#pragma once

// kg_probe_ceilings where it does not lie beside kernelgate: its sources are part of the executable, and the machine's
// nvcc builds them once. Private to runner/code.

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::gpu {

struct EmbeddedSource {
  const char* path;  // from the root of the source tree, as includes name it
  const char* text;
};
[[nodiscard]] std::span<const EmbeddedSource> ceilings_sources();

// The program in `folder`, built now if it is not there. `architecture` as nvcc spells it: "native" for the GPU that is
// here. Errc::not_found: there is no nvcc.
[[nodiscard]] Result<std::filesystem::path> ceilings_program_in(const std::filesystem::path& folder,
                                                                const std::filesystem::path& nvcc,
                                                                const std::string& architecture,
                                                                const std::stop_token& stop);

}  // namespace kernelgate::gpu
