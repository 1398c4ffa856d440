// SPDX-License-Identifier: Apache-2.0
#pragma once

// A tagged wrapper: RunId{7} == JobId{7} does not compile. No arithmetic; use .value for that.

#include <compare>
#include <cstdint>
#include <functional>

namespace kernelgate {

template <class Tag, class T>
struct Strong {
  T value{};
  constexpr auto operator<=>(const Strong&) const = default;
};

using Bytes = Strong<struct BytesTag, std::uint64_t>;
using RepositoryId = Strong<struct RepositoryTag, std::int64_t>;
using CommitId = Strong<struct CommitTag, std::int64_t>;
using RunId = Strong<struct RunTag, std::int64_t>;
using TestbedId = Strong<struct TestbedTag, std::int64_t>;
using EpochId = Strong<struct EpochTag, std::int64_t>;
using BaselineId = Strong<struct BaselineTag, std::int64_t>;
using TokenId = Strong<struct TokenTag, std::int64_t>;

}  // namespace kernelgate

template <class Tag, class T>
struct std::hash<kernelgate::Strong<Tag, T>> {
  std::size_t operator()(const kernelgate::Strong<Tag, T>& strong) const { return std::hash<T>{}(strong.value); }
};
