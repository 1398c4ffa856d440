// SPDX-License-Identifier: Apache-2.0
#include "client/token_file.hpp"

#include <string_view>
#include <utility>

#include "core/units/limits.hpp"
#include "platform/files/secret_file.hpp"

namespace kernelgate {
namespace {

constexpr std::string_view kPrefix = "kg_";
constexpr std::size_t kHexDigits = 64;

bool is_token(std::string_view text) {
  if (text.substr(0, kPrefix.size()) != kPrefix) return false;
  text.remove_prefix(kPrefix.size());
  return text.size() == kHexDigits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

}  // namespace

Result<std::string> read_token_file(const std::filesystem::path& path) {
  const auto token = read_secret_file(path, "token", limits::kOwnTokenFileMax);
  if (!token) return token;
  if (!is_token(*token))
    return fail(Errc::invalid, "the file does not hold a token", path.string(),
                "a token is 'kg_' and 64 hex digits; make one with 'kernelgate token create'");
  return token;
}

Result<Client> open_client(ClientOptions options, const std::filesystem::path& token_file) {
  auto token = read_token_file(token_file);
  if (!token) return pass_on(token);
  options.token = std::move(*token);
  return Client::create(std::move(options));
}

}  // namespace kernelgate
