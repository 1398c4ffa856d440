// SPDX-License-Identifier: Apache-2.0
#include "runner/suite/json_rows.hpp"

#include <nlohmann/json.hpp>

#include "runner/suite/bare_words.hpp"

namespace kernelgate::suite {
namespace {

using nlohmann::json;

// Rows are the objects at depth 2 under the top-level key "benchmarks"; anything nested deeper is
// passed over.
class RowReader : public nlohmann::json_sax<json> {
 public:
  // The first `rows_taken` rows are passed over; each further one is counted there.
  RowReader(const std::function<Status(const JsonRow&)>& take, std::size_t& rows_taken)
      : take_(take), rows_taken_(rows_taken), to_pass_(rows_taken) {}

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (in_row()) row_.flags[key_] = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    if (in_row()) row_.texts[key_] = value;
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    if (in_row()) row_ = JsonRow{};
    return true;
  }
  bool key(string_t& value) override {
    if (depth_ == 1) top_key_ = value;
    if (in_row()) key_ = value;
    return true;
  }
  bool end_object() override {
    const bool ended_row = in_row();
    --depth_;
    ended_ = depth_ == 0;
    if (!ended_row) return true;
    if (to_pass_ > 0) {
      --to_pass_;
      return true;
    }
    ++rows_taken_;
    if (auto taken = take_(row_); !taken) {
      status_ = taken;
      return false;
    }
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    if (depth_ == 2 && top_key_ == "benchmarks") has_benchmarks_ = true;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    error_position_ = position;
    error_text_ = error.what();
    return false;
  }

  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool has_benchmarks() const { return has_benchmarks_; }
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] std::size_t error_position() const { return error_position_; }
  [[nodiscard]] const std::string& error_text() const { return error_text_; }

 private:
  [[nodiscard]] bool in_row() const { return depth_ == 3 && top_key_ == "benchmarks"; }
  bool number(double value) {
    if (in_row()) row_.numbers[key_] = value;
    return true;
  }

  const std::function<Status(const JsonRow&)>& take_;
  std::size_t& rows_taken_;
  std::size_t to_pass_;
  int depth_ = 0;
  std::string top_key_, key_;
  JsonRow row_;
  bool has_benchmarks_ = false;
  bool ended_ = false;
  Status status_{};
  std::size_t error_position_ = 0;
  std::string error_text_;
};

// Where the result may start: a line that opens an object.
std::size_t next_object(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != text.npos; at = text.find('{', at + 1))
    if (at == 0 || text[at - 1] == '\n') return at;
  return text.npos;
}

struct Walk {
  Status status{};
  bool is_json = true;
};

Walk walk_once(std::string_view text, bool strict, const std::string& origin,
               const std::function<Status(const JsonRow&)>& take, std::size_t& rows_taken) {
  RowReader reader(take, rows_taken);
  const bool ok = json::sax_parse(text.begin(), text.end(), &reader, json::input_format_t::json, strict);
  if (!reader.status()) return {reader.status()};
  if (!ok) {
    if (reader.ended()) return {fail(Errc::corrupt, "not JSON: text follows the result", origin), false};
    if (reader.error_position() >= text.size())
      return {
          fail(Errc::corrupt,
               "the result ends in the middle of its JSON, after " + std::to_string(text.size()) + " bytes", origin),
          false};
    return {fail(Errc::corrupt, "not JSON: " + reader.error_text().substr(0, 200), origin), false};
  }
  if (!reader.has_benchmarks())
    return {fail(Errc::invalid, "no \"benchmarks\" list: not a result of Google Benchmark", origin)};
  return {};
}

Walk walk_text(std::string_view text, bool prefix_allowed, const std::string& origin,
               const std::function<Status(const JsonRow&)>& take, std::size_t& rows_taken) {
  if (!prefix_allowed) return walk_once(text, true, origin, take, rows_taken);
  const std::size_t marked = text.find("{\n  \"context\"");
  const std::size_t start = marked != text.npos ? marked : next_object(text, 0);
  if (start == text.npos) return {fail(Errc::corrupt, "the output holds no JSON object", origin)};
  return walk_once(text.substr(start), false, origin, take, rows_taken);
}

}  // namespace

Status walk_rows(std::string_view json_text, bool prefix_allowed, const std::string& origin,
                 const std::function<Status(const JsonRow&)>& take) {
  if (json_text.find_first_not_of(" \t\r\n") == json_text.npos)
    return fail(Errc::corrupt, "the result is empty", origin);
  std::size_t rows_taken = 0;
  Walk walk = walk_text(json_text, prefix_allowed, origin, take, rows_taken);
  if (walk.is_json) return walk.status;
  // Bare words are rare, and looking for them takes as long as reading: only what is not JSON is searched for them.
  const auto cleaned = without_bare_words(json_text);
  if (cleaned) walk = walk_text(*cleaned, prefix_allowed, origin, take, rows_taken);
  return walk.status;
}

}  // namespace kernelgate::suite
