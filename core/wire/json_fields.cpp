// SPDX-License-Identifier: Apache-2.0
#include "core/wire/json_fields.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/units/limits.hpp"
#include "core/wire/plain_json.hpp"

namespace kernelgate::wire {
namespace {

std::string kind_of(const Json& json) {
  if (json.is_number_float()) return "a fraction";
  if (json.is_number()) return "an integer";
  return json.is_null() ? "null" : std::string("of type ") + json.type_name();
}

[[noreturn]] void wrong_type(const Json& json, const JsonPath& path, std::string_view wanted) {
  refuse(path, "must be " + std::string(wanted) + ", but is " + kind_of(json));
}

}  // namespace

std::string JsonPath::pointer() const {
  if (!parent) return {};
  std::string out = parent->pointer() + "/";
  if (is_index) return out + std::to_string(index);
  for (const char c : name) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

void refuse(const JsonPath& path, std::string what) { throw DecodeError{path.pointer(), std::move(what)}; }

void refuse_range(const JsonPath& path, std::int64_t value, std::int64_t least, std::int64_t most) {
  refuse(path, "is or has " + std::to_string(value) + ", allowed are " + std::to_string(least) + " to " +
                   std::to_string(most));
}

void read(const Json& json, const JsonPath& path, bool& out) {
  if (!json.is_boolean()) wrong_type(json, path, "true or false");
  out = json.get<bool>();
}

void read(const Json& json, const JsonPath& path, std::int64_t& out) {
  if (!json.is_number_integer()) wrong_type(json, path, "an integer");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    refuse(path, "integer out of range");
  out = json.get<std::int64_t>();
}

void read(const Json& json, const JsonPath& path, int& out) {
  std::int64_t wide = 0;
  read(json, path, wide);
  if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
    refuse(path, "integer out of range");
  out = static_cast<int>(wide);
}

void read(const Json& json, const JsonPath& path, std::uint64_t& out) {
  if (!json.is_number_unsigned()) wrong_type(json, path, "an integer of 0 or more");
  out = json.get<std::uint64_t>();
}

void read(const Json& json, const JsonPath& path, double& out) {
  if (!json.is_number()) wrong_type(json, path, "a number");
  out = json.get<double>();
  if (!std::isfinite(out)) refuse(path, "number is not finite");
}

void read(const Json& json, const JsonPath& path, std::string& out) {
  if (!json.is_string()) wrong_type(json, path, "a string");
  out = json.get_ref<const std::string&>();
}

void read(const Json& json, const JsonPath& path, Instant& out) {
  std::string text;
  read(json, path, text);
  const std::optional<Instant> at = parse_iso8601(text);
  if (!at) refuse(path, "must be a time like 2026-11-21T10:41:06.123Z, but is '" + text.substr(0, 60) + "'");
  out = *at;
}

void read_array(const Json& json, const JsonPath& path) {
  if (!json.is_array()) wrong_type(json, path, "an array");
}

void read_object(const Json& json, const JsonPath& path) {
  if (!json.is_object()) wrong_type(json, path, "an object");
}

void write(Json& out, const JsonPath& path, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("number is not finite at " + path.pointer());
  out = value;
}

void write(Json& out, const JsonPath&, Instant value) { out = to_iso8601(value); }

void Describer::add(std::string_view name, Shape shape, bool is_required, std::string_view text) {
  out.fields.push_back({.name = name, .shape = std::move(shape), .is_required = is_required, .about = text});
}

void Describer::range(std::string_view name, std::int64_t, std::int64_t least, std::int64_t most) {
  for (Field& field : out.fields) {
    if (field.name != name) continue;
    field.shape.least = least;
    field.shape.most = most;
  }
}

std::string as_document(std::string_view object) {
  const std::string_view members = object.substr(1);
  return "{\"schema\":1" + std::string(members == "}" ? "" : ",") + std::string(members) + "\n";
}

// The parser itself does not recurse, but what walks the result does. Brackets inside strings do not count.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if ((c == '{' || c == '[') && ++depth > limits::kJsonDepthMax) return true;
    if (c == '}' || c == ']') --depth;
  }
  return false;
}

Result<Json> parse_document(std::string_view text) {
  if (auto plain = parse_plain(text)) return std::move(*plain);
  if (nests_too_deep(text))
    return fail(Errc::invalid, "JSON nests deeper than " + std::to_string(limits::kJsonDepthMax) + " levels");
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: … last read: TOKEN": the
    // bracket is the library's own business, and the token may be megabytes.
    const std::string_view what = error.what();
    const std::size_t start = what.find("] ");
    return fail(Errc::invalid, "not JSON: " + std::string(what.substr(start == what.npos ? 0 : start + 2, 200)));
  }
}

std::string print_document(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kernelgate::wire
