// SPDX-License-Identifier: Apache-2.0
#include "runner/daemon/profile_task.hpp"

#include "core/log/log.hpp"
#include "core/report/text.hpp"
#include "core/units/limits.hpp"
#include "core/wire/codec.hpp"

namespace kernelgate {
namespace {

// Characters of four bytes at most: a longer text would be refused, and the profile made again and again.
constexpr std::size_t kFits = limits::kProfileTextMax / 4;

// Names of kernels and what a build wrote are a commit's, of any length and not always UTF-8.
std::string fitting(std::string_view text) { return report::shorten(report::harmless(text), kFits); }

wire::ProfiledKernel kernel_of(KernelProfile profile) {
  return {.kernel = fitting(profile.kernel), .counters = std::move(profile.counters)};
}

}  // namespace

BackgroundTask serve_profile(Client& claims, Client& reports, const wire::ClaimRequest& request,
                             const ProfileMaker& make, const std::stop_token& stop) {
  const auto answer = claims.claim_of(wire::endpoint::post_profile_claim, request);
  if (!answer) return BackgroundTask::refused;
  const std::optional<wire::ProfileClaim>& claim = *answer;
  if (!claim) return BackgroundTask::none;
  const std::string name = "profile " + std::to_string(claim->profile);
  log_info(name + " of run " + std::to_string(claim->run) + ": " + claim->benchmark);
  wire::ProfileEnd end;
  end.lease = claim->lease;
  auto made = make(*claim);
  if (made) {
    end.base = kernel_of(std::move(made->base));
    end.head = kernel_of(std::move(made->head));
  } else {
    end.again = stop.stop_requested();
    end.text = fitting(to_string(made.error()));
    log_warn(name + ": " + end.text);
  }
  const auto told = reports.call(wire::endpoint::post_profile_end, end, at(claim->profile));
  if (!told) log_warn(name + ": not sent: " + to_string(told.error()));
  return BackgroundTask::done;
}

}  // namespace kernelgate
