// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/attention.hpp"

namespace kernels::attention {

const char* shape_refusal(const Shape& shape) {
  if (shape.batch < 1 || shape.heads < 1 || shape.key_heads < 1) return "batch and heads are at least 1";
  if (shape.heads % shape.key_heads != 0) return "heads are a multiple of the heads of keys";
  if (shape.queries < 1 || shape.keys < 0) return "there is at least one query, and no negative number of keys";
  if (shape.depth < 1) return "a head has at least one column";
  return nullptr;
}

double flops_of(const Shape& shape) {
  double pairs = 0;
  if (shape.causal) {
    for (int row = 0; row < shape.queries; ++row) pairs += shape.seen(row);
  } else {
    pairs = static_cast<double>(shape.queries) * shape.keys;
  }
  return 4.0 * shape.batch * shape.heads * shape.depth * pairs;
}

std::string to_string(const Shape& shape) {
  std::string text = std::to_string(shape.batch);
  text.append("x").append(std::to_string(shape.heads));
  if (shape.key_heads != shape.heads) text.append(":").append(std::to_string(shape.key_heads));
  text.append("x").append(std::to_string(shape.queries));
  if (shape.keys != shape.queries) text.append(":").append(std::to_string(shape.keys));
  text.append("x").append(std::to_string(shape.depth));
  if (shape.causal) text.append("/causal");
  if (shape.causal && shape.diagonal != 0) text.append(std::to_string(shape.diagonal));
  return text;
}

}  // namespace kernels::attention
