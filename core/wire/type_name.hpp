// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names of types and of enumerators, taken from the compiler so that no list of them is kept.

#include <array>
#include <cstddef>
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

// Whether a value has an enumerator: the compiler prints one that has none as a cast, "(kernelgate::Side)7".
template <auto Value>
constexpr bool has_enumerator() {
  const std::string_view text = __PRETTY_FUNCTION__;
  return text.find("Value = (") == text.npos;
}

// How many enumerators an enum has that counts from 0 without a gap.
template <class Enum, int Count = 0>
constexpr int enumerator_count() {
  if constexpr (has_enumerator<static_cast<Enum>(Count)>())
    return enumerator_count<Enum, Count + 1>();
  else
    return Count;
}

}  // namespace kernelgate::wire
