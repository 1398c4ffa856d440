// SPDX-License-Identifier: Apache-2.0
#include "core/stats/pair_sums.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace kernelgate::stats {
namespace {

// Row i of the matrix is ascending in j, and columns are ascending in i. The candidates of row i
// are [low, high).
class Selection {
 public:
  Selection(std::span<const double> a, std::span<const double> b, Cells cells)
      : a_(a), b_(b), upper_(cells == Cells::upper), low_(a.size()), high_(a.size(), b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) low_[i] = upper_ ? i : 0;
  }

  double kth(std::int64_t k) {
    const auto few = static_cast<std::int64_t>(4 * a_.size() + 64);
    std::vector<std::size_t> below(a_.size()), up_to(a_.size());
    while (remaining() > few) {
      const double pivot = draw();
      cut(pivot, false, below);
      cut(pivot, true, up_to);
      if (k < count(low_, below)) {
        high_.swap(below);
      } else if (k < count(low_, up_to)) {
        return pivot;
      } else {
        k -= count(low_, up_to);
        low_.swap(up_to);
      }
    }
    std::vector<double> left;
    left.reserve(static_cast<std::size_t>(remaining()));
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = low_[i]; j < high_[i]; ++j) left.push_back(a_[i] + b_[j]);
    const auto at = left.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(left.begin(), at, left.end());
    return *at;
  }

 private:
  static std::int64_t count(const std::vector<std::size_t>& low, const std::vector<std::size_t>& high) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < low.size(); ++i) sum += static_cast<std::int64_t>(high[i] - low[i]);
    return sum;
  }
  [[nodiscard]] std::int64_t remaining() const { return count(low_, high_); }

  // A candidate, uniformly: fixed seed, and the answer does not depend on the draws.
  double draw() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    auto at = static_cast<std::size_t>(state_ % static_cast<std::uint64_t>(remaining()));
    std::size_t row = 0;
    while (at >= high_[row] - low_[row]) at -= high_[row] - low_[row], ++row;
    return a_[row] + b_[low_[row] + at];
  }

  // Per row, the first column whose sum is not below the pivot (or, with `equal`, above it), kept
  // inside the candidates. Walks the staircase once.
  void cut(double pivot, bool equal, std::vector<std::size_t>& out) const {
    std::size_t j = b_.size();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      while (j > 0 && (equal ? a_[i] + b_[j - 1] > pivot : a_[i] + b_[j - 1] >= pivot)) --j;
      out[i] = std::clamp(j, low_[i], high_[i]);
    }
  }

  std::span<const double> a_, b_;
  bool upper_;
  std::vector<std::size_t> low_, high_;
  std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

}  // namespace

std::int64_t cell_count(std::size_t rows, std::size_t columns, Cells cells) {
  const auto m = static_cast<std::int64_t>(rows), n = static_cast<std::int64_t>(columns);
  return cells == Cells::all ? m * n : n * (n + 1) / 2;
}

double kth_pair_sum(std::span<const double> a, std::span<const double> b, std::int64_t k, Cells cells) {
  assert(!a.empty() && !b.empty() && k >= 0 && k < cell_count(a.size(), b.size(), cells));
  assert(cells == Cells::all || a.size() == b.size());
  return Selection(a, b, cells).kth(k);
}

}  // namespace kernelgate::stats
