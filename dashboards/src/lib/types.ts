// SPDX-License-Identifier: Apache-2.0
// Names under which the pages know the API's messages.
export type {
  CheckCase,
  Comparison,
  Conclusion,
  Cost,
  DistributionChange,
  LogInfo,
  Look,
  PairFigure,
  PairFigures,
  PinnedResult,
  Process,
  PullRequest,
  RegionResult as Region,
  Run,
  SampleHistogram,
  Series,
  StoredProcess,
  Verdict,
  VerdictCount,
  WorkloadResult as Workload,
} from './wire';
