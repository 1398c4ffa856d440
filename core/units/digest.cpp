// SPDX-License-Identifier: Apache-2.0
#include "core/units/digest.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <stdexcept>

namespace kernelgate {
std::string to_hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (!state_->context || EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL offers no SHA-256");
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::raw(std::string_view bytes) {
  EVP_DigestUpdate(state_->context, bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::field(std::string_view bytes) { return raw(std::to_string(bytes.size()) + ":").raw(bytes); }

std::string Sha256::bytes() {
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned int length = 0;
  EVP_DigestFinal_ex(state_->context, reinterpret_cast<unsigned char*>(out.data()), &length);
  out.resize(length);
  return out;
}

std::string sha256_hex(std::string_view bytes) { return Sha256().raw(bytes).hex(); }

std::string random_hex(std::size_t bytes) {
  std::string out(bytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(bytes)) != 1)
    throw std::runtime_error("no random source");
  return to_hex(out);
}

}  // namespace kernelgate
