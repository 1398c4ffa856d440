// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one error vocabulary. An expected failure is a Result; whoever returns an Error does not log it.
// `what` says what is wrong, `where` names the place (file:line:column, field, URL), `fix` how to fix it.

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace kernelgate {

enum class Errc {
  invalid,       // the caller's input is wrong
  not_found,     // no such thing
  conflict,      // the thing is not in a state that allows this
  unauthorized,  // no token, or an unknown one
  forbidden,     // the token's role does not allow this
  too_large,     // over a limit of core/units/limits.hpp
  too_many,      // rate, queue or count limit
  unavailable,   // a peer is away; try again
  timed_out,     // a limit on time was reached
  io,            // file, pipe, disk, socket
  corrupt,       // stored data is not what was written
  unsupported,   // this build or machine cannot do it
};

[[nodiscard]] std::string_view to_string(Errc code);

struct Error {
  Errc code = Errc::invalid;
  std::string what;
  std::string where;
  std::string fix;
};

// "where: what (fix)", with empty parts left out.
[[nodiscard]] std::string to_string(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(Errc code, std::string what, std::string where = {},
                                                std::string fix = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(where), std::move(fix)});
}

// Passes the error of one Result on as the error of another.
template <class T>
[[nodiscard]] tl::unexpected<Error> pass_on(const Result<T>& result) {
  return tl::unexpected<Error>(result.error());
}

}  // namespace kernelgate
