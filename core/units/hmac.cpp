// SPDX-License-Identifier: Apache-2.0
#include "core/units/hmac.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

#include "core/units/digest.hpp"

namespace kernelgate {

std::string hmac_sha256_hex(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned int length = 0;
  if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data(), &length))
    throw std::runtime_error("OpenSSL offers no HMAC-SHA-256");
  return to_hex(std::string_view(reinterpret_cast<const char*>(out.data()), length));
}

}  // namespace kernelgate
