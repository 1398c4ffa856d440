// SPDX-License-Identifier: Apache-2.0
#include "core/units/hmac.hpp"

#include "core/units/digest.hpp"

namespace kernelgate {
namespace {

constexpr std::size_t kBlock = 64;

std::string from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 2) out += static_cast<char>(digit(hex[at]) << 4 | digit(hex[at + 1]));
  return out;
}

std::string padded(std::string key, char pad) {
  key.resize(kBlock, '\0');
  for (char& c : key) c = static_cast<char>(c ^ pad);
  return key;
}

}  // namespace

std::string hmac_sha256_hex(std::string_view key, std::string_view bytes) {
  const std::string block = key.size() > kBlock ? from_hex(sha256_hex(key)) : std::string(key);
  const std::string inner = Sha256().raw(padded(block, 0x36)).raw(bytes).hex();
  return Sha256().raw(padded(block, 0x5c)).raw(from_hex(inner)).hex();
}

}  // namespace kernelgate
