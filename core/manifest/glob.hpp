// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a manifest accepts as a glob; glob_match itself is part of manifest.hpp. Pure.

#include <cstddef>
#include <string_view>

#include "core/manifest/manifest.hpp"

namespace kernelgate {

// The error names what is wrong with the pattern ("begins with '/'"), without the pattern itself.
[[nodiscard]] Status check_glob(std::string_view pattern);

}  // namespace kernelgate
