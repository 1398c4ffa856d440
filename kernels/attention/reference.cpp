// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/reference.hpp"

#include <algorithm>
#include <cmath>

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

Row weights(const Shape& shape, double scale, const float* query, std::span<const float> keys, const Strides& strides,
            std::int64_t first, int seen) {
  Row row;
  row.weight.resize(seen);
  double highest = -INFINITY, largest = 0;
  for (int key = 0; key < seen; ++key) {
    const float* other = keys.data() + first + key * strides.row;
    double sum = 0, magnitude = 0;
    for (int i = 0; i < shape.depth; ++i) {
      const double term = static_cast<double>(query[i]) * other[i];
      sum += term;
      magnitude += std::fabs(term);
    }
    row.weight[key] = scale * sum;
    highest = std::max(highest, row.weight[key]);
    largest = std::max(largest, scale * magnitude);
  }
  for (double& weight : row.weight) row.sum += weight = std::exp(weight - highest);
  // Steps of 16 products, each cut where the largest term ends in fp32.
  row.logit_error = largest * (shape.depth / 16.0 + 1) * 17 * 0x1p-24 + kExponentError;
  return row;
}

}  // namespace

Expected reference(DataType type, const Shape& shape, float scale, const HostOperands& operands) {
  const std::size_t count = shape.query_count();
  Expected expected{std::vector<double>(count), std::vector<double>(count)};
  const double below = type == DataType::fp16 ? kSmallestFp16 : 0;
  for (int batch = 0; batch < shape.batch; ++batch)
    for (int head = 0; head < shape.heads; ++head)
      for (int query = 0; query < shape.queries; ++query) {
        const int key_head = head / (shape.heads / shape.key_heads), seen = shape.seen(query);
        const Row row = weights(shape, scale, operands.q.data() + at(operands.q_strides, batch, head, query),
                                operands.k, operands.k_strides, at(operands.k_strides, batch, key_head, 0), seen);
        const std::int64_t out = at(operands.o_strides, batch, head, query);
        for (int i = 0; i < shape.depth && seen > 0; ++i) {
          const float* value = operands.v.data() + at(operands.v_strides, batch, key_head, 0) + i;
          double sum = 0, magnitude = 0, plain = 0;
          for (int key = 0; key < seen; ++key) {
            const double one = value[key * operands.v_strides.row];
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
  return expected;
}

}  // namespace kernels::attention
