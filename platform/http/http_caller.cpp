// SPDX-License-Identifier: Apache-2.0
#include "platform/http/http_caller.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/units/limits.hpp"

namespace kernelgate {
namespace {

struct CloseCurl {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using CurlHandle = std::unique_ptr<CURL, CloseCurl>;

struct FreeList {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// libcurl's global state is set up once, before the first handle, whichever thread makes it.
void initialise_curl() {
  static const CURLcode kResult = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (kResult != CURLE_OK) throw std::runtime_error("libcurl cannot be initialised");
}

void append_header(HeaderList& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list.get(), line.c_str());
  if (!longer) throw std::bad_alloc();
  (void)list.release();
  list.reset(longer);
}

struct Sink {
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  bool too_large = false;
};

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* user) {
  Sink& sink = *static_cast<Sink*>(user);
  if (sink.body.size() + size * count > limits::kAnswerMax.value) {
    sink.too_large = true;
    return 0;  // ends the transfer
  }
  sink.body.append(bytes, size * count);
  return size * count;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* user) {
  Sink& sink = *static_cast<Sink*>(user);
  const std::string_view line(bytes, size * count);
  const std::size_t colon = line.find(':');
  if (line.substr(0, 5) == "HTTP/") sink.headers.clear();  // of an interim answer
  if (colon == line.npos || sink.headers.size() >= limits::kAnswerHeadersMax) return size * count;
  std::string name(line.substr(0, colon));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  sink.headers.emplace_back(std::move(name), without_blanks(line.substr(colon + 1)));
  return size * count;
}

int stop_asked(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(user)->stop_requested() ? 1 : 0;
}

HeaderList headers_for(const HttpRequest& request) {
  HeaderList list;
  append_header(list, "Accept: " + request.accept);
  append_header(list, "Expect:");  // no round trip before a large body
  // Without a body libcurl would announce a form.
  append_header(list, request.body.empty() ? "Content-Type:" : "Content-Type: " + request.content_type);
  if (!request.token.empty()) append_header(list, "Authorization: Bearer " + request.token);
  for (const auto& [name, value] : request.headers) append_header(list, name + ": " + value);
  return list;
}

void set_up(CURL* handle, const HttpRequest& request, const HeaderList& headers, Sink& sink,
            const std::stop_token& stop) {
  curl_easy_reset(handle);  // keeps the open connection
  curl_easy_setopt(handle, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "kernelgate");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);  // time-outs without SIGALRM: other threads run
  curl_easy_setopt(
      handle, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::min<std::chrono::milliseconds>(request.timeout, limits::kConnectTimeout).count()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &sink);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &sink);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_asked);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &stop);
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.c_str());
  }
}

tl::unexpected<Error> failure(CURLcode code, const char* detail, const HttpRequest& request, const Sink& sink) {
  const std::string text = *detail ? detail : curl_easy_strerror(code);
  if (sink.too_large)
    return fail(Errc::too_large, "the answer is larger than " + std::to_string(limits::kAnswerMax.value) + " bytes",
                request.url);
  if (code == CURLE_ABORTED_BY_CALLBACK)
    return fail(Errc::unavailable, "stopped while waiting for the server", request.url);
  if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)
    return fail(Errc::invalid, "not a usable URL: " + text, request.url, "write http://HOST:PORT");
  if (code == CURLE_OPERATION_TIMEDOUT)
    return fail(Errc::timed_out, "the server does not answer: " + text, request.url,
                "try again, or look at the server's log");
  if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST)
    return fail(Errc::unavailable, "the server cannot be reached: " + text, request.url,
                "check the URL and that 'kernelgate server' runs there");
  return fail(Errc::io, "the exchange with the server broke off: " + text, request.url, "try again");
}

}  // namespace

struct HttpCaller::Pool {
  std::mutex mutex;
  std::vector<CurlHandle> idle;

  CurlHandle take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return CurlHandle(curl_easy_init());
    CurlHandle handle = std::move(idle.back());
    idle.pop_back();
    return handle;
  }
  void give_back(CurlHandle handle) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(handle));
  }
};

HttpCaller::HttpCaller() {
  initialise_curl();
  pool_ = std::make_unique<Pool>();
}
HttpCaller::~HttpCaller() = default;
HttpCaller::HttpCaller(HttpCaller&&) noexcept = default;
HttpCaller& HttpCaller::operator=(HttpCaller&&) noexcept = default;

Result<HttpResponse> HttpCaller::call(const HttpRequest& request, const std::stop_token& stop) {
  CurlHandle handle = pool_->take();
  if (!handle) throw std::bad_alloc();
  const HeaderList headers = headers_for(request);
  Sink sink;
  std::string detail(CURL_ERROR_SIZE, '\0');
  set_up(handle.get(), request, headers, sink, stop);
  curl_easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, detail.data());
  const CURLcode code = curl_easy_perform(handle.get());
  long status = 0;
  curl_off_t retry_after_s = 0;
  curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(handle.get(), CURLINFO_RETRY_AFTER, &retry_after_s);
  curl_easy_setopt(handle.get(), CURLOPT_ERRORBUFFER, nullptr);
  pool_->give_back(std::move(handle));
  if (code != CURLE_OK) return failure(code, detail.c_str(), request, sink);
  HttpResponse response{static_cast<int>(status), std::move(sink.body), std::nullopt, std::move(sink.headers)};
  if (retry_after_s > 0) response.retry_after = std::chrono::seconds{retry_after_s};
  return response;
}

std::string_view HttpResponse::header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers)
    if (name == lower_case_name) return value;
  return {};
}

std::string url_escape(std::string_view text) {
  static constexpr std::string_view kPlain = "-._~";
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != kPlain.npos) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

}  // namespace kernelgate
