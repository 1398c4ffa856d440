// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernels::attention {
namespace {

constexpr double kSmallestFp16 = 0x1p-25;  // half of it
constexpr double kExponentError = 1e-5;    // of exp2 in fp32, at exponents of some hundred

std::int64_t at(const Strides& strides, int batch, int head, int row) {
  return batch * strides.batch + head * strides.head + row * strides.row;
}

// One row of queries against the keys it sees.
struct Row {
  std::vector<double> weight;
  double sum = 0, logit_error = 0;
};

Row weights(const Shape& shape, double scale, const float* query, const float* keys, std::int64_t key_stride,
            const std::vector<int>& seen) {
  Row row;
  row.weight.reserve(seen.size());
  double highest = -INFINITY, largest = 0;
  for (const int key : seen) {
    const float* other = keys + key * key_stride;
    double sum = 0, magnitude = 0;
    for (int i = 0; i < shape.depth; ++i) {
      const double term = static_cast<double>(query[i]) * other[i];
      sum += term;
      magnitude += std::fabs(term);
    }
    row.weight.push_back(scale * sum);
    highest = std::max(highest, row.weight.back());
    largest = std::max(largest, scale * magnitude);
  }
  for (double& weight : row.weight) row.sum += weight = std::exp(weight - highest);
  // Steps of 16 products, each cut where the largest term ends in fp32.
  row.logit_error = largest * (shape.depth / 16.0 + 1) * 17 * 0x1p-24 + kExponentError;
  return row;
}

// The rows of one problem, or of one of packed sequences: where its first rows lie.
struct Rows {
  DataType type;
  const Shape& shape;
  float scale;
  const HostOperands& operands;
  std::int64_t q = 0, k = 0, v = 0, o = 0;

  // Adds one row of the output, from the keys it sees.
  void add(int batch, int head, int query, const std::vector<int>& seen, Expected& expected) const {
    if (seen.empty()) return;
    const int key_head = head / (shape.heads / shape.key_heads);
    const Row row =
        weights(shape, scale, operands.q.data() + q + at(operands.q_strides, batch, head, query),
                operands.k.data() + k + at(operands.k_strides, batch, key_head, 0), operands.k_strides.row, seen);
    const double below = type == DataType::fp16 ? kSmallestFp16 : 0;
    const std::int64_t out = o + at(operands.o_strides, batch, head, query);
    for (int i = 0; i < shape.depth; ++i) {
      const float* value = operands.v.data() + v + at(operands.v_strides, batch, key_head, 0) + i;
      double sum = 0, magnitude = 0, plain = 0;
      for (std::size_t key = 0; key < seen.size(); ++key) {
        const double one = value[seen[key] * operands.v_strides.row];
        sum += row.weight[key] * one;
        magnitude += row.weight[key] * std::fabs(one);
        plain += std::fabs(one);
      }
      expected.value[out + i] = sum / row.sum;
      expected.magnitude[out + i] =
          (std::fabs(sum) + magnitude) / row.sum +
          (2 * row.logit_error * magnitude / row.sum + below * (1 + plain / row.sum)) / bound_of(type);
    }
  }

  // `keys_of(batch, head, query)` has the keys that a row sees but for the mask.
  template <class KeysOf>
  void add_all(const KeysOf& keys_of, Expected& expected) const {
    for (int batch = 0; batch < shape.batch; ++batch)
      for (int head = 0; head < shape.heads; ++head)
        for (int query = 0; query < shape.queries; ++query)
          add(batch, head, query, keys_of(batch, head, query), expected);
  }
};

std::vector<int> first_keys(int count) {
  std::vector<int> keys(static_cast<std::size_t>(count));
  std::iota(keys.begin(), keys.end(), 0);
  return keys;
}

}  // namespace

Expected reference(DataType type, const Shape& shape, float scale, const HostOperands& operands) {
  Expected expected{std::vector<double>(shape.query_count()), std::vector<double>(shape.query_count())};
  Rows{type, shape, scale, operands}.add_all([&](int, int, int query) { return first_keys(shape.seen(query)); },
                                             expected);
  return expected;
}

Expected packed_reference(DataType type, const Shape& shape, float scale, const HostOperands& operands,
                          const HostOffsets& offsets) {
  Shape together = shape;
  together.batch = 1;
  Expected expected{std::vector<double>(together.query_count()), std::vector<double>(together.query_count())};
  for (int i = 0; i < shape.batch; ++i) {
    const Shape one = offsets.sequence(shape, i);
    const std::int64_t query = offsets.queries[i], key = offsets.keys[i];
    const Rows rows{type,
                    one,
                    scale,
                    operands,
                    query * operands.q_strides.row,
                    key * operands.k_strides.row,
                    key * operands.v_strides.row,
                    query * operands.o_strides.row};
    rows.add_all([&](int, int, int row) { return first_keys(one.seen(row)); }, expected);
  }
  return expected;
}

Expected sparse_reference(DataType type, const Shape& shape, float scale, const HostOperands& operands,
                          const HostPattern& pattern) {
  Expected expected{std::vector<double>(shape.query_count()), std::vector<double>(shape.query_count())};
  const int columns = pattern.kind.columns;
  const auto keys_of = [&](int batch, int head, int query) {
    std::vector<int> keys;
    for (const int block : pattern.seen_by(shape, batch, head, query))
      for (int key = block * columns; key < std::min((block + 1) * columns, shape.seen(query)); ++key)
        keys.push_back(key);
    return keys;
  };
  Rows{type, shape, scale, operands}.add_all(keys_of, expected);
  return expected;
}

}  // namespace kernels::attention
