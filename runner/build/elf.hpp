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
  std::string_view bytes;   // empty for .bss
  std::uint64_t entry = 0;  // where in it the program begins, counted from 1; 0: it begins elsewhere
};

// The sections that the loader maps, notes left out. They point into `file`; with their names they have at most twice
// its size. Of a program or a library they are all that is loaded: it begins in one of them, and no segment holds
// anything else. Errc::corrupt: not such a file, or cut short.
[[nodiscard]] Result<std::vector<Section>> loaded_sections(std::string_view file);

}  // namespace kernelgate::elf_detail
