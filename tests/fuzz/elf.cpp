// SPDX-License-Identifier: Apache-2.0
#include "runner/build/elf.hpp"

#include <functional>

#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

bool lies_in(std::string_view part, std::string_view file) {
  const std::less_equal<const char*> before;
  return part.empty() ||
         (before(file.data(), part.data()) && before(part.data() + part.size(), file.data() + file.size()));
}

}  // namespace

bool elf(std::string_view input) {
  const auto sections = elf_detail::loaded_sections(input);
  if (!sections) return false;
  for (const elf_detail::Section& section : *sections)
    require(lies_in(section.name, input) && lies_in(section.bytes, input), "a section lies in its file");
  return !sections->empty();
}

}  // namespace kernelgate::fuzz
