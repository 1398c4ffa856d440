// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test support: a suite whose times and misdeeds stand in a table (tests/support/table_suite.sh), in a folder of its
// own that goes away with the object.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "runner/measure/measure.hpp"

namespace kernelgate {

class TableSuite {
 public:
  // Lines of the table: "NAME\tNS[\tACTION]".
  explicit TableSuite(const std::vector<std::string>& lines) {
    std::string pattern = (std::filesystem::temp_directory_path() / "kg_table_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::filesystem::copy_file(KG_TABLE_SUITE, folder_ / "suite");
    write(lines);
  }
  TableSuite(const TableSuite&) = delete;
  TableSuite& operator=(const TableSuite&) = delete;
  ~TableSuite() { std::filesystem::remove_all(folder_); }

  void write(const std::vector<std::string>& lines) const {
    std::ofstream table(folder_ / "times", std::ios::binary | std::ios::trunc);
    for (const auto& line : lines) table << line << '\n';
  }

  [[nodiscard]] SuiteSide side() const {
    return {(folder_ / "suite").string(), {{folder_, std::string(kInsideBuild), false}}};
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace kernelgate
