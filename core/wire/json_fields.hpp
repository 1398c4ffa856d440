// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns a table of fields into both directions of a codec and into the schema. Private to core/wire/codec/*.cpp: it
// brings in nlohmann/json. A family writes, per message, `template <class V, Describes<Message> M>
// void fields(V& v, M& m)` which names each member once, with a sentence about it where its name does not say enough:
//   v.must    required when decoding
//   v.may     keeps its default when absent
//   v.figure  a number; null where it is not finite
//   v.blank   an optional whose absence is spelled ""
//   v.millis  an Instant spelled as milliseconds
//   v.range   limits of a number, or of the length of a text or list, that hold in every message
//   v.within  the same where the limits are members of the message
//   v.about   a sentence about the message
//   v.inlined another message's members, beside this one's own

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/units/enum_words.hpp"
#include "core/units/result.hpp"
#include "core/units/role.hpp"
#include "core/units/strong.hpp"
#include "core/units/time.hpp"
#include "core/wire/codec.hpp"
#include "core/wire/describe_fields.hpp"

namespace kernelgate::wire {

using Json = nlohmann::json;

template <class M, class Message>
concept Describes = std::same_as<std::remove_const_t<M>, Message>;

// A place in a document, as a list that grows towards the leaf; costs nothing until an error asks
// for it.
struct JsonPath {
  const JsonPath* parent = nullptr;
  std::string_view name;
  std::size_t index = 0;
  bool is_index = false;
  [[nodiscard]] std::string pointer() const;
};

struct DecodeError {
  std::string pointer;
  std::string what;
};
[[noreturn]] void refuse(const JsonPath& path, std::string what);
[[noreturn]] void refuse_range(const JsonPath& path, std::int64_t value, std::int64_t least, std::int64_t most);

// Leaves, in json_fields.cpp.
void read(const Json& json, const JsonPath& path, bool& out);
void read(const Json& json, const JsonPath& path, int& out);
void read(const Json& json, const JsonPath& path, std::int64_t& out);
void read(const Json& json, const JsonPath& path, std::uint64_t& out);
void read(const Json& json, const JsonPath& path, double& out);
void read(const Json& json, const JsonPath& path, std::string& out);
void read(const Json& json, const JsonPath& path, Instant& out);
void read_array(const Json& json, const JsonPath& path);
void read_object(const Json& json, const JsonPath& path);
void write(Json& out, const JsonPath& path, double value);
void write(Json& out, const JsonPath& path, Instant value);

// An enum takes part by naming its parser: `auto parser(Type<Side>) { return parse_side; }`.
template <class T>
struct Type {};

inline auto parser(Type<Side>) { return parse_side; }
inline auto parser(Type<Verdict>) { return parse_verdict; }
inline auto parser(Type<Against>) { return parse_against; }
inline auto parser(Type<Role>) { return parse_role; }
inline auto parser(Type<RunState>) { return parse_run_state; }
inline auto parser(Type<Severity>) { return parse_severity; }
inline auto parser(Type<Conclusion>) { return parse_conclusion; }
inline auto parser(Type<ProcessEnd>) { return parse_process_end; }
inline auto parser(Type<BuildEnd>) { return parse_build_end; }
template <SpelledAsNamed T>
auto parser(Type<T>) {
  return parse_word<T>;
}

template <class T>
requires std::is_enum_v<T>
void read(const Json& json, const JsonPath& path, T& out) {
  std::string text;
  read(json, path, text);
  const std::optional<T> value = parser(Type<T>{})(text);
  if (!value) refuse(path, "unknown word '" + text.substr(0, 60) + "'");
  out = *value;
}
template <class Tag, class T>
void read(const Json& json, const JsonPath& path, Strong<Tag, T>& out) {
  read(json, path, out.value);
}
template <class T>
void read(const Json& json, const JsonPath& path, std::optional<T>& out);
template <class T>
void read(const Json& json, const JsonPath& path, std::vector<T>& out);
template <class T>
void read(const Json& json, const JsonPath& path, std::map<std::string, T>& out);
template <class T>
requires std::is_class_v<T>
void read(const Json& json, const JsonPath& path, T& out);
template <class T>
void read_fields(const Json& json, const JsonPath& path, T& out);
template <class T>
void write_fields(Json& out, const JsonPath& path, const T& value);

// Of a text or list, for Reader::range.
template <class Container>
std::int64_t length(const Container& container) {
  return static_cast<std::int64_t>(container.size());
}

struct Reader {
  const Json& json;
  const JsonPath& path;

