// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "core/decision/decide.hpp"

namespace kernelgate {

namespace {

// FNV-1a over the name, then the finaliser of splitmix64.
std::uint64_t drawn(std::uint64_t seed, const std::string& suite, int round, int number) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (char c : suite) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  for (int part : {round, number}) {
    hash += 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(part) + 1);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
  }
  return hash;
}

}  // namespace

// Each pair by itself: whatever is periodic or moves in blocks then adds noise of independent signs, which the spread
// of the pairs shows, and no shift.
Side first_side(std::uint64_t seed, const std::string& suite, int round, int pair) {
  return (drawn(seed, suite, round, pair) & 1u) != 0 ? Side::head : Side::base;
}

}  // namespace kernelgate
