// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a program said last on stderr, short enough for a table or a message. Pure.

#include <string>
#include <string_view>

namespace kernelgate {

// The last lines that are not blank, at most five of them and 1,000 bytes, on one line.
[[nodiscard]] std::string last_words(std::string_view text);

}  // namespace kernelgate
