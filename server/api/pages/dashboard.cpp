// SPDX-License-Identifier: Apache-2.0
// The dashboard: its start page is the answer to the path of each of its pages; the rest are files with names that
// change with their text.
#include "server/api/endpoints.hpp"
#include "server/http/compress.hpp"

namespace kernelgate::api {
namespace {

// Scripts and styles are files of this server; there is no inline one, and no text is taken for HTML.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

http::Response answer(const http::Request& request, assets::File file) {
  const bool packed = !file.gzip.empty() && file.text.size() >= http::kCompressFrom &&
                      http::takes(request.header("accept-encoding"), http::Coding::gzip);
  http::Response out{.status = 200,
                     .content_type = std::string(file.content_type),
                     .body = std::move(packed ? file.gzip : file.text),
                     .headers = {{"ETag", file.etag},
                                 {"Cache-Control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache"},
                                 {"Content-Security-Policy", std::string(kPolicy)}}};
  if (packed) out.headers.emplace_back("Content-Encoding", "gzip");
  if (!request.knows(file.etag)) return out;
  out.status = 304;
  out.body.clear();
  return out;
}

}  // namespace

Result<http::Answer> get_dashboard(Context& context, const http::Request& request) {
  auto page = context.settings.dashboard.find("index.html");
  if (!page)
    return fail(Errc::not_found, "this server carries no dashboard", request.path,
                "build it (dashboards/README.md) and give its folder with --assets");
  return answer(request, std::move(*page));
}

Result<http::Answer> get_asset(Context& context, const http::Request& request) {
  auto file = context.settings.dashboard.find("assets/" + std::string(request.parameter("name")));
  if (!file) return fail(Errc::not_found, "no such file of the dashboard", request.path, "reload the page");
  return answer(request, std::move(*file));
}

}  // namespace kernelgate::api
