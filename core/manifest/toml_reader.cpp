// SPDX-License-Identifier: Apache-2.0
#define TOML_IMPLEMENTATION

#include "core/manifest/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/units/limits.hpp"

namespace kernelgate::manifest {
namespace {

// Behind the text that begins at `at`, which is a quote: "…", '…', or the same with three quotes and lines.
std::size_t behind_text(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const std::size_t opening = toml.substr(at, 3) == std::string(3, quote) ? 3 : 1;
  std::size_t end = at + opening;
  while (end < toml.size() && toml.substr(end, opening) != std::string(opening, quote)) {
    if (opening == 1 && toml[end] == '\n') return end;  // malformed
    end += quote == '"' && toml[end] == '\\' ? 2 : 1;
  }
  end += opening;
  for (int more = 0; opening == 3 && more < 2 && end < toml.size() && toml[end] == quote; ++more) ++end;
  return std::min(end, toml.size());
}

// What toml++ 3.3 is not to be given: its tables are freed recursively, so that a.a.a… ends the stack, and its tests
// for letters are undefined for most that are not ASCII. Outside of texts and comments TOML has none of those. Nothing:
// go on.
std::optional<std::string> refused_before(std::string_view toml) {
  if (toml.starts_with("\xef\xbb\xbf")) toml.remove_prefix(3);  // a byte order mark
  int dots = 0;
  for (std::size_t at = 0; at < toml.size();) {
    if (toml[at] == '"' || toml[at] == '\'') {
      at = behind_text(toml, at);
    } else if (toml[at] == '#') {
      at = std::min(toml.find('\n', at), toml.size());
    } else if (static_cast<unsigned char>(toml[at]) >= 0x80) {
      const auto line = 1 + std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      return fmt::format("not TOML: a letter of line {}, outside of texts, is not ASCII", line);
    } else {
      dots += toml[at++] == '.' ? 1 : 0;
    }
  }
  if (dots <= limits::kTomlDotsMax) return std::nullopt;
  return fmt::format("more than {} dots outside of texts", limits::kTomlDotsMax);
}

struct BrokenAssertion : std::logic_error {
  using std::logic_error::logic_error;
};

Position position_of(const toml::source_region& region) {
  return {std::max(1U, unsigned{region.begin.line}), std::max(1U, unsigned{region.begin.column})};
}

}  // namespace

void broken_assertion() { throw BrokenAssertion("malformed"); }

Position position_of(const toml::node& node) { return position_of(node.source()); }

std::optional<toml::table> parse_toml(std::string_view text, Problems& problems) {
  const char* const fix = "see https://toml.io";
  if (auto refused = refused_before(text)) {
    problems.add({}, std::move(*refused), fix);
    return std::nullopt;
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    problems.add(position_of(error.source()), "not TOML: " + std::string(error.description()), fix);
  } catch (const BrokenAssertion&) {
    problems.add({}, "not TOML: a key or a value begins with what none may begin with", fix);
  }
  return std::nullopt;
}

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a fraction";
    case toml::node_type::boolean: return "true or false";
    default: return "a date or time";
  }
}

std::string TableReader::label(std::string_view key) const {
  return name_.empty() ? fmt::format("'{}'", key) : fmt::format("'{}' of {}", key, name_);
}

Position TableReader::at(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return position_of(node ? *node : static_cast<const toml::node&>(table_));
}

void TableReader::wrong(std::string_view key, std::string what, std::string fix) {
  problems_.add(at(key), label(key) + " " + std::move(what), std::move(fix));
}

void TableReader::wrong_type(std::string_view key, const toml::node& node, std::string_view wanted) {
  wrong(key, fmt::format("must be {}, but is {}", wanted, type_name(node)), fmt::format("give {}", wanted));
}

const toml::node* TableReader::any(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_.get(key);
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* node = any(key);
  if (node && !node->is_table()) wrong_type(key, *node, "a table");
  return node ? node->as_table() : nullptr;
}

