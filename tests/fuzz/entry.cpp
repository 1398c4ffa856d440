// SPDX-License-Identifier: Apache-2.0
// What libFuzzer calls, made once for each fuzzer: KG_FUZZER is its function.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kernelgate::fuzz {
bool KG_FUZZER(std::string_view input);
}

// The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)kernelgate::fuzz::KG_FUZZER({reinterpret_cast<const char*>(data), size});
  return 0;
}
