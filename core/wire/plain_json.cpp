// SPDX-License-Identifier: Apache-2.0
#include "core/wire/plain_json.hpp"

#include <simdjson.h>

#include <string>
#include <utility>

#include "core/units/limits.hpp"

namespace kernelgate::wire {
namespace {

using Json = nlohmann::json;
using simdjson::dom::element_type;

// The element's depth is bounded by the parser.
Json to_json(simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::OBJECT: {
      const simdjson::dom::object object = element.get_object().value_unsafe();
      Json::object_t members;
      for (const auto [name, value] : object) members[std::string(name)] = to_json(value);
      return members;
    }
    case element_type::ARRAY: {
      const simdjson::dom::array array = element.get_array().value_unsafe();
      Json::array_t items;
      items.reserve(array.size());
      for (const auto item : array) items.push_back(to_json(item));
      return items;
    }
    case element_type::STRING: return std::string(element.get_string().value_unsafe());
    case element_type::INT64: {
      const std::int64_t value = element.get_int64().value_unsafe();
      return value < 0 ? Json(value) : Json(static_cast<std::uint64_t>(value));  // as the library has it
    }
    case element_type::UINT64: return element.get_uint64().value_unsafe();
    case element_type::DOUBLE: return element.get_double().value_unsafe();
    case element_type::BOOL: return element.get_bool().value_unsafe();
    case element_type::NULL_VALUE: return nullptr;
  }
  return nullptr;
}

}  // namespace

std::optional<Json> parse_plain(std::string_view text) {
  simdjson::dom::parser parser;
  if (parser.allocate(text.size(), limits::kJsonDepthMax) != simdjson::SUCCESS) return std::nullopt;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  return to_json(root);
}

}  // namespace kernelgate::wire
