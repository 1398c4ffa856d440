// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes the bundle of a finished run into a file: from a store, or from a server.

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/units/result.hpp"

namespace kernelgate::bundle {

struct ExportRequest {
  std::int64_t run = 0;
  std::filesystem::path repository = ".";  // whose local store is read where neither database nor server is given
  std::filesystem::path database;
  std::string server;
  std::filesystem::path token_file;  // may be empty where reading is public
  std::filesystem::path output;      // must not exist
};

struct Exported {
  std::int64_t run = 0;  // that was measured; another than asked for where that one reused a verdict
  std::uint64_t bytes = 0;
  std::string sha256;  // of the file
};

[[nodiscard]] Result<Exported> export_run(const ExportRequest& request);

}  // namespace kernelgate::bundle