  void about(std::string_view) const {}
  template <class T>
  void must(std::string_view name, T& out, std::string_view = {}) {
    if (!take(name, out)) refuse(path, "member '" + std::string(name) + "' is missing");
  }
  template <class T>
  void may(std::string_view name, T& out, std::string_view = {}) {
    take(name, out);
  }
  template <class T>
  void blank(std::string_view name, std::optional<T>& out, std::string_view = {}) {
    out.reset();
    const auto at = json.find(name);
    if (at == json.end() || (at->is_string() && at->get_ref<const std::string&>().empty())) return;
    read(*at, JsonPath{&path, name}, out.emplace());
  }
  void millis(std::string_view name, Instant& out, std::string_view = {}) {
    std::int64_t ms = to_millis(out);
    if (take(name, ms)) out = from_millis(ms);
  }
  template <class T>
  void inlined(T& out) {
    read_fields(json, path, out);
  }
  void figure(std::string_view name, double& out, std::string_view = {}) {
    const auto at = json.find(name);
    if (at != json.end() && at->is_null())
      out = std::numeric_limits<double>::quiet_NaN();
    else
      take(name, out);
  }
  void range(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) const {
    if (value < least || value > most) refuse_range(JsonPath{&path, name}, value, least, most);
  }
  void within(std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) const {
    range(name, value, least, most);
  }

 private:
  template <class T>
  bool take(std::string_view name, T& out) {
    const auto at = json.find(name);
    if (at == json.end()) return false;
    read(*at, JsonPath{&path, name}, out);
    return true;
  }
};

template <class T>
void read(const Json& json, const JsonPath& path, std::optional<T>& out) {
  out.reset();
  if (!json.is_null()) read(json, path, out.emplace());
}

template <class T>
void read(const Json& json, const JsonPath& path, std::vector<T>& out) {
  read_array(json, path);
  out.resize(json.size());
  for (std::size_t i = 0; i < out.size(); ++i) read(json[i], JsonPath{&path, {}, i, true}, out[i]);
}

template <class T>
void read(const Json& json, const JsonPath& path, std::map<std::string, T>& out) {
  read_object(json, path);
  out.clear();
  for (const auto& [name, value] : json.items()) read(value, JsonPath{&path, name}, out[name]);
}

template <class T>
void read_fields(const Json& json, const JsonPath& path, T& out) {
  read_object(json, path);
  Reader reader{json, path};
  fields(reader, out);
}
template <class T>
requires std::is_class_v<T>
void read(const Json& json, const JsonPath& path, T& out) { read_fields(json, path, out); }

template <class T>
requires std::is_class_v<T>
void write(Json& out, const JsonPath& path, const T& value);

inline void write(Json& out, const JsonPath&, bool value) { out = value; }
inline void write(Json& out, const JsonPath&, const std::string& value) { out = value; }
template <std::integral T>
void write(Json& out, const JsonPath&, T value) {
  out = value;
}
template <class T>
requires std::is_enum_v<T>
void write(Json& out, const JsonPath&, T value) { out = std::string(to_string(value)); }
template <class Tag, class T>
void write(Json& out, const JsonPath&, const Strong<Tag, T>& value) {
  out = value.value;
}
template <class T>
void write(Json& out, const JsonPath& path, const std::optional<T>& value) {
  if (value) write(out, path, *value);
}
template <class T>
void write(Json& out, const JsonPath& path, const std::vector<T>& values) {
  out = Json::array();
  out.get_ref<Json::array_t&>().resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) write(out[i], JsonPath{&path, {}, i, true}, values[i]);
}
template <class T>
void write(Json& out, const JsonPath& path, const std::map<std::string, T>& values) {
  out = Json::object();
  for (const auto& [name, value] : values) write(out[name], JsonPath{&path, name}, value);
}

struct Writer {
  Json& json;
  const JsonPath& path;

