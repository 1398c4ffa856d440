// SPDX-License-Identifier: Apache-2.0
#include "core/manifest/problems.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>

namespace kernelgate::manifest {
namespace {

// Levenshtein: letters to insert, delete or change.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

void Problems::add(Position at, std::string what, std::string fix) {
  const auto said = [&](const Item& item) {
    return item.at.line == at.line && item.at.column == at.column && item.what == what;
  };
  if (std::any_of(items_.begin(), items_.end(), said)) return;
  items_.push_back({at, std::move(what), std::move(fix)});
}

std::string Problems::where(const Item& item) const {
  return origin_ + ":" + std::to_string(item.at.line) + ":" + std::to_string(item.at.column);
}

Error Problems::to_error() const {
  std::vector<Item> sorted = items_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Item& a, const Item& b) {
    return std::tie(a.at.line, a.at.column) < std::tie(b.at.line, b.at.column);
  });
  Error first{Errc::invalid, sorted[0].what, where(sorted[0]), sorted[0].fix};
  if (sorted.size() == 1) return first;
  first.what += " (" + first.fix + ")";
  first.fix.clear();
  for (std::size_t i = 1; i < sorted.size(); ++i)
    first.what += "\n" + to_string(Error{Errc::invalid, sorted[i].what, where(sorted[i]), sorted[i].fix});
  return first;
}

std::string_view nearest(std::string_view word, std::span<const std::string> known) {
  if (word.size() > 64) return {};
  std::string_view best;
  std::size_t best_distance = 1 + std::max<std::size_t>(word.size() < 4 ? 1 : 2, word.size() / 3);
  for (const std::string& candidate : known) {
    const std::size_t letters = distance(word, candidate);
    if (letters < best_distance) {
      best = candidate;
      best_distance = letters;
    }
  }
  return best;
}

std::string one_of(std::span<const std::string> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += "'" + words[i] + "'";
  }
  return out;
}

}  // namespace kernelgate::manifest
