// SPDX-License-Identifier: Apache-2.0
#pragma once

// Our tables for terminals that know ASCII alone. Pure.

#include <string>
#include <string_view>

namespace kernelgate::report {

// One character for each, so that columns stay: bars become "_.:-=+*#", other signs their nearest ("µ" is "u"), foreign
// letters "?". Bytes that are no UTF-8 become "?" too.
[[nodiscard]] std::string to_ascii(std::string_view utf8);

// Does the locale of these variables' values write UTF-8? The first that is not empty counts, as in POSIX.
[[nodiscard]] bool writes_utf8(std::string_view lc_all, std::string_view lc_ctype, std::string_view lang);

}  // namespace kernelgate::report
