// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compressed answers: zstd or gzip, as Accept-Encoding says (RFC 9110, section 12.5.3). Pure; takes CPU time, so call
// it on the pool. Streams of events never come here. What untrusted people could guess byte by byte from an answer's
// length (the CSRF token of /session) is far below kCompressFrom and so is never compressed.

#include <cstddef>
#include <string>
#include <string_view>

#include "core/units/strong.hpp"
#include "server/http/message.hpp"

namespace kernelgate::http {

inline constexpr std::size_t kCompressFrom = 1024;  // bytes; with its headers such an answer is one packet anyway

enum class Coding { identity, gzip, zstd };
[[nodiscard]] std::string_view to_string(Coding coding);

// Of those that the header gives the highest weight, the cheapest for the server.
[[nodiscard]] Coding coding_for(std::string_view accept_encoding);
// Would the asker take this one?
[[nodiscard]] bool takes(std::string_view accept_encoding, Coding coding);

[[nodiscard]] std::string compressed(std::string_view text, Coding coding);

// Of answers 200 and 304 with text in them: sets Vary; compresses what is large enough and not compressed already;
// the ETag of what is compressed becomes a weak one, for it names the text and not these bytes.
void compress(Response& response, std::string_view accept_encoding);

}  // namespace kernelgate::http
