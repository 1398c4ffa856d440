// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/bare_words.hpp"

#include <nlohmann/json.hpp>

namespace kernelgate::suite {

std::optional<std::string> without_bare_words(std::string_view text) {
  if (text.find("NaN") == text.npos && text.find("Inf") == text.npos && text.find("nan") == text.npos &&
      text.find("inf") == text.npos)
    return std::nullopt;
  std::string out;
  out.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    std::string_view rest = text.substr(i);
    const std::size_t sign = rest.starts_with('-') || rest.starts_with('+') ? 1 : 0;
    rest.remove_prefix(sign);
    std::size_t length = 0;
    for (const std::string_view word : {"NaN", "nan", "Infinity", "inf"})
      if (rest.starts_with(word)) length = word.size();
    if (length == 0) {
      out += c;
      continue;
    }
    out += "null";
    i += sign + length - 1;
  }
  return out;
}

const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

}  // namespace kernelgate::suite
