// SPDX-License-Identifier: Apache-2.0
#include "client/retry.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>

#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate {
namespace {

using Steady = std::chrono::steady_clock;

constexpr Errc kCodes[] = {Errc::invalid,   Errc::not_found, Errc::conflict,    Errc::unauthorized,
                           Errc::forbidden, Errc::too_large, Errc::too_many,    Errc::unavailable,
                           Errc::timed_out, Errc::io,        Errc::unsupported, Errc::corrupt};

Errc code_of(int status) {
  switch (status) {
    case 401: return Errc::unauthorized;
    case 403: return Errc::forbidden;
    case 404: return Errc::not_found;
    case 409: return Errc::conflict;
    case 413: return Errc::too_large;
    case 429: return Errc::too_many;
    default: return status >= 500 ? Errc::unavailable : Errc::invalid;
  }
}

bool may_pass(int status) { return status == 429 || status >= 500; }

// Full jitter: clients that were cut off together do not come back together.
std::chrono::milliseconds jittered(std::chrono::milliseconds most) {
  thread_local std::minstd_rand random{std::random_device{}()};
  return std::chrono::milliseconds{std::uniform_int_distribution<std::int64_t>{most.count() / 2, most.count()}(random)};
}

}  // namespace

bool pause(std::chrono::milliseconds length, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, length, [] { return false; });
  return !stop.stop_requested();
}

Error refusal(const HttpResponse& response, const std::string& url) {
  Error error{code_of(response.status), "the server answered " + std::to_string(response.status), url, {}};
  const Result<wire::Problem> problem = wire::decode<wire::Problem>(response.body);
  if (!problem) return error;
  error.what = problem->detail.empty() ? problem->title : problem->detail;
  if (!problem->where.empty()) error.what = problem->where + ": " + error.what;
  error.fix = problem->fix;
  for (const Errc code : kCodes)
    if (problem->code == to_string(code)) error.code = code;
  return error;
}

Result<HttpResponse> call_patiently(HttpCaller& caller, const HttpRequest& request, const ClientOptions& options,
                                    Repeat repeat) {
  const auto deadline = Steady::now() + options.retry_for;
  std::chrono::milliseconds longest = options.first_pause;
  for (;;) {
    Result<HttpResponse> response = caller.call(request, options.stop);
    if (response && response->status >= 200 && response->status < 300) return response;
    const bool unsent = !response && response.error().code == Errc::unavailable;
    const bool away = response ? may_pass(response->status) : is_away(response.error());
    Error error = response ? refusal(*response, request.url) : response.error();
    const bool again = away && (repeat == Repeat::yes || (repeat == Repeat::unsent_only && unsent));
    std::chrono::milliseconds wait = jittered(longest);
    if (response && response->retry_after)
      wait = std::max<std::chrono::milliseconds>(wait, std::min(*response->retry_after, limits::kRetryAfterMax));
    if (!again || options.stop.stop_requested() || Steady::now() + wait > deadline)
      return tl::unexpected<Error>(std::move(error));
    if (!pause(wait, options.stop)) return tl::unexpected<Error>(std::move(error));
    longest = std::min(2 * longest, options.pause_max);
  }
}

bool is_away(const Error& error) {
  return error.code == Errc::unavailable || error.code == Errc::timed_out || error.code == Errc::too_many ||
         error.code == Errc::io;
}

}  // namespace kernelgate
