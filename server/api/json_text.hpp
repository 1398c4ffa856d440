// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes small JSON answers without a JSON library in the header. Members keep their order; an
// absent optional is null; a number that is not finite is null.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgate::api {

class JsonObject {
 public:
  JsonObject& raw(std::string_view name, std::string_view json);
  JsonObject& add(std::string_view name, std::string_view text);
  JsonObject& add(std::string_view name, const char* text) { return add(name, std::string_view(text)); }
  JsonObject& add(std::string_view name, const std::string& text) { return add(name, std::string_view(text)); }
  JsonObject& add(std::string_view name, double number);
  JsonObject& add(std::string_view name, std::same_as<bool> auto value) { return raw(name, value ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& add(std::string_view name, T number) {
    return raw(name, std::to_string(number));
  }
  template <class T>
  JsonObject& add(std::string_view name, const std::optional<T>& value) {
    return value ? add(name, *value) : raw(name, "null");
  }
  [[nodiscard]] std::string str() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

// [a,b,…] of values that are JSON already.
[[nodiscard]] std::string json_array(const std::vector<std::string>& values);

// {"<name>":[…],"next":"…"|null}: one page of a list. `next` is the value of `before` for more.
[[nodiscard]] std::string json_page(std::string_view name, const std::vector<std::string>& values,
                                    const std::optional<std::string>& next);

}  // namespace kernelgate::api
