// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts failed logins by address, so that nobody can try tokens as fast as the server answers. Thread-safe.

#include <map>
#include <mutex>
#include <string>

#include "core/units/time.hpp"

namespace kernelgate::api {

class LoginThrottle {
 public:
  // False: the address failed limits::kLoginFailuresMax times within the window, whatever it sends now.
  [[nodiscard]] bool may_try(const std::string& peer, Instant now);
  void failed(const std::string& peer, Instant now);

 private:
  struct Failures {
    Instant since{};
    int count = 0;
  };
  std::mutex mutex_;
  std::map<std::string, Failures> failures_;
};

}  // namespace kernelgate::api
