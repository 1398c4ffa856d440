// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a webhook is the forge's: HMAC-SHA256 of the raw body under a secret that both know. Pure.

#include <string>
#include <string_view>

namespace kernelgate::webhooks {

// "sha256=" and 64 lower-case hex digits: the value of the header X-Hub-Signature-256.
[[nodiscard]] std::string signature_of(std::string_view secret, std::string_view body);

// Takes the same time wherever the two differ.
[[nodiscard]] bool is_signed(std::string_view secret, std::string_view body, std::string_view signature);

// Whether the header could be a signature at all.
[[nodiscard]] bool is_signature(std::string_view text);

}  // namespace kernelgate::webhooks
