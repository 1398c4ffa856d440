// SPDX-License-Identifier: Apache-2.0
#pragma once

// A benchmark's name as its makers mean it: "gemm/bf16/K:256/64x128" is a family, words and sizes. Pure text.

#include <string>
#include <string_view>
#include <vector>

namespace kernelgate {

// One number of a name, and the dimension it is a size of: "K" of K:256 or K=256; "part 3" of a plain number in third
// place; "size 2 of part 3" or "size 2 of tile" of one number in 64x128.
struct NameSize {
  std::string dimension;
  double value = 0;
};

struct NameParts {
  std::vector<std::string> words;  // the parts between slashes as they stand, each once, the family first
  std::vector<NameSize> sizes;
};

// At most 12 parts and 16 sizes of a name are looked at.
[[nodiscard]] NameParts parse_name(std::string_view benchmark);

// The first part: "gemm".
[[nodiscard]] std::string_view family_of(std::string_view benchmark);

}  // namespace kernelgate
