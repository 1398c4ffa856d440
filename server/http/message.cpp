// SPDX-License-Identifier: Apache-2.0
#include "server/http/message.hpp"

#include <algorithm>
#include <charconv>

namespace kernelgate::http {
namespace {

std::optional<std::string_view> find(const Pairs& pairs, std::string_view name) {
  for (const auto& [key, value] : pairs)
    if (key == name) return value;
  return std::nullopt;
}

}  // namespace

std::string_view Request::parameter(std::string_view name) const { return find(parameters, name).value_or(""); }

std::optional<std::string_view> Request::query_value(std::string_view name) const { return find(query, name); }

std::string_view Request::header(std::string_view name) const { return find(headers, name).value_or(""); }

bool Request::knows(std::string_view etag) const {
  const auto opaque = [](std::string_view tag) {
    const auto from = tag.find_first_not_of(" \t");
    tag.remove_prefix(std::min(from, tag.size()));
    tag = tag.substr(0, tag.find_last_not_of(" \t") + 1);
    return tag.substr(0, 2) == "W/" ? tag.substr(2) : tag;
  };
  std::string_view list = header("if-none-match");
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    const std::string_view tag = opaque(list.substr(0, comma));
    if (tag == "*" || (!tag.empty() && tag == opaque(etag))) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

Result<std::int64_t> Request::query_number(std::string_view name, std::int64_t otherwise, std::int64_t low,
                                           std::int64_t high) const {
  const auto text = query_value(name);
  if (!text) return otherwise;
  std::int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc{} || stop != end || number < low || number > high)
    return fail(Errc::invalid, "not a whole number from " + std::to_string(low) + " to " + std::to_string(high),
                "query parameter " + std::string(name), "leave it out for " + std::to_string(otherwise));
  return number;
}

}  // namespace kernelgate::http
