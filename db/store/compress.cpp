// SPDX-License-Identifier: Apache-2.0
#include "db/store/compress.hpp"

#include <zstd.h>

#include "db/store/columns.hpp"

namespace kernelgate::db {
namespace {

constexpr int kLevel = 3;  // zstd's own default: logs shrink tenfold, and higher levels gain little

}  // namespace

std::vector<std::byte> compress(std::string_view text) {
  std::vector<std::byte> frame(ZSTD_compressBound(text.size()));
  const std::size_t size = ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size)) throw_corrupt(ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

std::string decompress(std::span<const std::byte> frame, std::size_t size) {
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(got)) throw_corrupt(ZSTD_getErrorName(got));
  if (got != size) throw_corrupt("a log is shorter than it says");
  return text;
}

}  // namespace kernelgate::db
