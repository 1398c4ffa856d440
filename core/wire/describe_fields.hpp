// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns a table of fields into the schema of its message: the visitor beside Reader and Writer of json_fields.hpp,
// which is the only one that includes it.

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/units/enum_words.hpp"
#include "core/units/strong.hpp"
#include "core/units/time.hpp"
#include "core/wire/schema.hpp"
#include "core/wire/type_name.hpp"

namespace kernelgate::wire {

// The shape of a member's type.
template <class T>
struct ShapeOf {
  static Shape make() {
    if constexpr (std::is_enum_v<T>) {
      Shape out{.kind = ShapeKind::word, .type = type_name<T>()};
      for (int i = 0; i < enumerator_count<T>(); ++i) out.words.push_back(to_string(static_cast<T>(i)));
      return out;
    } else {
      return {.kind = ShapeKind::message, .type = type_name<T>(), .message = &schema<T>};
    }
  }
};
template <>
struct ShapeOf<bool> {
  static Shape make() { return {.kind = ShapeKind::boolean, .type = {}}; }
};
template <std::integral T>
struct ShapeOf<T> {
  static Shape make() { return {.kind = ShapeKind::integer, .type = {}}; }
};
template <>
struct ShapeOf<double> {
  static Shape make() { return {.kind = ShapeKind::number, .type = {}}; }
};
template <>
struct ShapeOf<std::string> {
  static Shape make() { return {.kind = ShapeKind::text, .type = {}}; }
};
template <>
struct ShapeOf<Instant> {
  static Shape make() { return {.kind = ShapeKind::instant, .type = {}}; }
};
template <class Tag, class T>
struct ShapeOf<Strong<Tag, T>> : ShapeOf<T> {};
template <class T>
struct ShapeOf<std::optional<T>> {
  static Shape make() {
    Shape out = ShapeOf<T>::make();
    out.is_nullable = true;
    return out;
  }
};
template <class T>
struct ShapeOf<std::vector<T>> {
  static Shape make() {
    Shape out = ShapeOf<T>::make();
    out.has_null_items = std::exchange(out.is_nullable, false);
    ++out.lists;
    return out;
  }
};
template <class T>
struct ShapeOf<std::map<std::string, T>> {
  static Shape make() {
    Shape out = ShapeOf<T>::make();
    out.is_map = true;
    return out;
  }
};

struct Describer {
  Schema& out;

  void about(std::string_view text) { out.about = text; }
  template <class T>
  void must(std::string_view name, const T&, std::string_view text = {}) {
    add(name, ShapeOf<T>::make(), true, text);
  }
  template <class T>
  void may(std::string_view name, const T&, std::string_view text = {}) {
    add(name, ShapeOf<T>::make(), false, text);
  }
  template <class T>
  void blank(std::string_view name, const std::optional<T>&, std::string_view text = {}) {
    Shape shape = ShapeOf<T>::make();
    shape.is_blank = true;
    add(name, std::move(shape), false, text);
  }
  void millis(std::string_view name, Instant, std::string_view text = {}) {
    add(name, ShapeOf<std::int64_t>::make(), false, text);
  }
  void figure(std::string_view name, double, std::string_view text = {}) {
    add(name, ShapeOf<std::optional<double>>::make(), false, text);
  }
  void range(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most);
  void within(std::string_view, std::int64_t, std::int64_t, std::int64_t) const {}

 private:
  void add(std::string_view name, Shape shape, bool is_required, std::string_view text);
};

template <class Message>
const Schema& schema() {
  static const Schema kInstance = [] {
    Schema out{.name = type_name<Message>(), .about = {}, .fields = {}};
    Describer describer{out};
    const Message message{};
    fields(describer, message);
    return out;
  }();
  return kInstance;
}

}  // namespace kernelgate::wire
