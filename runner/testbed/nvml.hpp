// SPDX-License-Identifier: Apache-2.0
#pragma once

// The few facts of one card that make times comparable, from NVIDIA's management library, which is loaded at run time:
// neither its headers nor the library are needed to build. Private to runner/testbed.

#include <optional>
#include <string>

namespace kernelgate::testbed_detail {

struct CardFacts {
  std::string model, compute_capability, driver, power_limit, mig_mode;
};

// Empty: no library, no driver or no such card; `why_not` says which.
[[nodiscard]] std::optional<CardFacts> read_card(int index, std::string& why_not);

}  // namespace kernelgate::testbed_detail
