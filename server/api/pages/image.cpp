// SPDX-License-Identifier: Apache-2.0
#include "server/api/pages/image.hpp"

#include "core/units/digest.hpp"

namespace kernelgate::api {

http::Response image(const Context& context, const http::Request& request, std::string svg, std::chrono::seconds keep,
                     std::string policy) {
  const std::string tag = '"' + sha256_hex(svg).substr(0, 16) + '"';
  const std::string whose = context.settings.public_read ? "public" : "private";
  http::Response out{.status = 200,
                     .content_type = "image/svg+xml",
                     .body = {},
                     .headers = {{"Cache-Control", whose + ", max-age=" + std::to_string(keep.count())},
                                 {"ETag", tag},
                                 {"Cross-Origin-Resource-Policy", "cross-origin"}}};
  if (!policy.empty()) out.headers.emplace_back("Content-Security-Policy", std::move(policy));
  if (request.knows(tag))
    out.status = 304;
  else
    out.body = std::move(svg);
  return out;
}

}  // namespace kernelgate::api
