// SPDX-License-Identifier: Apache-2.0
#include "core/units/result.hpp"

namespace kernelgate {

std::string_view to_string(Errc code) {
  switch (code) {
    case Errc::invalid: return "invalid";
    case Errc::not_found: return "not_found";
    case Errc::conflict: return "conflict";
    case Errc::unauthorized: return "unauthorized";
    case Errc::forbidden: return "forbidden";
    case Errc::too_large: return "too_large";
    case Errc::too_many: return "too_many";
    case Errc::unavailable: return "unavailable";
    case Errc::timed_out: return "timed_out";
    case Errc::io: return "io";
    case Errc::corrupt: return "corrupt";
    case Errc::unsupported: return "unsupported";
  }
  return "invalid";
}

std::string to_string(const Error& error) {
  std::string out;
  if (!error.where.empty()) out += error.where + ": ";
  out += error.what;
  if (!error.fix.empty()) out += " (" + error.fix + ")";
  return out;
}

}  // namespace kernelgate
