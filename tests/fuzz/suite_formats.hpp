// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the fuzzers of all formats of results ask of their readers.

#include <string_view>

#include "core/manifest/manifest.hpp"

namespace kernelgate::fuzz {

// Reads the input as a result and as a list, with every option. True: one of them was read.
[[nodiscard]] bool read_as(SuiteFormat format, std::string_view input);

}  // namespace kernelgate::fuzz
