// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled forms of the wgmma attention kernel and what each is given. Only wgmma.cpp launches them.

#include <cuda.h>

#include <span>

#include "kernels/attention/attention.hpp"
#include "kernels/attention/cuda/layout_arguments.hpp"
#include "kernels/attention/cuda/mask.hpp"
#include "kernels/attention/cuda/tile_order.hpp"

namespace kernels::attention {

struct WgmmaArguments {
  CUtensorMap q, k, v, o;  // as (batch) x (head) x panels x rows x (columns of a panel)
  TileOrder order;
  Mask mask;
  int heads, heads_per_key_head;
  float scale_log2;   // of the products, before exp2
  unsigned* counter;  // tiles handed out and blocks that have ended; null: tiles are handed out in turn
  PackedArguments packed;
  SparseArguments sparse;
};

struct WgmmaForm {
  Layout layout;
  int depth, rows, columns;  // of a head; of a tile: queries and keys
  int threads, blocks_per_multiprocessor;
  void (*kernel)(WgmmaArguments);
  int shared_bytes;
};

// The same forms for both types.
[[nodiscard]] std::span<const WgmmaForm> dense_forms_fp16();
[[nodiscard]] std::span<const WgmmaForm> dense_forms_bf16();
[[nodiscard]] std::span<const WgmmaForm> packed_forms_fp16();
[[nodiscard]] std::span<const WgmmaForm> packed_forms_bf16();
[[nodiscard]] std::span<const WgmmaForm> sparse_forms_fp16();
[[nodiscard]] std::span<const WgmmaForm> sparse_forms_bf16();

}  // namespace kernels::attention
