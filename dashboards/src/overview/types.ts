// SPDX-License-Identifier: Apache-2.0
// The answer of GET /api/v1/overview.
import type { Run } from '../lib/types';

export interface RecentRun {
  repository: string;
  testbed: string;
  run: number;
  commit: string;
  subject: string;
  conclusion: string;
  finished_at: string;
}

export interface OpenRegression {
  repository: string;
  testbed: string;
  suite: string;
  benchmark: string;
  run: number;
  commit: string;
  subject: string;
  author: string;
  base_commit: string;
  found_at: string;
  ratio: number;
  ratio_low: number | null;
  ratio_high: number | null;
  tolerate: number;
  catch_limit: number;
}

export interface BrokenKernel {
  repository: string;
  testbed: string;
  suite: string;
  benchmark: string;
  verdict: string;
  reason: string;
  fingerprint: string;
  run: number;
  commit: string;
  subject: string;
  found_at: string;
}

export interface RunningRun {
  run: Run;
  runner: string;
  pairs: number;
  expected_s: number | null;
}

export interface RunnerSeen {
  name: string;
  testbed: string;
  gpu_model: string;
  state: string;
  progress: string;
  run: number;
  started_at: string;
  card_state: string;
}

export interface Overview {
  recent: RecentRun[];
  regressions: OpenRegression[];
  broken: BrokenKernel[];
  running: RunningRun[];
  runners: RunnerSeen[];
  spent: { runs: number; gpu_s_held: number; gpu_s_used: number; cost: number | null };
}