const toml::array* TableReader::array(std::string_view key) {
  const toml::node* node = any(key);
  if (node && !node->is_array()) wrong_type(key, *node, "a list");
  return node ? node->as_array() : nullptr;
}

std::vector<const toml::table*> TableReader::tables(std::string_view key) {
  std::vector<const toml::table*> out;
  const toml::node* node = any(key);
  if (!node) return out;
  if (!node->is_array()) {
    wrong(key, fmt::format("must be a list of tables, but is {}", type_name(*node)),
          fmt::format("write [[{}]] with two brackets", key));
    return out;
  }
  for (const toml::node& entry : *node->as_array()) {
    if (const toml::table* table = entry.as_table())
      out.push_back(table);
    else
      problems_.add(position_of(entry), fmt::format("{} must hold tables, but holds {}", label(key), type_name(entry)),
                    fmt::format("write [[{}]]", key));
  }
  return out;
}

std::optional<std::string> TableReader::text(std::string_view key) {
  const toml::node* node = any(key);
  if (!node) return std::nullopt;
  const auto* value = node->as_string();
  if (!value) {
    wrong_type(key, *node, "a string");
    return std::nullopt;
  }
  if (value->get().find('\0') != std::string::npos) {
    wrong(key, "holds a NUL character", "remove it");
    return std::nullopt;
  }
  return value->get();
}

std::optional<bool> TableReader::flag(std::string_view key) {
  const toml::node* node = any(key);
  if (!node) return std::nullopt;
  if (const auto* value = node->as_boolean()) return value->get();
  wrong_type(key, *node, "true or false");
  return std::nullopt;
}

std::optional<double> TableReader::number(std::string_view key, double least, double most) {
  const toml::node* node = any(key);
  if (!node) return std::nullopt;
  if (!node->is_number()) {
    wrong_type(key, *node, "a number");
    return std::nullopt;
  }
  const double value = *node->value<double>();
  if (std::isfinite(value) && value >= least && value <= most) return value;
  wrong(key, fmt::format("is {}", value), fmt::format("give a number from {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key, std::int64_t least, std::int64_t most) {
  const toml::node* node = any(key);
  if (!node) return std::nullopt;
  const auto* value = node->as_integer();
  if (!value) {
    wrong_type(key, *node, "an integer");
    return std::nullopt;
  }
  if (value->get() >= least && value->get() <= most) return value->get();
  wrong(key, fmt::format("is {}", value->get()), fmt::format("give an integer from {} to {}", least, most));
  return std::nullopt;
}

std::vector<std::string> TableReader::texts(std::string_view key) {
  std::vector<std::string> out;
  const toml::array* list = array(key);
  if (!list) return out;
  for (const toml::node& entry : *list) {
    if (const auto* value = entry.as_string())
      out.push_back(value->get());
    else
      problems_.add(position_of(entry), fmt::format("{} must hold strings, but holds {}", label(key), type_name(entry)),
                    "put it in quotes");
  }
  return out;
}

std::optional<std::string> TableReader::word(std::string_view key, const std::vector<std::string>& words) {
  const std::optional<std::string> value = text(key);
  if (!value || std::find(words.begin(), words.end(), *value) != words.end()) return value;
  const std::string_view meant = nearest(*value, words);
  wrong(key, fmt::format("is '{}'", value->substr(0, 60)),
        meant.empty() ? "give " + one_of(words) : fmt::format("did you mean '{}'?", meant));
  return std::nullopt;
}

void TableReader::require(std::string_view key, std::string_view why) {
  if (any(key)) return;
  problems_.add(position_of(table_), fmt::format("{} is missing", label(key)), std::string(why));
}

void TableReader::refuse_unknown() {
  for (const auto& [key, node] : table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    const std::string_view meant = nearest(key.str(), known_);
    std::string what = fmt::format("unknown key '{}'", key.str());
    if (!name_.empty()) what += " in " + name_;
    problems_.add(position_of(key.source()), std::move(what),
                  meant.empty() ? "known keys: " + one_of(known_) : fmt::format("did you mean '{}'?", meant));
  }
}

}  // namespace kernelgate::manifest
