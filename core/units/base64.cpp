// SPDX-License-Identifier: Apache-2.0
#include "core/units/base64.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace kernelgate {

std::string to_base64(std::string_view bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // OpenSSL ends the text with a zero
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(length));
  return out;
}

std::string to_base64url(std::string_view bytes) {
  std::string out = to_base64(bytes);
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  while (!out.empty() && out.back() == '=') out.pop_back();
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (int i = 0; i < 2 && !text.empty() && text.back() == '='; ++i) text.remove_suffix(1);
  // OpenSSL skips blanks at both ends and takes padding anywhere.
  if (text.size() % 4 == 1 || text.find_first_not_of(kDigits) != text.npos) return std::nullopt;
  std::string padded(text);
  padded.append((4 - text.size() % 4) % 4, '=');
  std::string out(padded.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(padded.data()), static_cast<int>(padded.size()));
  if (length < 0) return std::nullopt;
  out.resize(out.size() - (padded.size() - text.size()));
  return out;
}

}  // namespace kernelgate