  void about(std::string_view) const {}
  template <class T>
  void must(std::string_view name, const T& value, std::string_view = {}) {
    write(json[std::string(name)], JsonPath{&path, name}, value);
  }
  template <class T>
  void may(std::string_view name, const T& value, std::string_view = {}) {
    must(name, value);
  }
  template <class T>
  void blank(std::string_view name, const std::optional<T>& value, std::string_view = {}) {
    Json& out = json[std::string(name)];
    out = "";
    if (value) write(out, JsonPath{&path, name}, *value);
  }
  void millis(std::string_view name, Instant value, std::string_view = {}) {
    json[std::string(name)] = to_millis(value);
  }
  template <class T>
  void inlined(const T& value) {
    write_fields(json, path, value);
  }
  void figure(std::string_view name, double value, std::string_view = {}) {
    Json& out = json[std::string(name)];
    if (std::isfinite(value)) out = value;
  }
  void range(std::string_view, std::int64_t, std::int64_t, std::int64_t) const {}
  void within(std::string_view, std::int64_t, std::int64_t, std::int64_t) const {}
};

template <class T>
void write_fields(Json& out, const JsonPath& path, const T& value) {
  if (!out.is_object()) out = Json::object();
  Writer writer{out, path};
  fields(writer, value);
}
template <class T>
requires std::is_class_v<T>
void write(Json& out, const JsonPath& path, const T& value) { write_fields(out, path, value); }

// Whole documents.
[[nodiscard]] Result<Json> parse_document(std::string_view text);
[[nodiscard]] std::string print_document(const Json& json, int indent = -1);

template <class Message>
std::string encode(const Message& message) {
  Json out;
  write(out, JsonPath{}, message);
  return print_document(out);
}

template <class Message>
std::string print(const Message& message) {
  Json out;
  write(out, JsonPath{}, message);
  return print_document(out, 2) + "\n";
}

template <class Message>
Result<Message> decode(std::string_view text) {
  const Result<Json> json = parse_document(text);
  if (!json) return pass_on(json);
  Message out;
  try {
    read(*json, JsonPath{}, out);
  } catch (const DecodeError& error) {
    return fail(Errc::invalid, error.what, error.pointer);
  }
  return out;
}

}  // namespace kernelgate::wire

// Makes `print` of a document that commands print.
#define KG_WIRE_PRINT(Message) template std::string print<Message>(const Message&)

// Makes `encode`, `decode` and `schema` for one message; its fields() must stand above.
#define KG_WIRE_CODEC(Message)                                \
  template std::string encode<Message>(const Message&);       \
  template Result<Message> decode<Message>(std::string_view); \
  template const Schema& schema<Message>()

// Declares a message whose table stands in another family's file, and makes it there for the others.
#define KG_WIRE_ELSEWHERE(Message)                                                    \
  extern template void read_fields<Message>(const Json&, const JsonPath&, Message&);  \
  extern template void write_fields<Message>(Json&, const JsonPath&, const Message&); \
  extern template const Schema& schema<Message>()
#define KG_WIRE_SHARED(Message)                                                \
  template void read_fields<Message>(const Json&, const JsonPath&, Message&);  \
  template void write_fields<Message>(Json&, const JsonPath&, const Message&); \
  KG_WIRE_CODEC(Message)

namespace kernelgate::wire {

KG_WIRE_ELSEWHERE(Process);
KG_WIRE_ELSEWHERE(RunEvidence);
KG_WIRE_ELSEWHERE(StoredVariance);
KG_WIRE_ELSEWHERE(StoredSessions);
KG_WIRE_ELSEWHERE(PinnedResult);
KG_WIRE_ELSEWHERE(RoofPosition);
KG_WIRE_ELSEWHERE(Comparison);
KG_WIRE_ELSEWHERE(WorkloadResult);
KG_WIRE_ELSEWHERE(RegionResult);
KG_WIRE_ELSEWHERE(RunDecision);
KG_WIRE_ELSEWHERE(BaseRequest);
KG_WIRE_ELSEWHERE(TestbedFacts);
KG_WIRE_ELSEWHERE(CheckCase);
KG_WIRE_ELSEWHERE(Ceilings);
KG_WIRE_ELSEWHERE(KernelProfile);
KG_WIRE_ELSEWHERE(Run);
KG_WIRE_ELSEWHERE(VerdictCount);

}  // namespace kernelgate::wire
