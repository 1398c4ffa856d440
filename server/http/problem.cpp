// SPDX-License-Identifier: Apache-2.0
#include "server/http/problem.hpp"

#include "core/wire/codec.hpp"

namespace kernelgate::http {
namespace {

std::string_view title_of(int status) {
  switch (status) {
    case 400: return "Bad request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not found";
    case 405: return "Method not allowed";
    case 408: return "Request timed out";
    case 409: return "Conflict";
    case 411: return "Length required";
    case 413: return "Too large";
    case 414: return "Target too long";
    case 415: return "Unsupported media type";
    case 421: return "Misdirected request";
    case 429: return "Too many";
    case 431: return "Header too large";
    case 501: return "Not supported";
    case 503: return "Unavailable";
    case 504: return "Timed out";
    default: return "Internal error";
  }
}

// What fixes most refusals of a status, for an error that says nothing better of its own.
std::string_view usual_fix(int status) {
  switch (status) {
    case 400:
    case 422: return "change what `where` and `detail` name; docs/openapi.yaml says what the path takes";
    case 401: return "send a valid token: Authorization: Bearer TOKEN";
    case 403: return "use a token whose role and repositories allow this; an admin makes one";
    case 404: return "look for the name or number in the list of such things, and at its spelling";
    case 405: return "use a method that the Allow header names";
    case 408:
    case 504: return "send it again; if it lasts, look at the network and at the server's load";
    case 409: return "read the present state again, and ask for what it still allows";
    case 411: return "send a Content-Length";
    case 413:
    case 414:
    case 431: return "send less: the limit stands in `detail`";
    case 415: return "send the media type that docs/openapi.yaml names for this path";
    case 429: return "wait as long as Retry-After says, then send it again";
    case 501: return "use what the server offers: docs/openapi.yaml lists it";
    case 503: return "send it again after Retry-After seconds";
    default: return "tell whoever runs the server; its log has the cause";
  }
}

}  // namespace

int status_of(Errc code) {
  switch (code) {
    case Errc::invalid: return 400;
    case Errc::not_found: return 404;
    case Errc::conflict: return 409;
    case Errc::unauthorized: return 401;
    case Errc::forbidden: return 403;
    case Errc::too_large: return 413;
    case Errc::too_many: return 429;
    case Errc::unavailable: return 503;
    case Errc::timed_out: return 504;
    case Errc::io:
    case Errc::corrupt: return 500;
    case Errc::unsupported: return 501;
  }
  return 500;
}

Response problem(const Error& error) {
  const int status = status_of(error.code);
  Response out = problem(status, to_string(error.code), error);
  if (status == 401) out.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"kernelgate\"");
  if (status == 429 || status == 503) out.headers.emplace_back("Retry-After", "5");
  return out;
}

Response problem(int status, std::string_view code, const Error& error) {
  const wire::Problem body{.title = std::string(title_of(status)),
                           .status = status,
                           .detail = error.what,
                           .where = error.where,
                           .code = std::string(code),
                           .fix = error.fix.empty() ? std::string(usual_fix(status)) : error.fix};
  return Response{
      .status = status, .content_type = "application/problem+json", .body = wire::encode(body) + "\n", .headers = {}};
}

}  // namespace kernelgate::http
