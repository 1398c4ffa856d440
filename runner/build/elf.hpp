// SPDX-License-Identifier: Apache-2.0
#pragma once

// As much of the ELF format (64 bit, this machine's byte order) as identity needs. Files come from foreign builds:
// every offset is checked. Private to runner/build.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::elf_detail {

struct Section {
  std::string_view name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string_view bytes;  // empty for .bss
};

// The sections that the loader maps, notes left out. They point into `file`. Errc::corrupt: not such a file, or cut
// short.
[[nodiscard]] Result<std::vector<Section>> loaded_sections(std::string_view file);

}  // namespace kernelgate::elf_detail
