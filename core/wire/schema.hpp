// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shape of a message, read off the same table of fields that its codec uses (core/wire/json_fields.hpp). What
// docs/openapi.yaml, docs/API.md and dashboards/src/lib/wire.ts say of messages is printed from it
// (core/wire/contract). `schema<Message>()` exists for every message that KG_WIRE_CODEC names and for what stands in
// it.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kernelgate::wire {

struct Schema;

enum class ShapeKind { boolean, integer, number, text, instant, word, message };

// Of one value, or of the items of a list or map.
struct Shape {
  ShapeKind kind = ShapeKind::text;
  bool is_nullable = false;  // null, or absent, is no value
  bool is_blank = false;     // "" is no value
  bool is_map = false;
  int lists = 0;                                // 1: a list; 2: a list of lists
  bool has_null_items = false;                  // a list whose items may be null
  std::string_view type;                        // of words: the enum's name
  std::vector<std::string_view> words{};        // of an enum, in its order
  const Schema& (*message)() = nullptr;         // of a message
  std::optional<std::int64_t> least{}, most{};  // of the number, or of the length of the text or list
};

struct Field {
  std::string_view name;
  Shape shape;
  bool is_required = false;  // by a reader; what we write has every member
  std::string_view about;    // one sentence; may be empty
};

struct Schema {
  std::string_view name;
  std::string_view about;
  std::vector<Field> fields;
};

template <class Message>
[[nodiscard]] const Schema& schema();

}  // namespace kernelgate::wire
