// SPDX-License-Identifier: Apache-2.0
// The answer of GET /api/v1/overview.
export type {
  BranchState,
  BrokenKernel,
  GpuSeen,
  OpenRegression,
  Overview,
  RecentRun,
  RunnerSeen,
  RunningRun,
} from '../lib/wire';
