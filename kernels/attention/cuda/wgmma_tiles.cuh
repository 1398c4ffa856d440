// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tiles of each layout: which queries and keys they are, where these lie, and how the loading thread finds them and
// tells the warpgroups that multiply. Keys come in blocks of the tile's columns; a tile's blocks are counted from 0,
// and where block i begins is `column(given, i)`. Device code.

#include "kernels/attention/cuda/mask.cuh"
#include "kernels/attention/cuda/wgmma_kernels.hpp"
#include "kernels/hopper/copies.cuh"

namespace kernels::attention {

// Eight words in shared memory for a tile.
struct TileWords {
  static constexpr int kCount = 8;
  static constexpr int kEnd = -1;  // in the first: there are no more tiles
  int word[kCount];

  __device__ __forceinline__ void write(std::uint32_t slot) const {
    asm volatile("st.shared.v4.s32 [%0], {%1, %2, %3, %4};" ::"r"(slot), "r"(word[0]), "r"(word[1]), "r"(word[2]),
                 "r"(word[3])
                 : "memory");
    asm volatile("st.shared.v4.s32 [%0], {%1, %2, %3, %4};" ::"r"(slot + 16), "r"(word[4]), "r"(word[5]), "r"(word[6]),
                 "r"(word[7])
                 : "memory");
  }
  __device__ __forceinline__ void read(std::uint32_t slot) {
    asm volatile("ld.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                 : "r"(slot)
                 : "memory");
    asm volatile("ld.shared.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(word[4]), "=r"(word[5]), "=r"(word[6]), "=r"(word[7])
                 : "r"(slot + 16)
                 : "memory");
  }
};

template <class Shape, Layout = Shape::kLayout>
struct TileOf;

template <class Shape>
struct TileOf<Shape, Layout::dense> {
  int row, inner, outer;  // first row of queries; head; batch

  TileOf() = default;
  __device__ TileOf(const WgmmaArguments& given, int number) {
    const QueryTile found = given.order.at(number);
    row = found.tile * Shape::kRows;
    outer = found.head / given.heads;
    inner = found.head % given.heads;
  }
  // Of the loading thread.
  struct Finder {
    const WgmmaArguments& given;
    __device__ explicit Finder(const WgmmaArguments& arguments) : given(arguments) {}
    __device__ int count() const { return given.order.tiles(); }
    __device__ TileOf at(int number) const { return TileOf(given, number); }
  };
  static __device__ void write(std::uint32_t slot, int number, const TileOf&) {
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(slot), "r"(number) : "memory");
  }
  // False: there are no more.
  __device__ __forceinline__ bool read(const WgmmaArguments& given, std::uint32_t slot) {
    int number;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(number) : "r"(slot) : "memory");
    if (number == TileWords::kEnd) return false;
    *this = TileOf(given, number);
    return true;
  }

  __device__ Mask mask(const WgmmaArguments& given) const { return given.mask; }
  __device__ KeyBlocks blocks(const WgmmaArguments& given) const {
    return {given.mask, row, row + Shape::kRows - 1, Shape::kColumns};
  }
  __device__ KeyBlocks blocks_of(const WgmmaArguments& given, int group) const {
    const int first = row + group * Shape::kGroupRows;
    return {given.mask, first, first + Shape::kGroupRows - 1, Shape::kColumns};
  }
  __device__ int column(const WgmmaArguments&, int block) const { return block * Shape::kColumns; }
  __device__ hopper::PanelsOf queries_at(const WgmmaArguments&, int from) const {
    return {row + from, 0, inner, outer};
  }
  __device__ hopper::PanelsOf keys_at(const WgmmaArguments& given, int column) const {
    return {column, 0, inner / given.heads_per_key_head, outer};
  }
};

// Rows of packed sequences are counted so that the row behind a sequence's last is outside the tensor: packed_map().
template <class Shape>
struct TileOf<Shape, Layout::packed> {
  int row, inner, queries, first_query, keys, first_key;

  struct Finder {
    const WgmmaArguments& given;
    const PackedSequence* now;
    int next_tile, tiles;

    __device__ explicit Finder(const WgmmaArguments& arguments)
        : given(arguments),
          now(arguments.packed.sequences),
          next_tile(now[1].first_tile),
          tiles(now[arguments.packed.count].first_tile * arguments.heads) {}
    __device__ int count() const { return tiles; }
    // Numbers only grow.
    __device__ TileOf at(int number) {
      while (number >= next_tile * given.heads) {
        ++now;
        next_tile = now[1].first_tile;
      }
      const PackedSequence one = *now;
      TileOrder order{given.heads, next_tile - one.first_tile, 1};
      if (given.mask.causal)
        order.heads_per_section =
            min(max(given.packed.section_keys / max(one.keys, 1), 1) * given.heads_per_key_head, given.heads);
      const QueryTile found = order.at(number - one.first_tile * given.heads);
      return {found.tile * Shape::kRows, found.head, one.queries, one.first_query, one.keys, one.first_key};
    }
  };
  static __device__ void write(std::uint32_t slot, int number, const TileOf& tile) {
    TileWords{number == TileWords::kEnd ? TileWords::kEnd : tile.row,
              tile.inner,
              tile.queries,
              tile.first_query,
              tile.keys,
              tile.first_key}
        .write(slot);
  }
  __device__ __forceinline__ bool read(const WgmmaArguments&, std::uint32_t slot) {
    TileWords words;
    words.read(slot);
    *this = {words.word[0], words.word[1], words.word[2], words.word[3], words.word[4], words.word[5]};
    return row != TileWords::kEnd;
  }

