// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.hpp"

namespace kernelgate::report {

Report report_of(const wire::Run& run) {
  Report out;
  out.title = "run " + std::to_string(run.id) + " of " + run.repository + ": " + run.commit.substr(0, 10);
  out.title += run.base_commit.empty() ? ", no base" : " against " + run.base_commit.substr(0, 10);
  if (run.reused_from) out.title += ", judged by run " + std::to_string(*run.reused_from);
  out.decision.conclusion = run.conclusion.value_or(Conclusion::infrastructure);
  out.decision.reason = run.reason;
  out.decision.summary = run.summary;
  out.decision.notices = run.notices;
  out.decision.comparisons = run.comparisons;
  out.decision.workloads = run.workloads;
  out.decision.regions = run.regions;
  out.gpu_s = run.gpu_s_used;
  out.wall_s = run.wall_s;
  return out;
}

}  // namespace kernelgate::report
