// SPDX-License-Identifier: Apache-2.0
// A bundle as a file, and as the text inside one: what libFuzzer changes in a packed file seldom gets past its
// checksum.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <string>

#include "commands/bundle/replay.hpp"
#include "platform/files/descriptor.hpp"
#include "tests/fuzz/fuzzers.hpp"

namespace kernelgate::fuzz {
namespace {

bool replays(std::string_view file) {
  const Descriptor memory(memfd_create("bundle", MFD_CLOEXEC));
  require(write(memory.get(), file.data(), file.size()) == static_cast<ssize_t>(file.size()), "memory takes the file");
  const auto replay = bundle::replay_file("/proc/self/fd/" + std::to_string(memory.get()), "kernelgate");
  if (!replay) {
    require(!replay.error().what.empty(), "an error says what is wrong");
    return false;
  }
  require(bundle::exit_code(*replay) >= 0, "what was replayed has an exit code");
  return true;
}

std::string packed(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1);
  require(ZSTD_isError(size) == 0, "zstd packs any text");
  out.resize(size);
  return out;
}

}  // namespace

bool bundle(std::string_view input) {
  const bool as_file = replays(input);
  return replays(packed(input)) || as_file;
}

}  // namespace kernelgate::fuzz
