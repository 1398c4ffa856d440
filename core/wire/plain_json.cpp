// SPDX-License-Identifier: Apache-2.0
#include "core/wire/plain_json.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "core/units/limits.hpp"

namespace kernelgate::wire {
namespace {

using Json = nlohmann::json;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Each member moves on behind what it took; false: not taken, and the document is given up.
class PlainParser {
 public:
  explicit PlainParser(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool document(Json& out) {
    if (!value(out, 0)) return false;
    skip_blanks();
    return at_ == end_;
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool take(char wanted) {
    skip_blanks();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  bool value(Json& out, int depth) {
    skip_blanks();
    if (at_ == end_) return false;
    switch (*at_) {
      case '{': return depth < limits::kJsonDepthMax && object(out, depth + 1);
      case '[': return depth < limits::kJsonDepthMax && array(out, depth + 1);
      case '"': {
        std::string text;
        if (!string(text)) return false;
        out = std::move(text);
        return true;
      }
      case 't': return word("true", true, out);
      case 'f': return word("false", false, out);
      case 'n': return word("null", nullptr, out);
      default: return number(out);
    }
  }

  bool object(Json& out, int depth) {
    ++at_;
    Json::object_t members;
    for (bool more = !take('}'); more; more = !take('}')) {
      if (!members.empty() && !take(',')) return false;
      skip_blanks();
      std::string name;
      if (at_ == end_ || *at_ != '"' || !string(name) || !take(':')) return false;
      if (!value(members[std::move(name)], depth)) return false;
    }
    out = std::move(members);
    return true;
  }

  bool array(Json& out, int depth) {
    ++at_;
    Json::array_t items;
    for (bool more = !take(']'); more; more = !take(']')) {
      if (!items.empty() && !take(',')) return false;
      if (!value(items.emplace_back(), depth)) return false;
    }
    out = std::move(items);
    return true;
  }

  // One with escapes or beyond ASCII is left to the library, which knows what is well formed.
  bool string(std::string& out) {
    const char* const start = at_++;
    bool is_plain = true;
    for (; at_ != end_ && *at_ != '"'; ++at_) {
      const auto byte = static_cast<unsigned char>(*at_);
      if (byte >= 0x20 && byte < 0x80 && byte != '\\') continue;
      is_plain = false;
      if (byte == '\\' && ++at_ == end_) return false;
    }
    if (at_ == end_) return false;
    ++at_;
    if (is_plain) {
      out.assign(start + 1, at_ - 1);
      return true;
    }
    const Json read = Json::parse(start, at_, nullptr, false);
    if (!read.is_string()) return false;
    out = read.get_ref<const std::string&>();
    return true;
  }

  template <class T>
  bool word(std::string_view spelled, T meaning, Json& out) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(spelled)) return false;
    at_ += spelled.size();
    out = meaning;
    return true;
  }

  bool digits() {
    const char* const start = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != start;
  }
  template <class T>
  bool number_as(const char* start, Json& out) {
    T value{};
    const auto [stop, error] = std::from_chars(start, at_, value);
    if (error != std::errc() || stop != at_) return false;
    out = value;
    return true;
  }
  // std::from_chars takes more than JSON does: the grammar is looked at first.
  bool number(Json& out) {
    const char* const start = at_;
    const bool is_negative = *at_ == '-';
    if (is_negative) ++at_;
    const char* const first = at_;
    if (!digits() || (*first == '0' && at_ - first > 1)) return false;
    bool is_integer = true;
    if (at_ != end_ && *at_ == '.') {
      is_integer = false;
      ++at_;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      is_integer = false;
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits()) return false;
    }
    if (is_integer && (is_negative ? number_as<std::int64_t>(start, out) : number_as<std::uint64_t>(start, out)))
      return true;
    return number_as<double>(start, out);
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<Json> parse_plain(std::string_view text) {
  Json out;
  if (!PlainParser(text).document(out)) return std::nullopt;
  return out;
}

}  // namespace kernelgate::wire
