// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a choice depends on, as text: NAME=VALUE words apart by spaces, in the order they were added. Equal texts are
// equal keys. Pure.

#include <concepts>
#include <string>
#include <string_view>

namespace kernels::autotune {

// Characters that a word of a key or a configuration cannot have become '_'.
[[nodiscard]] inline std::string word_of(std::string_view text) {
  std::string word(text);
  for (char& c : word)
    if (c <= ' ' || c > '~' || c == '=' || c == '"' || c == '\\') c = '_';
  return word;
}

class Key {
 public:
  Key& add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += ' ';
    text_ += word_of(name) + '=' + word_of(value);
    return *this;
  }
  Key& add(std::string_view name, std::integral auto value) { return add(name, std::to_string(value)); }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace kernels::autotune
