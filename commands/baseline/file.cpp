// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "commands/baseline/baseline.hpp"
#include "core/units/limits.hpp"

namespace kernelgate::local {

Result<std::string> read_baseline_file(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, error))
    return fail(Errc::not_found, "cannot be opened", file.string());
  std::string text(limits::kImportMax.value + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > limits::kImportMax.value)
    return fail(Errc::too_large, "is over " + std::to_string(limits::kImportMax.value) + " bytes", file.string(),
                "export one baseline at a time, with --name");
  return text;
}

Status write_baseline_file(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(file, error))
    return fail(Errc::conflict, "is there already", file.string(), "name another file");
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return {};
  std::filesystem::remove(file, error);  // half a file would stand in the way of the next try
  return fail(Errc::io, "cannot be written", file.string(), "look for the folder, its rights and free space");
}

}  // namespace kernelgate::local