  __device__ Mask mask(const WgmmaArguments& given) const {
    return {keys, given.mask.diagonal + keys - queries, given.mask.causal};
  }
  __device__ KeyBlocks blocks(const WgmmaArguments& given) const {
    return {mask(given), row, row + Shape::kRows - 1, Shape::kColumns};
  }
  __device__ KeyBlocks blocks_of(const WgmmaArguments& given, int group) const {
    const int first = row + group * Shape::kGroupRows;
    return {mask(given), first, first + Shape::kGroupRows - 1, Shape::kColumns};
  }
  __device__ int column(const WgmmaArguments&, int block) const { return block * Shape::kColumns; }
  __device__ hopper::PanelsOf queries_at(const WgmmaArguments& given, int from) const {
    return {given.packed.longest_queries - queries + row + from, 0, inner, first_query + queries};
  }
  __device__ hopper::PanelsOf keys_at(const WgmmaArguments& given, int column) const {
    return {given.packed.longest_keys - keys + column, 0, inner / given.heads_per_key_head, first_key + keys};
  }
};

// Of the pattern's blocks the first `count` are seen by some row of the tile, those from `masked` on need the mask;
// both count blocks of the tile's columns.
template <class Shape>
struct TileOf<Shape, Layout::sparse> {
  int row, inner, outer, first, count, masked;

  struct Finder {
    const WgmmaArguments& given;
    __device__ explicit Finder(const WgmmaArguments& arguments) : given(arguments) {}
    __device__ int count() const { return given.order.tiles(); }

    // How many of `listed` ascending blocks begin before `end`.
    __device__ int before(const std::int32_t* blocks, int listed, int end) const {
      int low = 0, high = listed;
      for (int probe = listed - 1; low < high; probe = (low + high) / 2) {  // the last first: it often decides
        if (blocks[probe] < end) {
          low = probe + 1;
        } else {
          high = probe;
        }
      }
      return low;
    }
    __device__ TileOf at(int number) const {
      const TileOf<Shape, Layout::dense> dense(given, number);
      const int at = dense.outer * given.sparse.batch_rows + dense.inner * given.sparse.head_rows +
                     dense.row / given.sparse.block_rows;
      const int first = given.sparse.offsets[at], listed = given.sparse.offsets[at + 1] - first;
      const KeyBlocks seen = dense.blocks(given);  // in blocks of the tile's columns
      const int parts = given.sparse.block_parts;
      const std::int32_t* blocks = given.sparse.blocks + first;
      const int used = before(blocks, listed, (seen.count + parts - 1) / parts);
      return {dense.row, dense.inner,  dense.outer,
              first,     used * parts, before(blocks, used, seen.masked / parts) * parts};
    }
  };
  static __device__ void write(std::uint32_t slot, int number, const TileOf& tile) {
    TileWords{number == TileWords::kEnd ? TileWords::kEnd : tile.row,
              tile.inner,
              tile.outer,
              tile.first,
              tile.count,
              tile.masked}
        .write(slot);
  }
  __device__ __forceinline__ bool read(const WgmmaArguments&, std::uint32_t slot) {
    TileWords words;
    words.read(slot);
    *this = {words.word[0], words.word[1], words.word[2], words.word[3], words.word[4], words.word[5]};
    return row != TileWords::kEnd;
  }

  __device__ Mask mask(const WgmmaArguments& given) const { return given.mask; }
  // One block at least, of which no key is seen.
  __device__ KeyBlocks blocks(const WgmmaArguments&) const { return {max(count, 1), masked}; }
  __device__ KeyBlocks blocks_of(const WgmmaArguments& given, int) const { return blocks(given); }
  __device__ int column(const WgmmaArguments& given, int block) const {
    if (block >= count) return given.mask.keys;
    const int parts = given.sparse.block_parts;
    return (given.sparse.blocks[first + block / parts] * parts + block % parts) * Shape::kColumns;
  }
  __device__ hopper::PanelsOf queries_at(const WgmmaArguments&, int from) const {
    return {row + from, 0, inner, outer};
  }
  __device__ hopper::PanelsOf keys_at(const WgmmaArguments& given, int column) const {
    return {column, 0, inner / given.heads_per_key_head, outer};
  }
};

}  // namespace kernels::attention
