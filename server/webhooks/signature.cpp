// SPDX-License-Identifier: Apache-2.0
#include "server/webhooks/signature.hpp"

#include <openssl/crypto.h>

#include "core/units/hmac.hpp"

namespace kernelgate::webhooks {

std::string signature_of(std::string_view secret, std::string_view body) {
  return "sha256=" + hmac_sha256_hex(secret, body);
}

bool is_signed(std::string_view secret, std::string_view body, std::string_view signature) {
  if (secret.empty()) return false;
  const std::string want = signature_of(secret, body);
  return want.size() == signature.size() && CRYPTO_memcmp(want.data(), signature.data(), want.size()) == 0;
}

bool is_signature(std::string_view text) {
  constexpr std::string_view kStart = "sha256=";
  return text.size() == kStart.size() + 64 && text.starts_with(kStart) &&
         text.find_first_not_of("0123456789abcdef", kStart.size()) == text.npos;
}

}  // namespace kernelgate::webhooks
