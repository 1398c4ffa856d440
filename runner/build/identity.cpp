// SPDX-License-Identifier: Apache-2.0
#include "runner/build/identity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/manifest/manifest.hpp"
#include "core/units/digest.hpp"
#include "core/units/limits.hpp"
#include "platform/files/foreign_file.hpp"
#include "runner/build/elf.hpp"

namespace kernelgate {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuildPrefix = "{build}/";
constexpr std::string_view kSourcePlace = "{source}";
constexpr std::array kDeviceCode = {".cubin", ".fatbin", ".ptx", ".hsaco", ".spv"};

// The program's path within the build folder, if the line is one plain command, perhaps in a folder of its own, that
// names nothing else of the build.
std::optional<std::string> program_of(std::string_view whole) {
  std::string command = command_of(whole);
  for (std::size_t at = 0; (at = command.find(kSourcePlace, at)) != std::string::npos;)
    command.erase(at, kSourcePlace.size());
  std::string_view line = command;
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

Result<SuiteIdentity> hash_loadable(const fs::path& build, const fs::path& relative) {
  auto elf = hash_elf(build, relative);
  if (elf || elf.error().code != Errc::corrupt) return elf;
  const auto bytes = read_foreign_file(build, relative, limits::kProgramMax);  // PTX and linker scripts are text
  if (!bytes) return pass_on(bytes);
  return SuiteIdentity{sha256_hex(*bytes), {}};
}

// Unwind tables hold distances to code, which move with the size of what lies between.
bool is_unwinding(std::string_view section) { return section == ".eh_frame" || section == ".eh_frame_hdr"; }
// Reached through unwind tables alone. All else must lie where base's lies: unwind tables, which are no part of the
// hash, could hold another program at the addresses that the hashed ones speak of.
bool moves_with_device_code(std::string_view section) { return section == ".gcc_except_table"; }
bool is_device_code(std::string_view section) { return section == ".nv_fatbin" || section == "__nv_relfatbin"; }

// Symbolic links and files that the suite may load, in the order of their paths.
Result<std::vector<fs::path>> loadables(const fs::path& build) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::recursive_directory_iterator it(build, error), end; !error && it != end; it.increment(error))
    if (is_loadable(it->path()) && !it->is_directory(error)) out.push_back(it->path());
  if (error) return fail(Errc::io, "cannot read '" + build.string() + "': " + error.message());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Result<SuiteIdentity> hash_elf(const fs::path& build, const fs::path& relative) {
  const auto bytes = read_foreign_file(build, relative, limits::kProgramMax);
  if (!bytes) return pass_on(bytes);
  const auto sections = elf_detail::loaded_sections(*bytes);
  if (!sections) return fail(sections.error().code, sections.error().what, relative.string());
  Sha256 host, embedded;
  bool has_device_code = false;
  for (const auto& section : *sections) {
    if (is_unwinding(section.name)) continue;
    const bool device = is_device_code(section.name);
    has_device_code = has_device_code || device;
    host.field(section.name).field(std::to_string(section.entry));
    if (!moves_with_device_code(section.name)) host.field(std::to_string(section.address));
    (device ? embedded : host).field(std::to_string(section.size)).field(section.bytes);
  }
  return SuiteIdentity{host.hex(), has_device_code ? embedded.hex() : std::string()};
}

Result<std::optional<SuiteIdentity>> suite_identity(const fs::path& build, std::string_view line) {
  const auto program = program_of(line);
  if (!program) return std::optional<SuiteIdentity>();
  const auto main = hash_elf(build, *program);
  if (!main) {
    if (main.error().code == Errc::corrupt) return std::optional<SuiteIdentity>();  // a script
    return pass_on(main);
  }
  const auto others = loadables(build);
  if (!others) return pass_on(others);
  Sha256 host, embedded;
  host.field(*program).field(main->host);
  embedded.field(main->embedded);
  bool has_device_code = !main->embedded.empty();
  for (const auto& path : *others) {
    host.field(path.lexically_relative(build).string());
    std::error_code error;
    if (fs::is_symlink(path, error)) {
      host.field(fs::read_symlink(path, error).string());
      continue;
    }
    const auto hash = hash_loadable(build, path.lexically_relative(build));
    if (!hash) return pass_on(hash);
    host.field(hash->host);
    embedded.field(hash->embedded);
    has_device_code = has_device_code || !hash->embedded.empty();
  }
  return std::optional(SuiteIdentity{host.hex(), has_device_code ? embedded.hex() : std::string()});
}

std::vector<fs::path> files_with_device_code(const fs::path& build, std::string_view line) {
  std::vector<fs::path> out;
  const auto program = program_of(line);
  const auto others = loadables(build);
  if (!program || !others) return out;
  std::vector<fs::path> all{build / *program};
  all.insert(all.end(), others->begin(), others->end());
  for (const fs::path& path : all) {
    std::error_code error;
    if (fs::is_symlink(path, error)) continue;
    const auto hash = hash_elf(build, path.lexically_relative(build));
    if (hash && (!hash->embedded.empty() || path.extension() == ".cubin"))
      out.push_back(path.lexically_relative(build));
  }
  return out;
}

Result<std::optional<std::string>> data_digest(const fs::path& source, const std::vector<std::string>& globs) {
  using Digest = std::optional<std::string>;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(source, error), end; !error && it != end; it.increment(error)) {
    const fs::path path = it->path().lexically_relative(source);
    const auto matches = [&path](const std::string& glob) { return glob_match(glob, path.generic_string()); };
    if (std::none_of(globs.begin(), globs.end(), matches)) continue;
    if (it->is_symlink(error)) return Digest();
    if (!it->is_directory(error)) files.push_back(path);
  }
  if (error) return fail(Errc::io, "cannot read '" + source.string() + "': " + error.message());
  std::sort(files.begin(), files.end());
  Sha256 digest;
  for (const fs::path& path : files) {
    const auto bytes = read_foreign_file(source, path, limits::kProgramMax);
    if (!bytes) return pass_on(bytes);
    digest.field(path.string()).field(*bytes);
  }
  return Digest(digest.hex());
}

std::string program_sha256(const fs::path& build, std::string_view line) {
  const auto program = program_of(line);
  if (!program) return {};
  const auto bytes = read_foreign_file(build, *program, limits::kProgramMax);
  return bytes ? sha256_hex(*bytes) : std::string();
}

}  // namespace kernelgate
