// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an answer of a forge means to a message, and how long to wait after it. Pure.

#include <chrono>
#include <optional>
#include <string>

#include "core/units/time.hpp"
#include "platform/http/http_caller.hpp"

namespace kernelgate::forge {

struct Outcome {
  enum class Kind {
    delivered,
    limited,  // by rate: everybody waits until `until`
    away,     // the forge is: everybody waits a while
    refused,  // this message is
  };
  Kind kind = Kind::delivered;
  std::string error;  // for people; holds no secret
  std::string remote_id{};
  std::optional<Instant> until{};
  bool answered = true;  // false: the other side may have done it all the same
};

[[nodiscard]] Outcome judge(const Result<HttpResponse>& answer, Instant now);

// Doubled with each of `attempts` from `first` to `most`; `fraction` in [0, 1) places it between half and whole.
[[nodiscard]] std::chrono::milliseconds back_off(int attempts, std::chrono::milliseconds first,
                                                 std::chrono::milliseconds most, double fraction);

}  // namespace kernelgate::forge
