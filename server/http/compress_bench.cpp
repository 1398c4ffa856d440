// SPDX-License-Identifier: Apache-2.0
// What compressing an answer costs and saves: 10,000 points of a history as JSON, 2 MB.
#include <benchmark/benchmark.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kernelgate::http {
namespace {

// Figures and hashes that do not repeat, as those of a real history.
std::string history() {
  std::uint64_t state = 7;
  const auto next = [&state] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "{\"points\":[";
  for (int i = 0; i < 10000; ++i) {
    std::string commit(40, '0');
    for (char& c : commit) c = kHex[next() >> 60];
    out += "{\"anchor_ratio\":" + std::to_string(1 + static_cast<double>(next() >> 40) * 1e-9);
    out += ",\"commit\":\"" + commit + "\",\"finished_at\":\"2026-11-21T20:30:00.123Z\",\"median_ns\":" +
           std::to_string(50000 + static_cast<double>(next() >> 40) * 1e-4) +
           ",\"processes\":8,\"run\":" + std::to_string(i) +
           ",\"spread_ns\":" + std::to_string(static_cast<double>(next() >> 40) * 1e-5) +
           ",\"verdict\":\"unchanged\"},";
  }
  return out + "{}]}";
}

void report(benchmark::State& state, std::size_t before, std::size_t after) {
  state.counters["bytes"] = static_cast<double>(before);
  state.counters["packed"] = static_cast<double>(after);
}

void BM_Gzip(benchmark::State& state) {
  const std::string text = history();
  std::vector<Bytef> out(compressBound(text.size()));
  uLongf size = 0;
  for (auto _ : state) {
    size = out.size();
    compress2(out.data(), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(),
              static_cast<int>(state.range(0)));
  }
  report(state, text.size(), size);
}
BENCHMARK(BM_Gzip)->Arg(1)->Arg(3)->Arg(6)->Arg(9)->Unit(benchmark::kMillisecond);

void BM_Zstd(benchmark::State& state) {
  const std::string text = history();
  std::vector<char> out(ZSTD_compressBound(text.size()));
  std::size_t size = 0;
  for (auto _ : state)
    size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), static_cast<int>(state.range(0)));
  report(state, text.size(), size);
}
BENCHMARK(BM_Zstd)->Arg(1)->Arg(3)->Arg(9)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kernelgate::http
