// SPDX-License-Identifier: Apache-2.0
#include "runner/build/identity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/units/digest.hpp"
#include "runner/build/elf.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuildPrefix = "{build}/";
constexpr std::array kDeviceCode = {".cubin", ".fatbin", ".ptx", ".hsaco", ".spv"};

// The program's path within the build folder, if the line is one plain command that names nothing else of ours.
std::optional<std::string> program_of(std::string_view line) {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  if (line.substr(0, kBuildPrefix.size()) != kBuildPrefix) return std::nullopt;
  line.remove_prefix(kBuildPrefix.size());
  if (line.find_first_of("|&;<>()$`\\\"'*?[]{}~#\n\t") != std::string_view::npos) return std::nullopt;
  const auto program = std::string(line.substr(0, line.find(' ')));
  if (program.empty() || program.find("..") != std::string::npos) return std::nullopt;
  return program;
}

bool is_loadable(const fs::path& path) {
  const auto name = path.filename().string();
  const auto extension = path.extension().string();
  return name.find(".so.") != std::string::npos || extension == ".so" ||
         std::find(kDeviceCode.begin(), kDeviceCode.end(), extension) != kDeviceCode.end();
}

Result<std::string> hash_loadable(const fs::path& path) {
  auto elf = hash_elf(path);
  if (elf || elf.error().code != Errc::corrupt) return elf;
  auto bytes = elf_detail::read_file(path);  // PTX and linker scripts are text
  if (!bytes) return bytes;
  return sha256_hex(*bytes);
}

}  // namespace

Result<std::string> hash_elf(const fs::path& file) {
  const auto bytes = elf_detail::read_file(file);
  if (!bytes) return pass_on(bytes);
  const auto sections = elf_detail::loaded_sections(*bytes);
  if (!sections) return fail(sections.error().code, sections.error().what, file.string());
  Sha256 digest;
  for (const auto& section : *sections)
    digest.field(section.name)
        .field(std::to_string(section.address))
        .field(std::to_string(section.size))
        .field(section.bytes);
  return digest.hex();
}

Result<std::optional<std::string>> suite_identity(const fs::path& build, std::string_view line) {
  const auto program = program_of(line);
  if (!program) return std::optional<std::string>();
  const auto main = hash_elf(build / *program);
  if (!main) {
    if (main.error().code == Errc::corrupt) return std::optional<std::string>();  // a script
    return pass_on(main);
  }
  std::vector<fs::path> others;
  std::error_code error;
  for (fs::recursive_directory_iterator it(build, error), end; !error && it != end; it.increment(error))
    if (is_loadable(it->path()) && !it->is_directory(error)) others.push_back(it->path());
  if (error) return fail(Errc::io, "can not read '" + build.string() + "': " + error.message());
  std::sort(others.begin(), others.end());

  Sha256 digest;
  digest.field(*program).field(*main);
  for (const auto& path : others) {
    digest.field(path.lexically_relative(build).string());
    if (fs::is_symlink(path, error)) {
      digest.field(fs::read_symlink(path, error).string());
      continue;
    }
    const auto hash = hash_loadable(path);
    if (!hash) return pass_on(hash);
    digest.field(*hash);
  }
  return std::optional(digest.hex());
}

}  // namespace kernelgate
