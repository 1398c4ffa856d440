// SPDX-License-Identifier: Apache-2.0
#pragma once

// Request bodies that only people send, and so are no messages of core/wire.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/units/result.hpp"

namespace kernelgate::api {

struct PromotionBody {
  std::string repository;
  std::int64_t run = 0;
  std::string name;    // 1 to 100 bytes
  std::string reason;  // 1 to 1000 bytes: why this one is the yardstick from now on
};
[[nodiscard]] Result<PromotionBody> decode_promotion(std::string_view json);

}  // namespace kernelgate::api
