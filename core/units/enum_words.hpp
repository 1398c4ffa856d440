// SPDX-License-Identifier: Apache-2.0
#pragma once

// The names of enumerators, taken from the compiler so that no list of them is kept. An enum whose words are its
// enumerators says so beside its definition: `void spelled_as_named(Side);`. It then has to_string and parse_word; in
// another namespace than this one `using kernelgate::to_string;` makes the former known.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kernelgate {

// "head" of Side::head; empty where the enum has no such enumerator: the compiler prints it as a cast, "(Side)7".
template <auto Value>
constexpr std::string_view enumerator_name() {
  std::string_view text = __PRETTY_FUNCTION__;  // "… [with auto Value = kernelgate::Side::head; …]"
  text.remove_prefix(text.find("Value = ") + 8);
  text = text.substr(0, text.find_first_of(";]"));
  return text.front() == '(' ? std::string_view() : text.substr(text.rfind(':') + 1);
}

// How many enumerators an enum has that counts from 0 without a gap.
template <class Enum, int Count = 0>
constexpr int enumerator_count() {
  if constexpr (enumerator_name<static_cast<Enum>(Count)>().empty())
    return Count;
  else
    return enumerator_count<Enum, Count + 1>();
}

template <class Enum>
constexpr auto enumerator_names() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return std::array<std::string_view, sizeof...(I)>{enumerator_name<static_cast<Enum>(I)>()...};
  }
  (std::make_integer_sequence<int, enumerator_count<Enum>()>());
}

template <class Enum>
concept SpelledAsNamed = std::is_enum_v<Enum> && requires(Enum value) {
  spelled_as_named(value);
};

template <SpelledAsNamed Enum>
[[nodiscard]] constexpr std::string_view to_string(Enum value) {
  constexpr auto kNames = enumerator_names<Enum>();
  return kNames[static_cast<std::size_t>(value)];
}

template <SpelledAsNamed Enum>
[[nodiscard]] constexpr std::optional<Enum> parse_word(std::string_view text) {
  constexpr auto kNames = enumerator_names<Enum>();
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace kernelgate
