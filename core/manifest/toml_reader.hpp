// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads one TOML table key by key and notes every problem with its place; a value that is wrong
// leaves `out` as it was. For .cpp files that read a TOML file: it brings in toml++. Lives no longer
// than the table and the Problems it was given.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest/problems.hpp"

namespace kernelgate::manifest {

// toml++ asserts what a file may well break ("[}]" does): here it throws then, as it does for its other refusals.
[[noreturn]] void broken_assertion();

}  // namespace kernelgate::manifest

#ifdef NDEBUG
#error "Without its assertions toml++ 3.3 reads on where a file is malformed: build without NDEBUG"
#endif
#define TOML_ASSERT(expression) ((expression) ? void() : ::kernelgate::manifest::broken_assertion())
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 0  // compiled once, in toml_reader.cpp
#include <toml++/toml.h>

namespace kernelgate::manifest {

// The text's table; nothing where it is not TOML, which is then noted.
[[nodiscard]] std::optional<toml::table> parse_toml(std::string_view text, Problems& problems);

[[nodiscard]] Position position_of(const toml::node& node);
[[nodiscard]] std::string_view type_name(const toml::node& node);

class TableReader {
 public:
  // `name` as a person would write it: "[build]", "[[suite]]"; empty for the top level.
  TableReader(const toml::table& table, std::string name, Problems& problems)
      : table_(table), name_(std::move(name)), problems_(problems) {}

  // Any of these makes the key known. A pointer is null where the key is absent or of another type
  // (then noted).
  const toml::node* any(std::string_view key);
  const toml::table* table(std::string_view key);
  const toml::array* array(std::string_view key);
  // The tables of [[key]].
  std::vector<const toml::table*> tables(std::string_view key);

  std::optional<std::string> text(std::string_view key);
  std::optional<bool> flag(std::string_view key);
  std::optional<double> number(std::string_view key, double least, double most);
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
  std::vector<std::string> texts(std::string_view key);
  // One of `words`; nothing where absent or unknown.
  std::optional<std::string> word(std::string_view key, const std::vector<std::string>& words);

  void require(std::string_view key, std::string_view why);
  // Notes a problem with the value of `key`, or with the table if the key is absent.
  void wrong(std::string_view key, std::string what, std::string fix);
  // Notes every key that nobody asked for. Call last.
  void refuse_unknown();

  [[nodiscard]] Position at(std::string_view key) const;
  [[nodiscard]] std::string label(std::string_view key) const;
  [[nodiscard]] Problems& problems() { return problems_; }

 private:
  void wrong_type(std::string_view key, const toml::node& node, std::string_view wanted);

  const toml::table& table_;
  std::string name_;
  Problems& problems_;
  std::vector<std::string> known_;
};

}  // namespace kernelgate::manifest
