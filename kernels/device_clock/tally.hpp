// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the device did in one process, by kernel and launch shape: counts, totals and some of the durations, in the
// order in which they ran. Memory and text are bounded whatever the program does. Knows nothing of CUPTI; not for
// sharing between threads.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kernels::device_clock {

inline constexpr std::size_t kWorkMax = 256;   // different kernels and shapes; of more only the number is said
inline constexpr std::size_t kKept = 2048;     // durations of each: the mean of so many knows 0.1 % of a spread of 4 %
inline constexpr std::size_t kNameMax = 4096;  // bytes of a demangled name; Thrust and CUB reach some thousands
inline constexpr std::size_t kMangledMax = 1u << 14;  // a longer name is not demangled

enum class Work { kernel, copy, fill };

struct Launch {
  Work work = Work::kernel;
  std::string_view name;               // mangled; of a copy its direction
  std::array<std::int64_t, 3> grid{};  // of a copy or fill: bytes, 0, 0
  std::array<std::int64_t, 3> block{};
  bool in_graph = false;
  std::uint64_t start_ns = 0, end_ns = 0;
};

class Tally {
 public:
  void add(const Launch& launch);
  void lose(std::uint64_t records) { lost_ += records; }
  [[nodiscard]] std::uint64_t launches() const { return launches_; }
  // The file's text; docs/GPU_RUNNER.md has its format. `ended`: nothing more will come.
  [[nodiscard]] std::string text(std::uint32_t cupti_version, bool ended) const;

 private:
  struct Entry {
    Work work = Work::kernel;
    std::string name;
    std::array<std::int64_t, 3> grid{}, block{};
    std::uint64_t launches = 0, in_graphs = 0, total_ns = 0;
    std::uint64_t stride = 1;           // every so many launches one duration is kept
    std::vector<std::uint64_t> kept{};  // up to kKept; then every second one goes and the stride doubles
  };
  void keep(Entry& entry, std::uint64_t duration_ns);

  std::unordered_map<std::string, std::size_t> places_;  // by name, shape and kind
  std::vector<Entry> entries_;
  std::uint64_t launches_ = 0, lost_ = 0;
};

// The text of a file that says why there is nothing in it.
[[nodiscard]] std::string refusal_text(std::string_view reason);

// One line of printable text, kNameMax bytes at most.
[[nodiscard]] std::string plain_name(std::string_view name);

}  // namespace kernels::device_clock
