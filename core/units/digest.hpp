// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-256 (FIPS 180-4) as lower-case hex, and random identifiers. Pure but for the system's random source.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kernelgate {

[[nodiscard]] std::string to_hex(std::string_view bytes);

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

// Feeds several pieces; each `field` is length-prefixed, so ("ab","c") and ("a","bc") differ.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  Sha256& raw(std::string_view bytes);
  Sha256& field(std::string_view bytes);
  // Either ends the digest; call one, once.
  [[nodiscard]] std::string bytes();
  [[nodiscard]] std::string hex() { return to_hex(bytes()); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// `bytes` random bytes from the system, as hex. Throws std::runtime_error if there is no random source.
[[nodiscard]] std::string random_hex(std::size_t bytes);

}  // namespace kernelgate
