// SPDX-License-Identifier: Apache-2.0
#include "server/api/json_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "server/http/problem.hpp"

namespace kernelgate::api {

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  text_ += http::json_string(name);
  text_ += ':';
  text_ += json;
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, std::string_view text) { return raw(name, http::json_string(text)); }

JsonObject& JsonObject::add(std::string_view name, double number) {
  return raw(name, std::isfinite(number) ? fmt::format("{}", number) : "null");
}

std::string json_array(const std::vector<std::string>& values) {
  std::string out = "[";
  for (const std::string& value : values) {
    if (out.size() > 1) out += ',';
    out += value;
  }
  return out + "]";
}

std::string json_page(std::string_view name, const std::vector<std::string>& values,
                      const std::optional<std::string>& next) {
  return JsonObject{}.raw(name, json_array(values)).add("next", next).str();
}

}  // namespace kernelgate::api
