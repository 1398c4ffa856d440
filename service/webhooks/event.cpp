// SPDX-License-Identifier: Apache-2.0
#include "service/webhooks/event.hpp"

namespace kernelgate::webhooks {

wire::BaseRequest base_of(const Head& head, const std::string& default_branch) {
  if (head.pull_request) return {wire::BaseKind::merge_base, head.pull_request->target};
  if (head.branch == default_branch) return {wire::BaseKind::before, head.before};
  return {wire::BaseKind::merge_base, default_branch};
}

}  // namespace kernelgate::webhooks
