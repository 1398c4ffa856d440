// SPDX-License-Identifier: Apache-2.0
#include "commands/compare/recorded_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/units/time.hpp"

namespace kernelgate::local {
namespace {

using json = nlohmann::json;

// "2026-11-21T11:02:50+00:00", with or without a fraction and an offset.
std::optional<std::int64_t> parse_date(const std::string& date) {
  constexpr std::size_t kSeconds = 19;  // characters up to them
  if (date.size() < kSeconds) return std::nullopt;
  const auto instant = parse_iso8601(date.substr(0, kSeconds) + "Z");
  if (!instant) return std::nullopt;
  std::size_t at = kSeconds;
  while (at < date.size() && (date[at] == '.' || (date[at] >= '0' && date[at] <= '9'))) ++at;
  std::int64_t offset_min = 0;
  if (at + 6 == date.size() && (date[at] == '+' || date[at] == '-')) {
    offset_min = 60 * std::atoi(date.substr(at + 1, 2).c_str()) + std::atoi(date.substr(at + 4, 2).c_str());
    if (date[at] == '-') offset_min = -offset_min;
  }
  return to_millis(*instant) - 60'000 * offset_min;
}

// Reads no further than the member that holds the time.
class DateFinder : public nlohmann::json_sax<json> {
 public:
  std::string date;
  bool null() override { return next(); }
  bool boolean(bool) override { return next(); }
  bool number_integer(number_integer_t) override { return next(); }
  bool number_unsigned(number_unsigned_t) override { return next(); }
  bool number_float(number_float_t, const string_t&) override { return next(); }
  bool binary(binary_t&) override { return next(); }
  bool string(string_t& value) override {
    if (wanted_) date = value;
    return !wanted_;
  }
  bool start_object(std::size_t) override {
    wanted_ = false;
    return ++depth_ > 0;
  }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t) override { return start_object(0); }
  bool end_array() override { return end_object(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }
  bool key(string_t& name) override {
    if (depth_ == 1) in_context_ = name == "context";
    wanted_ = (depth_ == 1 && name == "datetime") || (depth_ == 2 && in_context_ && name == "date");
    return true;
  }

 private:
  bool next() {
    wanted_ = false;
    return true;
  }
  int depth_ = 0;
  bool in_context_ = false, wanted_ = false;
};

}  // namespace

std::optional<std::int64_t> recorded_at_ms(std::string_view text) {
  const std::size_t begin = text.find('{');  // a program may print before its result
  if (begin == std::string_view::npos) return std::nullopt;
  DateFinder finder;
  (void)json::sax_parse(text.substr(begin), &finder, json::input_format_t::json, false);
  return parse_date(finder.date);
}

std::string why_unproven(std::span<const Process> base, std::span<const Process> head) {
  const std::size_t pairs = std::min(base.size(), head.size());
  if (pairs < 2) return {};
  const auto at = [](const Process& process) { return process.started_at_ms; };
  for (std::span<const Process> side : {base, head})
    if (std::any_of(side.begin(), side.end(), [&](const Process& process) { return at(process) == 0; })) return {};
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto [first, last] = std::minmax({at(base[i]), at(head[i])});  // a list: values, not references
    for (std::span<const Process> side : {base, head})
      if (std::any_of(side.begin(), side.end(), [&, from = first, to = last](const Process& other) {
            return at(other) > from && at(other) < to;
          }))
        return "base and head were recorded one after the other, and drift can look like a change: alternate the "
               "runs, or pass --blocks-prove";
  }
  return {};
}

}  // namespace kernelgate::local
