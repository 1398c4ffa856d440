// SPDX-License-Identifier: Apache-2.0
#include "core/stats/pair_sums.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace kernelgate::stats {
namespace {

// Row i of the matrix is ascending in j, and columns are ascending in i. The candidates of row i
// are [low, high).
class Selection {
 public:
  explicit Selection(std::span<const double> a) : a_(a), low_(a.size()), high_(a.size(), a.size()) {
    std::iota(low_.begin(), low_.end(), std::size_t{0});
  }

  double kth(std::int64_t k) {
    const auto few = static_cast<std::int64_t>(4 * a_.size() + 64);
    std::vector<std::size_t> cut(a_.size());
    for (std::int64_t before = remaining(); before > few;) {
      const auto [low, high] = bracket(k, before);
      if (keep(low, k, cut) && keep_up_to(high, k, cut) && low == high) return low;
      // Ties may keep a bracket from narrowing; a single value always does.
      if (2 * remaining() > before) {
        const double pivot = draw(ends());
        if (keep(pivot, k, cut) && keep_up_to(pivot, k, cut)) return pivot;
      }
      before = remaining();
    }
    std::vector<double> left;
    left.reserve(static_cast<std::size_t>(remaining()));
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t j = low_[i]; j < high_[i]; ++j) left.push_back(a_[i] + a_[j]);
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

  // Keeps the candidates from `pivot` on, or those below it where the k-th is among them; then false.
  bool keep(double pivot, std::int64_t& k, std::vector<std::size_t>& below) {
    cut(pivot, false, below);
    const std::int64_t count_below = count(low_, below);
    if (k < count_below) {
      high_.swap(below);
      return false;
    }
    k -= count_below;
    low_.swap(below);
    return true;
  }

  // Keeps the candidates up to `pivot`, or those above it where the k-th is among them; then false.
  bool keep_up_to(double pivot, std::int64_t& k, std::vector<std::size_t>& up_to) {
    cut(pivot, true, up_to);
    const std::int64_t count_up_to = count(low_, up_to);
    if (k < count_up_to) {
      high_.swap(up_to);
      return true;
    }
    k -= count_up_to;
    low_.swap(up_to);
    return false;
  }

  // Two values that the k-th candidate most likely lies between, from a sample of them (Floyd and Rivest 1975).
  std::pair<double, double> bracket(std::int64_t k, std::int64_t candidates) {
    constexpr std::size_t kSample = 144, kMargin = 12;  // twice the binomial's sd
    const std::vector<std::int64_t> rows = ends();
    std::array<double, kSample> sample;
    for (double& value : sample) value = draw(rows);
    std::sort(sample.begin(), sample.end());
    const auto at = static_cast<std::size_t>(static_cast<double>(k) / static_cast<double>(candidates) * kSample);
    return {sample[at > kMargin ? at - kMargin : 0], sample[std::min(at + kMargin, kSample - 1)]};
  }

  // Of each row, the number of candidates in it and the rows before it.
  [[nodiscard]] std::vector<std::int64_t> ends() const {
    std::vector<std::int64_t> out(a_.size());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = sum += static_cast<std::int64_t>(high_[i] - low_[i]);
    return out;
  }

  // A candidate, uniformly: fixed seed, and the answer does not depend on the draws.
  double draw(const std::vector<std::int64_t>& row_ends) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    const auto at = static_cast<std::int64_t>(state_ % static_cast<std::uint64_t>(row_ends.back()));
    const auto row =
        static_cast<std::size_t>(std::upper_bound(row_ends.begin(), row_ends.end(), at) - row_ends.begin());
    return a_[row] + a_[high_[row] - static_cast<std::size_t>(row_ends[row] - at)];
  }

  // Per row, the first column whose sum is not below the pivot (or, with `equal`, above it), kept
  // inside the candidates. Walks the staircase once.
  void cut(double pivot, bool equal, std::vector<std::size_t>& out) const {
    std::size_t j = a_.size();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      while (j > 0 && (equal ? a_[i] + a_[j - 1] > pivot : a_[i] + a_[j - 1] >= pivot)) --j;
      out[i] = std::clamp(j, low_[i], high_[i]);
    }
  }

  std::span<const double> a_;
  std::vector<std::size_t> low_, high_;
  std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

}  // namespace

std::int64_t pair_sum_count(std::size_t size) {
  const auto n = static_cast<std::int64_t>(size);
  return n * (n + 1) / 2;
}

double kth_pair_sum(std::span<const double> ascending, std::int64_t k) {
  assert(!ascending.empty() && k >= 0 && k < pair_sum_count(ascending.size()));
  return Selection(ascending).kth(k);
}

}  // namespace kernelgate::stats
