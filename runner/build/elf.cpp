// SPDX-License-Identifier: Apache-2.0
#include "runner/build/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <iterator>
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

template <class Struct>
std::optional<std::vector<Struct>> read_table(std::string_view file, std::uint64_t offset, std::uint64_t count) {
  std::vector<Struct> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto one = read_struct<Struct>(file, offset + i * sizeof(Struct));
    if (!one) return std::nullopt;
    out.push_back(*one);
  }
  return out;
}

bool lies_in_file(const Elf64_Shdr& section) {
  return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_type != SHT_NOBITS && section.sh_size > 0;
}

// Sizes and offsets are the file's word: nothing here may overflow.
bool is_mapped_by(const Elf64_Phdr& segment, const Elf64_Shdr& section) {
  return section.sh_offset >= segment.p_offset && section.sh_size <= segment.p_filesz &&
         section.sh_offset - segment.p_offset <= segment.p_filesz - section.sh_size &&
         section.sh_addr - segment.p_vaddr == section.sh_offset - segment.p_offset;
}

// Linkers fill with zeros, no-operations or traps.
bool is_filling(std::string_view bytes) {
  return bytes.empty() || (std::string_view("\0\x90\xcc", 3).find(bytes[0]) != std::string_view::npos &&
                           bytes.find_first_not_of(bytes[0]) == std::string_view::npos);
}

// Whether nothing but the table's sections is loaded: the loader reads segments and not sections, and what it finds
// between them must not be another program. Of the segments those that are loaded come in the order of their addresses.
bool holds_sections_alone(std::string_view file, const Elf64_Phdr& segment, std::uint64_t header_end,
                          const std::vector<Elf64_Shdr>& by_offset) {
  if (!piece(file, segment.p_offset, segment.p_filesz)) return false;
  std::uint64_t at = segment.p_offset == 0 ? std::min(header_end, segment.p_filesz) : segment.p_offset;
  const std::uint64_t end = segment.p_offset + segment.p_filesz;
  for (const Elf64_Shdr& section : by_offset) {
    if (!is_mapped_by(segment, section)) continue;
    if (section.sh_offset > at && !is_filling(file.substr(at, section.sh_offset - at))) return false;
    at = std::max(at, section.sh_offset + section.sh_size);
  }
  return at >= end || is_filling(file.substr(at, end - at));
}

// The other segments that the loader acts on are sections of their own.
bool is_a_section(const Elf64_Phdr& segment, const std::vector<Elf64_Shdr>& sections) {
  return std::any_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& section) {
    return section.sh_addr == segment.p_vaddr && section.sh_offset == segment.p_offset &&
           section.sh_size == segment.p_filesz;
  });
}

bool is_what_is_loaded(std::string_view file, const Elf64_Ehdr& header, const std::vector<Elf64_Shdr>& table) {
  constexpr std::uint64_t kPage = 4096;
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == PN_XNUM) return false;
  const auto segments = read_table<Elf64_Phdr>(file, header.e_phoff, header.e_phnum);
  if (!segments) return false;
  std::vector<Elf64_Shdr> sections;
  std::copy_if(table.begin(), table.end(), std::back_inserter(sections), lies_in_file);
  std::sort(sections.begin(), sections.end(),
            [](const Elf64_Shdr& a, const Elf64_Shdr& b) { return a.sh_offset < b.sh_offset; });
  const std::uint64_t header_end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr);
  std::uint64_t mapped_to = 0;
  for (const Elf64_Phdr& segment : *segments) {
    const bool acted_on = segment.p_type == PT_DYNAMIC || segment.p_type == PT_INTERP || segment.p_type == PT_TLS;
    if (acted_on && segment.p_filesz > 0 && !is_a_section(segment, sections)) return false;
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t first = segment.p_vaddr / kPage * kPage;
    if (first < mapped_to || segment.p_memsz > UINT64_MAX - kPage - segment.p_vaddr) return false;
    mapped_to = (segment.p_vaddr + segment.p_memsz + kPage - 1) / kPage * kPage;
    if (!holds_sections_alone(file, segment, header_end, sections)) return false;
  }
  return std::all_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& section) {
    return std::any_of(segments->begin(), segments->end(), [&](const Elf64_Phdr& segment) {
      return segment.p_type == PT_LOAD && is_mapped_by(segment, section);
    });
  });
}

}  // namespace

Result<std::vector<Section>> loaded_sections(std::string_view file) {
  const auto header = read_struct<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return corrupt("not a 64-bit ELF file");
  if (header->e_shnum == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) return corrupt("ELF file without sections");

  const auto sections = read_table<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  if (!sections) return corrupt("ELF file cut short");
  const std::vector<Elf64_Shdr>& table = *sections;
  const bool is_program = header->e_type == ET_EXEC || header->e_type == ET_DYN;
  if (is_program && header->e_machine != EM_CUDA && !is_what_is_loaded(file, *header, table))
    return corrupt("ELF file whose sections are not what is loaded");
  if (header->e_shstrndx >= table.size()) return corrupt("ELF file without section names");
  const auto names = piece(file, table[header->e_shstrndx].sh_offset, table[header->e_shstrndx].sh_size);
  if (!names) return corrupt("ELF file cut short");

  std::vector<Section> out;
  bool begins = header->e_entry == 0;
  std::uint64_t left = 2 * file.size();  // sections that lie on each other could be hashed for days
  for (const auto& section : table) {
    if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_type == SHT_NOTE) continue;
    if (section.sh_name >= names->size()) return corrupt("ELF file with a bad section name");
    const auto bytes = piece(file, section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
    if (!bytes) return corrupt("ELF file cut short");
    auto name = names->substr(section.sh_name);
    name = name.substr(0, name.find('\0'));
    if (name.size() + bytes->size() > left) return corrupt("ELF file whose sections lie on each other");
    left -= name.size() + bytes->size();
    out.push_back({name, section.sh_addr, section.sh_size, *bytes});
    if (header->e_entry - section.sh_addr >= bytes->size()) continue;
    out.back().entry = header->e_entry - section.sh_addr + 1;
    begins = true;
  }
  if (is_program && !begins) return corrupt("ELF file that begins in none of its sections");
  return out;
}

}  // namespace kernelgate::elf_detail
