// SPDX-License-Identifier: Apache-2.0
#include "server/forge/jwt.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <vector>

#include "core/units/base64.hpp"

namespace kernelgate::forge {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

// A key that wants a passphrase must not stop the server at a prompt.
int no_passphrase(char*, int, int, void*) { return 0; }

tl::unexpected<Error> bad_key() {
  return fail(Errc::invalid, "the App's private key is no RSA key in PEM form, or has a passphrase", "app_key_file",
              "store the .pem file that GitHub gave you, as it is");
}

}  // namespace

Result<std::string> app_jwt(std::string_view pem, std::int64_t app_id, Instant now) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  const Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr), EVP_PKEY_free);
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_RSA) return bad_key();
  const std::int64_t seconds = to_millis(now) / 1000;
  const std::string claims = R"({"iat":)" + std::to_string(seconds - 60) + R"(,"exp":)" +
                             std::to_string(seconds + 9LL * 60) + R"(,"iss":")" + std::to_string(app_id) + "\"}";
  const std::string text = to_base64url(R"({"alg":"RS256","typ":"JWT"})") + "." + to_base64url(claims);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::size_t length = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &length, bytes, text.size()) != 1)
    return bad_key();
  std::vector<unsigned char> signature(length);
  if (EVP_DigestSign(context.get(), signature.data(), &length, bytes, text.size()) != 1) return bad_key();
  return text + "." + to_base64url({reinterpret_cast<const char*>(signature.data()), length});
}

}  // namespace kernelgate::forge
