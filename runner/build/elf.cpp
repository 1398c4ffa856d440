// SPDX-License-Identifier: Apache-2.0
#include "runner/build/elf.hpp"

#include <elf.h>

#include <cstring>
#include <optional>

namespace kernelgate::elf_detail {
namespace {

tl::unexpected<Error> corrupt(const char* what) { return fail(Errc::corrupt, what); }

std::optional<std::string_view> piece(std::string_view file, std::uint64_t offset, std::uint64_t size) {
  if (offset > file.size() || size > file.size() - offset) return std::nullopt;
  return file.substr(offset, size);
}

template <class Struct>
std::optional<Struct> read_struct(std::string_view file, std::uint64_t offset) {
  const auto bytes = piece(file, offset, sizeof(Struct));
  if (!bytes) return std::nullopt;
  Struct out;
  std::memcpy(&out, bytes->data(), sizeof out);
  return out;
}

}  // namespace

Result<std::vector<Section>> loaded_sections(std::string_view file) {
  const auto header = read_struct<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return corrupt("not a 64-bit ELF file");
  if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) return corrupt("ELF file without sections");

  std::vector<Elf64_Shdr> table;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = read_struct<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return corrupt("ELF file cut short");
    table.push_back(*section);
  }
  if (header->e_shstrndx >= table.size()) return corrupt("ELF file without section names");
  const auto names = piece(file, table[header->e_shstrndx].sh_offset, table[header->e_shstrndx].sh_size);
  if (!names) return corrupt("ELF file cut short");

  std::vector<Section> out;
  for (const auto& section : table) {
    if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_type == SHT_NOTE) continue;
    if (section.sh_name >= names->size()) return corrupt("ELF file with a bad section name");
    const auto bytes = piece(file, section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
    if (!bytes) return corrupt("ELF file cut short");
    auto name = names->substr(section.sh_name);
    name = name.substr(0, name.find('\0'));
    out.push_back({name, section.sh_addr, section.sh_size, *bytes});
  }
  return out;
}

}  // namespace kernelgate::elf_detail
