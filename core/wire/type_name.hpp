// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of types, taken from the compiler so that no list of them is kept.

#include <string_view>

namespace kernelgate::wire {

// "Trigger" of kernelgate::wire::Trigger, which need not be complete.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text = __PRETTY_FUNCTION__;  // "… [with T = kernelgate::wire::Trigger; …]"
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  const std::size_t colon = text.rfind(':');
  return colon == text.npos ? text : text.substr(colon + 1);
}

}  // namespace kernelgate::wire
