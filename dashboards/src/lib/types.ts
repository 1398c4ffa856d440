// SPDX-License-Identifier: Apache-2.0
// Shapes of the API's answers: docs/openapi.yaml, components.schemas.
export type Verdict =
  | 'regressed'
  | 'improved'
  | 'unchanged'
  | 'undecided'
  | 'suspected'
  | 'broken'
  | 'crashed'
  | 'timed_out'
  | 'invalid'
  | 'missing'
  | 'added'
  | 'identical';
export type Conclusion = 'passed' | 'regressed' | 'broken' | 'build_failed' | 'undecided' | 'infrastructure';

export interface Look {
  pairs: number;
  mean: number;
  se: number;
  degrees: number;
  used_stored: boolean;
  verdict: string;
}

export interface DistributionChange {
  kind: string;
  base_share: number;
  head_share: number;
  distance: number;
  p: number;
  low_ns: number;
  high_ns: number;
  base_counts: number[];
  head_counts: number[];
}

export interface PinnedResult {
  pinned: string; // the side that had chosen otherwise
  configuration: string;
  pairs?: number;
  ratio?: number | null;
  ratio_low?: number | null;
  ratio_high?: number | null;
  verdict?: string;
  failure?: string;
}

export interface Comparison {
  suite: string;
  benchmark: string;
  verdict: Verdict;
  severity: string;
  reason: string;
  fingerprint: string;
  round: number;
  pairs: number;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  hl_ratio: number | null;
  hl_low: number | null;
  hl_high: number | null;
  cliffs_delta: number | null;
  mwu_p: number | null;
  q_value: number | null;
  minimum_detectable: number | null;
  pair_sd: number | null;
  base_median_ns: number | null;
  head_median_ns: number | null;
  tolerate: number;
  catch_limit: number;
  gpu_s: number;
  looks: Look[];
  distribution?: DistributionChange | null;
  against?: string;
  acknowledged?: string;
  quarantined?: string;
  error_factor?: number | null;
  code_changes?: string[];
  counter_changes?: string[];
  base_configuration?: string;
  head_configuration?: string;
  attribution?: string;
  pinned?: PinnedResult[];
  roof?: { intensity: number; fraction: number; roof: string } | null;
}

export interface Workload {
  suite: string;
  name: string;
  verdict: Verdict;
  ratio: number | null;
  low: number | null;
  high: number | null;
  benchmarks: number;
  timed: number;
  gains: string[];
  losses: string[];
}

export interface Region {
  suite: string;
  text: string;
  verdict: Verdict;
  members: number;
  moved: number;
  others_moved: number;
  median_ratio: number;
}

export interface PullRequest {
  number: number;
  target?: string;
  head_repository?: string;
  fork?: boolean;
  sender?: string;
}

/** How often a verdict was given; a run lists them in reading order. */
export interface VerdictCount {
  verdict: Verdict;
  count: number;
  failure: boolean; // the kernel does not work
}

/** One pair as the decision counted it. */
export interface PairFigure {
  pair: number;
  ratio: number;
  base_median_ns: number;
  head_median_ns: number;
  head_first: boolean;
}

export interface Run {
  id: number;
  repository: string;
  commit: string;
  base_commit: string;
  branch: string;
  subject: string;
  author: string;
  source: string;
  state: string;
  conclusion: Conclusion | '';
  reason: string;
  summary: string;
  progress: string;
  testbed: string;
  epoch: number;
  created_at: string;
  started_at: string;
  finished_at: string;
  reused_from: number | null;
  retry_of: number | null;
  pull_request: PullRequest | null;
  claims: number;
  exit_code: number;
  commit_status: string;
  gpu_s_held: number;
  gpu_s_used: number;
  wall_s: number;
  notices: string[];
  comparisons: Comparison[];
  workloads?: Workload[];
  regions?: Region[];
  headline: string;
  verdicts: VerdictCount[];
  band: { tolerate: number; catch_limit: number } | null;
}

export interface Series {
  benchmark: string;
  samples_ns: number[];
  error?: string;
  counters?: Record<string, number | string>;
}

export interface Process {
  id: string;
  suite: string;
  side: 'base' | 'head';
  round: number;
  pair: number;
  attempt: number;
  order: number;
  disturbed: boolean;
  disturbance: string;
  started_at_ms: number;
  wall_s: number;
  gpu_s: number;
  end: string;
  exit_code: number;
  signal: number;
  text: string;
  state_json: string;
  series: Series[];
}

export interface StoredProcess {
  generation: number;
  superseded: boolean;
  stored_at: string;
  process: Process;
}

export interface CheckCase {
  suite: string;
  side: string;
  name: string;
  shape: string;
  passed: boolean;
  bound: number | null;
  max_abs_err: number | null;
  rel_err: number | null;
  first_bad: number;
  seed: string;
  error_class: string;
  error_value: number | null;
  fingerprint: string;
  text: string;
}

export interface LogInfo {
  name: string;
  bytes: number;
  original_bytes: number;
  stored_at: string;
}

export interface Cost {
  gpu_s_held: number;
  gpu_s_used: number;
  seconds_saved: number;
  price_per_hour: number | null;
  cost_held: number | null;
  cost_used: number | null;
}
