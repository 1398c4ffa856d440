// SPDX-License-Identifier: Apache-2.0
#include "server/api/pages/no_page.hpp"

#include "core/report/text.hpp"
#include "core/units/base64.hpp"
#include "core/units/digest.hpp"
#include "server/http/problem.hpp"

namespace kernelgate::api {
namespace {

using report::escape_html;

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{margin:0 auto;padding:2rem 1rem;max-width:40rem;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "h1{font-size:1.4rem}";

std::string text_of(const Error& error) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Page not found - kernelgate</title>\n<style>";
  out += kStyle;
  out += "</style>\n</head>\n<body>\n<main>\n<h1>Page not found</h1>\n<p>" + escape_html(error.what);
  if (!error.where.empty()) out += ": <code>" + escape_html(error.where) + "</code>";
  out += "</p>\n<p>What to do: check the link";
  if (!error.fix.empty()) out += " (" + escape_html(error.fix) + ")";
  return out + ", or start at <a href=\"/\">the overview</a>.</p>\n</main>\n</body>\n</html>\n";
}

}  // namespace

http::Response no_page(const Error& error) {
  static const std::string kPolicy = "default-src 'none'; style-src 'sha256-" +
                                     to_base64(Sha256().raw(kStyle).bytes()) +
                                     "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  http::Response out = http::problem(error);
  out.content_type = "text/html; charset=utf-8";
  out.body = text_of(error);
  out.headers.emplace_back("Content-Security-Policy", kPolicy);
  return out;
}

}  // namespace kernelgate::api
