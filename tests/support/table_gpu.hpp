// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test support: a GPU whose figures stand in a file (table_nvml.cpp). The file goes away with the object.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "runner/gpu/nvml.hpp"

namespace kernelgate::gpu {

class TableGpu {
 public:
  TableGpu() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kg_nvml_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    setenv("KG_NVML_TABLE", (folder_ / "table").c_str(), 1);
    rows_["uuid"] = "GPU-" + folder_.filename().string();
    write();
  }
  TableGpu(const TableGpu&) = delete;
  TableGpu& operator=(const TableGpu&) = delete;
  ~TableGpu() { std::filesystem::remove_all(folder_); }

  // Replaces rows; an empty text removes one. The file changes at once, never half.
  void set(const std::map<std::string, std::string>& rows) {
    for (const auto& [key, value] : rows) rows_[key] = value;
    write();
  }
  void lose() {
    lost_ = true;
    write();
  }
  [[nodiscard]] Gpu open() const {
    auto gpu = Gpu::open(0, KG_TABLE_NVML);
    EXPECT_TRUE(gpu) << to_string(gpu.error());
    return std::move(*gpu);
  }
  [[nodiscard]] const std::string& uuid() const { return rows_.at("uuid"); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  void write() const {
    const auto fresh = folder_ / "fresh";
    {
      std::ofstream file(fresh);
      if (lost_) file << "lost\n";
      for (const auto& [key, value] : rows_)
        if (!value.empty()) file << key << ' ' << value << '\n';
    }
    std::filesystem::rename(fresh, folder_ / "table");
  }

  std::filesystem::path folder_;
  bool lost_ = false;
  std::map<std::string, std::string> rows_{{"count", "1"},          {"name", "NVIDIA H200"},  {"driver", "580.159.04"},
                                           {"compute", "9 0"},      {"limit_mw", "700000"},   {"mig", "0"},
                                           {"slowdown_c", "90"},    {"sm_mhz", "1980"},       {"memory_mhz", "3201"},
                                           {"temperature_c", "35"}, {"power_mw", "121500"},   {"reasons", "0"},
                                           {"utilisation", "0"},    {"ecc_corrected", "0"},   {"ecc_uncorrected", "0"},
                                           {"thermal_ns", "0"},     {"power_cap_ns", "1000"}, {"xid", "0"}};
};

}  // namespace kernelgate::gpu
