// SPDX-License-Identifier: Apache-2.0
// Shapes of stored things that outlive a run: baselines, accepted regressions, epochs, calibrations, attempts.

export interface Baseline {
  id: number;
  run: number;
  epoch: number;
  name: string;
  commit: string;
  who: string;
  reason: string;
  promoted_at: string;
  replaced_at: string | null;
  anchor: boolean;
  sessions: number;
}

export interface WholeBaseline {
  baseline: Baseline;
  benchmarks: { suite: string; benchmark: string; median_ns: number; processes: number }[];
}

export interface Acknowledgement {
  id: number;
  run: number;
  epoch: number;
  match: string;
  who: string;
  reason: string;
  accepted_at: string;
  expires_at: string | null;
  taken_back_at: string | null;
  taken_back_by: string;
  taken_back_reason: string;
  benchmarks: { suite: string; benchmark: string; ratio: number; head_median_ns: number }[];
}

export interface Epoch {
  id: number;
  testbed: string;
  gpu_model: string;
  compute_capability: string;
  driver: string;
  toolkit: string;
  power_limit: string;
  mig_mode: string;
  host_cpu: string;
  since: string;
  over: boolean;
}

export interface CalibratedBenchmark {
  suite: string;
  benchmark: string;
  injected: number;
  pairs: number;
  ratio: number;
  ratio_low: number;
  ratio_high: number;
  noise: number | null;
  detectable: number;
  trials: number;
  regressed: number;
  undecided: number;
}

export interface Calibration {
  commit: string;
  calibrated_at: string;
  program: string;
  benchmarks: CalibratedBenchmark[];
}
