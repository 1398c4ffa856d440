// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to db/: zstd frames that know their own size. Throws DbError.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::db {

[[nodiscard]] std::vector<std::byte> compress(std::string_view text);
[[nodiscard]] std::string decompress(std::span<const std::byte> frame, std::size_t size);

}  // namespace kernelgate::db
