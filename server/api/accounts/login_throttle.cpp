// SPDX-License-Identifier: Apache-2.0
#include "server/api/accounts/login_throttle.hpp"

#include <algorithm>

#include "core/units/limits.hpp"

namespace kernelgate::api {

bool LoginThrottle::may_try(const std::string& peer, Instant now) {
  const std::lock_guard lock(mutex_);
  const auto known = failures_.find(peer);
  if (known == failures_.end()) return true;
  if (now - known->second.since < limits::kLoginFailureWindow) return known->second.count < limits::kLoginFailuresMax;
  failures_.erase(known);
  return true;
}

void LoginThrottle::failed(const std::string& peer, Instant now) {
  const std::lock_guard lock(mutex_);
  if (failures_.size() >= limits::kLoginPeersMax && failures_.count(peer) == 0)
    failures_.erase(std::min_element(failures_.begin(), failures_.end(), [](const auto& one, const auto& other) {
      return one.second.since < other.second.since;
    }));
  Failures& known = failures_.try_emplace(peer, Failures{now, 0}).first->second;
  if (now - known.since >= limits::kLoginFailureWindow) known = {now, 0};
  ++known.count;
}

}  // namespace kernelgate::api
