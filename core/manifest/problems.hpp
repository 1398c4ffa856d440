// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is wrong with a manifest, gathered so that one reading names all of it. Private to
// core/manifest.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units/result.hpp"

namespace kernelgate::manifest {

struct Position {
  unsigned line = 1;
  unsigned column = 1;
};

class Problems {
 public:
  explicit Problems(std::string origin) : origin_(std::move(origin)) {}
  // Saying the same of the same place twice counts once.
  void add(Position at, std::string what, std::string fix);
  [[nodiscard]] bool empty() const { return items_.empty(); }
  // All of them in the order of the text: the first fills the Error, each other one is a line of
  // `what`.
  [[nodiscard]] Error to_error() const;

 private:
  struct Item {
    Position at;
    std::string what;
    std::string fix;
  };
  [[nodiscard]] std::string where(const Item& item) const;

  std::string origin_;
  std::vector<Item> items_;
};

// The known word nearest to `word`, or empty if none is near enough to be meant.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string> known);

// "'a', 'b' or 'c'"
[[nodiscard]] std::string one_of(std::span<const std::string> words);

}  // namespace kernelgate::manifest
