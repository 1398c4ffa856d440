// SPDX-License-Identifier: Apache-2.0
// The API's messages. Printed from core/wire by tools/generate; see docs/API.md.

export type Against = 'pairs' | 'stored';
export type Aim = 'regressed' | 'broken';
export type AttemptKind = 'commit' | 'work_tree' | 'point' | 'idea';
export type AttemptOutcome =
  | 'not_tried'
  | 'reference'
  | 'added'
  | 'won'
  | 'lost'
  | 'mixed'
  | 'no_change'
  | 'undecided'
  | 'identical'
  | 'did_not_compile'
  | 'broken'
  | 'crashed'
  | 'misaligned_address'
  | 'illegal_address'
  | 'out_of_memory'
  | 'too_many_resources'
  | 'invalid_launch'
  | 'timed_out'
  | 'invalid'
  | 'not_measured'
  | 'superseded'
  | 'cancelled';
export type BaseKind = 'explicit_commit' | 'before' | 'merge_base' | 'first_parent' | 'none';
export type BisectionState = 'running' | 'done' | 'cancelled';
export type BuildEnd = 'not_needed' | 'built' | 'cached' | 'failed' | 'skipped';
export type ClockKind = 'host' | 'device' | 'both';
export type Conclusion =
  | 'passed'
  | 'regressed'
  | 'broken'
  | 'build_failed'
  | 'undecided'
  | 'infrastructure'
  | 'cancelled';
export type DeliveryOutcome =
  | 'queued'
  | 'held'
  | 'cancelled'
  | 'noted'
  | 'ignored'
  | 'unknown_event'
  | 'refused'
  | 'already_seen';
export type Ending = 'culprit' | 'range' | 'unconfirmed' | 'no_difference' | 'undecided' | 'unusable_end';
export type Likeness = 'failure' | 'patch' | 'code';
export type MessageStatus = 'pending' | 'delivered' | 'obsolete' | 'gave_up';
export type Pairing = 'paired' | 'common_base' | 'not_paired';
export type Phase = 'held' | 'queued' | 'building' | 'measuring' | 'finished';
export type ProcessEnd = 'ok' | 'failed' | 'crashed' | 'timed_out' | 'garbage';
export type ProfileState = 'queued' | 'claimed' | 'done' | 'failed';
export type ReadingKind = 'timed' | 'same' | 'failing' | 'unusable' | 'trouble';
export type Role = 'badge' | 'read' | 'trigger' | 'runner' | 'admin';
export type RunState =
  | 'held'
  | 'queued'
  | 'claimed'
  | 'building'
  | 'checking'
  | 'measuring'
  | 'deciding'
  | 'done'
  | 'aborted'
  | 'cancelled';
export type Severity = 'none' | 'small' | 'full';
export type Side = 'base' | 'head';
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

export interface AcceptRequest {
  repository: string;
  run: number;
  // regular expression, searched in benchmark names
  match: string;
  reason: string;
  // 0: never
  expires_in_days?: number;
}

export interface AcceptedBenchmark {
  suite: string;
  benchmark: string;
  ratio: number;
  head_median_ns: number;
}

export interface Acknowledgement {
  id: number;
  suite: string;
  benchmark: string;
  // head over base in the run that was accepted
  ratio: number;
  // there
  head_median_ns: number;
  who?: string;
  reason?: string;
}

export interface AcknowledgementPage {
  acknowledgements: AcknowledgementRecord[];
  next: string | null;
}

export interface AcknowledgementRecord {
  id: number;
  run: number;
  epoch: number;
  match: string;
  actor: string;
  reason: string;
  accepted_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  revoked_by: string;
  revoked_reason: string;
  pull_request: number | null;
  merged_at: string | null;
  benchmarks: AcceptedBenchmark[];
}

export interface ActionPage {
  actions: LoggedAction[];
  next: string | null;
}

export interface AlikeAttempt {
  attempt: number;
  // the same failure, the same change or the same machine code
  how: Likeness;
  // branch, point or short commit
  name: string;
  outcome: AttemptOutcome;
  // the one that moved it furthest
  ratio: number | null;
  // case, class and value, where `how` is failure
  failure: string;
}

export interface Attempt {
  id: number;
  repository: string;
  kind: AttemptKind;
  branch: string;
  commit: string;
  subject: string;
  // of a point
  suite: string;
  point: string;
  hypothesis: string;
  lesson: string;
  // docs/GLOSSARY.md lists them
  outcome: AttemptOutcome;
  // it does not work
  failed: boolean;
  // the first failure, or the run's summary
  detail: string;
  best: AttemptRatio | null;
  worst: AttemptRatio | null;
  // that stands for all: of a lost attempt the slowest benchmark, else the fastest
  shown: AttemptRatio | null;
  timed: number;
  improved: number;
  regressed: number;
  // largest growth of a numerical error
  error_factor: number | null;
  cost: AttemptCost;
  // newest first
  runs: number[];
  // case, class and value of each distinct one
  failures: string[];
  alike: AlikeAttempt[];
  // what `alike` says, in sentences
  notices: string[];
  created_at: string;
  // empty while it has no finished run
  tried_at: string;
}

export interface AttemptChange {
  hypothesis?: string | null;
  lesson?: string | null;
}

export interface AttemptCost {
  // when the device was not held
  build_s: number;
  // when it was held and no process was timed
  check_s: number;
  measure_s: number;
  // of the seconds that the device was held, where a price is known
  money: number | null;
}

export interface AttemptNote {
  repository: string;
  // absent means something still to be tried
  run?: number | null;
  // of what is still to be tried; its first run takes the note over
  branch?: string;
  hypothesis?: string | null;
  lesson?: string | null;
}

export interface AttemptPage {
  // newest first
  attempts: Attempt[];
  next: string | null;
  // of these attempts
  sweeps: TuningSweep[];
}

// A benchmark of an attempt over its base
export interface AttemptRatio {
  suite: string;
  benchmark: string;
  ratio: number;
  low: number | null;
  high: number | null;
}

export interface BackfillReply {
  runs: Backfilled[];
  // commits that were measured before
  known: number;
  // over the limit
  left: number;
}

export interface BackfillRequest {
  repository: string;
  // the first is only a parent
  commits: string[];
  // runs queued at most, the newest commits first
  limit?: number;
}

export interface Backfilled {
  commit: string;
  base: string;
  run: number;
}

// kind is explicit_commit, before, merge_base or first_parent; in a claim also none
export interface BaseRequest {
  kind: BaseKind;
  argument: string;
}

export interface Baseline {
  id: number;
  run: number;
  epoch: number;
  name: string;
  commit: string;
  actor: string;
  reason: string;
  promoted_at: string;
  replaced_at: string | null;
  anchor: boolean;
  // stored, of its commit and epoch
  sessions: number;
}

export interface BaselineBenchmark {
  suite: string;
  benchmark: string;
  median_ns: number;
  processes: number;
}

export interface BaselineDiff {
  a: DiffSide;
  b: DiffSide;
  rows: DiffRow[];
  notices: string[];
}

export interface BaselinePage {
  baselines: Baseline[];
  next: string | null;
}

export interface BenchmarkCost {
  suite: string;
  benchmark: string;
  gpu_s: number;
  cost: number | null;
}

export interface BenchmarkHistory {
  repository: string;
  suite: string;
  benchmark: string;
  branch: string;
  // 0: there is no point
  epoch: number;
  // with points, the newest first
  epochs: number[];
  // there are more points than asked for
  older_left_out: boolean;
  points: HistoryPoint[];
  changes: HistoryChange[];
  creep: HistoryCreep | null;
  anchor: HistoryAnchor | null;
  // why there is none although there is an anchored baseline
  anchor_note: string;
  start_ns: number | null;
  // none where the suite states no work
  work: HistoryWork | null;
}

export interface BenchmarkName {
  suite: string;
  benchmark: string;
  // medians of the newest points on the default branch, in their newest epoch, oldest first
  recent_ns: number[];
}

export interface BenchmarkPage {
  benchmarks: BenchmarkName[];
  // value of `before` for the next page
  next: string | null;
}

export interface Bisection {
  id: number;
  repository: string;
  suite: string;
  benchmark: string;
  until: Aim;
  state: BisectionState;
  // empty: not ended, or cancelled
  ending: Ending | '';
  // where it stands, or how it ended, in a sentence
  text: string;
  good: string;
  bad: string;
  commits: number;
  // the first bad commit, of culprit and unconfirmed
  culprit: string | null;
  // of a range
  suspects: string[];
  // of bad over good
  ratio: number | null;
  // steps that compared something
  comparisons: number;
  actor: string;
  created_at: string;
  finished_at: string | null;
  steps: BisectionStep[];
}

export interface BisectionPage {
  // newest first, without steps
  bisections: Bisection[];
  next: string | null;
}

export interface BisectionRequest {
  repository: string;
  // empty: the only suite that knows the benchmark
  suite?: string;
  // empty: any failure, with until = broken
  benchmark?: string;
  // default regressed
  until?: Aim;
  // good, …, bad
  commits: string[];
}

export interface BisectionStep {
  number: number;
  head: string;
  base: string;
  confirming: boolean;
  run: number;
  // empty: under way
  reading: ReadingKind | '';
  ratio: number | null;
  why: string;
}

export interface BranchState {
  repository: string;
  testbed: string;
  // broken or regressed while a kernel is broken or a regression open, else of the newest run
  conclusion: Conclusion;
  // that are open
  regressions: number;
  // kernels that are broken
  broken: number;
}

export interface BrokenKernel {
  repository: string;
  testbed: string;
  suite: string;
  benchmark: string;
  verdict: Verdict;
  reason: string;
  fingerprint: string;
  run: number;
  commit: string;
  subject: string;
  found_at: string;
}

export interface CalibratedBenchmark {
  suite: string;
  benchmark: string;
  // fraction of the work
  injected: number;
  pairs: number;
  ratio: number;
  ratio_low: number;
  ratio_high: number;
  // of the pairs' log ratios about their mean
  sum_squares: number;
  degrees: number;
  // fraction: the least shift that the policy's max_pairs distinguish from none
  detectable: number;
  tolerate: number;
  catch_limit: number;
  trials: number;
  regressed?: number;
  improved?: number;
  unchanged?: number;
  undecided?: number;
  suspected?: number;
}

export interface CalibratedFigures {
  suite: string;
  benchmark: string;
  // A fraction of the work
  injected: number;
  pairs: number;
  ratio: number;
  ratio_low: number;
  ratio_high: number;
  // standard deviation of a pair's log ratio
  noise: number | null;
  // The smallest change that max_pairs distinguish from none, a fraction
  detectable: number;
  trials: number;
  regressed: number;
  undecided: number;
}

export interface Calibration {
  commit: string;
  calibrated_at: string;
  program: string;
  benchmarks: CalibratedFigures[];
}

export interface CalibrationAnswer {
  // None: this epoch was never calibrated
  calibration: Calibration | null;
}

export interface CalibrationReply {
  epoch: number;
  // by this one: "suite: benchmark: why"
  quarantined: string[];
}

export interface CalibrationUpload {
  repository: string;
  testbed: TestbedFacts;
  // full hash
  commit: string;
  rule_version: number;
  program: string;
  benchmarks: CalibratedBenchmark[];
}

export interface Caller {
  name: string;
  role: Role;
  // token, login, or public: reading that needs neither
  by: string;
  // of a login: goes into X-CSRF-Token of every request that changes state
  csrf_token: string | null;
  // of a login
  expires_at: string | null;
}

export interface CaseFailure {
  benchmark: string;
  side: Side;
  // broken, crashed, timed_out or invalid
  verdict: Verdict;
  text?: string;
  fingerprint?: string;
  signal?: number;
}

// Rates measured on the GPU in the run's epoch, and its datasheet's peaks; 0, not known
export interface Ceilings {
  copy_bytes_s: number;
  l2_bytes_s: number;
  // By data type, FLOP/s
  flops: Record<string, number>;
  // By data type, of the datasheet
  peak_flops: Record<string, number>;
  peak_bytes_s: number;
  peak_clock_mhz: number;
  l2_bytes: number;
}

export interface CheckCase {
  suite: string;
  side: Side;
  name: string;
  shape: string;
  passed: boolean;
  bound: number | null;
  max_abs_err: number | null;
  // each figure: NaN where the program gave no number; null in JSON, NULL in the store
  rel_err: number | null;
  first_bad: number;
  seed: string;
  // "", wrong_value, not_finite, unwritten, crashed, timed_out …
  error_class: string;
  // the value the fingerprint carries
  error_value: number | null;
  // set for failures: check case, error class, error value to 6 digits
  fingerprint: string;
  // shown to the reader
  text: string;
}

export interface CheckPage {
  checks: CheckCase[];
  next: string | null;
}

export interface Claim {
  run: number;
  // secret of this claim: sent back with every report
  lease: string;
  lease_s: number;
  repository: string;
  url: string;
  default_branch: string;
  commit: string;
  base: BaseRequest;
  // registered on the server; empty: from the tree
  manifest: string;
  seed: number;
  epoch: number;
  // of this repository and epoch
  stored: StoredVariance[];
  // bases known to be broken or not to build
  bad_commits: string[];
  // commits of promoted baselines, newest first: base where no ancestor will do
  baselines: string[];
  // of the promoted baseline, for runs against it
  sessions: StoredSessions[];
  // commit of the anchored baseline (a release); may be empty
  anchor: string;
  // already stored for this run, after a lost runner (their data is kept)
  process_ids: string[];
  // head is untrusted: what is built of it stays out of the trusted cache
  fork: boolean;
}

export interface ClaimRequest {
  runner: string;
  testbed: TestbedFacts;
  has_gpu?: boolean;
  // long poll
  wait_s?: number;
}

export interface ComparedBenchmark {
  suite: string;
  benchmark: string;
  pairing: Pairing;
  // empty: no run gave one
  verdict: Verdict | '';
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  base_median_ns: number | null;
  head_median_ns: number | null;
  tolerate: number;
  catch_limit: number;
}

export interface ComparedRuns {
  base: number;
  head: number;
  // the best that a benchmark can have
  pairing: Pairing;
  benchmarks: ComparedBenchmark[];
  verdicts: VerdictCount[];
}

export interface Comparison {
  suite: string;
  benchmark: string;
  verdict: Verdict;
  severity: Severity;
  // one sentence
  reason: string;
  // of a failure
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
  // Benjamini-Hochberg over the run; decides nothing
  q_value: number | null;
  // fraction: the shift these pairs distinguish from none
  minimum_detectable: number | null;
  // spread of d
  pair_sd: number | null;
  base_median_ns: number | null;
  head_median_ns: number | null;
  tolerate: number;
  catch_limit: number;
  gpu_s: number;
  // of d about its mean, and its degrees of freedom: what the stored variance is made of
  sum_squares: number;
  degrees: number;
  looks: Look[];
  distribution: DistributionChange | null;
  against: Against;
  // who accepted this regression, and why: then it fails nothing
  acknowledged: string;
  // who set it aside as unstable, and why: then it decides nothing
  quarantined: string;
  // head's largest numerical error over base's
  error_factor: number | null;
  // of the device code: "gemm: spills 0 -> 48 bytes"
  code_changes: string[];
  // of the profiler, the one that moved most first
  counter_changes: string[];
  roof: RoofPosition | null;
  base_configuration: string;
  head_configuration: string;
  // where they differ: both sides with the same one
  pinned: PinnedResult[];
  // what that says: the choice or the kernel, in one sentence
  attribution: string;
  // absent: the host's clock alone was read
  device: DeviceComparison | null;
  // that the verdict rests on
  clock: ClockKind;
}

export interface ComparisonPage {
  comparisons: Comparison[];
  next: string | null;
}

export interface Cost {
  // The device was ours: checks and measuring
  gpu_s_held: number;
  // Processes that were timed
  gpu_s_used: number;
  // Of the budget of pairs, by stopping early
  seconds_saved: number;
  price_per_hour: number | null;
  cost_held: number | null;
  cost_used: number | null;
  benchmarks: BenchmarkCost[];
}

export interface CountedKernel {
  suite: string;
  profile: KernelProfile;
}

export interface Delivery {
  id: number;
  // the forge's id
  delivery: string;
  event: string;
  action: string;
  repository: string;
  sender: string;
  outcome: DeliveryOutcome;
  // HTTP
  status: number;
  detail: string;
  run: number | null;
  body_bytes: number;
  seen: number;
  received_at: string;
  last_seen_at: string;
}

export interface DeliveryPage {
  // newest first
  deliveries: Delivery[];
  next: string | null;
}

// A benchmark by the device's clock: the time of its kernels summed over one iteration
export interface DeviceComparison {
  verdict: Verdict;
  severity: Severity;
  pairs: number;
  looks: number;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  // an iteration
  base_ns: number | null;
  head_ns: number | null;
  // one sentence
  reason: string;
  // the one that changed the sum most first
  kernels: KernelComparison[];
}

// What the device's own clock saw of one benchmark in one process
export interface DeviceTimes {
  benchmark: string;
  // why there are no times; empty: there are
  trouble: string;
  kernels: KernelTime[];
}

export interface DiffRow {
  suite: string;
  benchmark: string;
  basis: string;
  // of both; 0: none in common
  epoch: number;
  run: number | null;
  a_sessions: number;
  b_sessions: number;
  a_processes: number;
  b_processes: number;
  a_median_ns: number | null;
  b_median_ns: number | null;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  note: string;
}

export interface DiffSide {
  // a baseline's name, or a commit or the start of one
  asked: string;
  // that it means
  commit: string;
  // its name; empty: asked by commit
  baseline: string;
}

export interface DistributionChange {
  // tail or modes
  kind: string;
  base_share: number;
  head_share: number;
  // ratio less 1: of the modes, or from where on the tail counts
  distance: number;
  p: number;
  low_ns: number;
  high_ns: number;
  base_counts: number[];
  head_counts: number[];
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
  // a later one of its testbed has begun
  over: boolean;
}

export interface EpochFigure {
  suite: string;
  benchmark: string;
  median_ns: number;
  processes?: number;
}

export interface EpochPage {
  epochs: Epoch[];
  next: string | null;
}

export interface EpochReply {
  // baselines that now stand in the new epoch too
  carried: number;
}

export interface EpochUpload {
  lease: string;
  // whose binaries were replayed
  commit: string;
  // the very binaries of the epoch before; else they were built anew
  kept?: boolean;
  // what changed, and by how much, in one sentence
  text?: string;
  // time of the control kernels over that of the epoch before
  control_ratio?: number | null;
  // of the commit's benchmarks
  figures: EpochFigure[];
}

export interface FailureSeen {
  run: number;
  commit: string;
  branch: string;
  subject: string;
  benchmark: string;
  verdict: Verdict;
  finished_at: string;
}

export interface Failures {
  // newest first
  failures: FailureSeen[];
}

// evidence is a RunEvidence whose suites carry no processes
export interface Finish {
  lease: string;
  // suites carry no processes
  evidence: RunEvidence;
  // base's manifest text: the server parses the policy from it
  policy_toml_manifest?: string;
  gpu_s_held?: number;
  gpu_s_used?: number;
  wall_s?: number;
}

export interface FinishReply {
  decision: RunDecision;
}

export interface GpuSeen {
  // under load
  sm_mhz: number | null;
  // the highest
  temperature_c: number | null;
  // errors that the GPU reported
  xid: number[];
  // why it slowed itself down; empty: it did not
  throttled: string[];
}

export interface Health {
  status: string;
  rule_version: number;
  // Messages to forges and others that wait
  outbox_pending: number;
  // Messages that were given up; an admin looks at GET /api/v1/outbox
  outbox_gave_up: number;
  // How long the oldest pending message has waited
  outbox_oldest_s: number;
}

export interface Heartbeat {
  lease: string;
  // claimed, building, checking, measuring or deciding
  state: RunState;
  // "bsr_gemm: pair 3 of 16, 4 benchmarks open"
  progress?: string;
}

export interface HeartbeatReply {
  cancel: boolean;
}

export interface HistoryAnchor {
  baseline: number;
  name: string;
  commit: string;
  median_ns: number;
  ratio: number;
  ratio_low: number | null;
  ratio_high: number | null;
  // where that spread is from: sessions, history, or none
  spread: string;
  spread_count: number;
  // one sentence for people
  text: string;
}

export interface HistoryChange {
  commit_before: string;
  commit_after: string;
  run_before: number;
  run_after: number;
  ratio: number;
  p: number;
  points_before: number;
  points_after: number;
}

export interface HistoryColumns {
  run: number[];
  commit: string[];
  finished_at: string[];
  median_ns: number[];
  spread_ns: number[];
  processes: number[];
  verdict: Verdict[];
  side: Side[];
}

export interface HistoryCreep {
  commit_before: string;
  commit_after: string;
  run_before: number;
  run_after: number;
  // of the whole rise or fall
  ratio: number;
  ratio_per_commit: number;
  commits: number;
  p: number;
}

export interface HistoryInColumns {
  // BenchmarkHistory without points
  history: BenchmarkHistory;
  // The members of the points, oldest first; times to nine digits
  columns: HistoryColumns;
}

export interface HistoryPoint {
  run: number;
  commit: string;
  finished_at: string;
  // of the medians of head's processes
  median_ns: number;
  // largest less smallest of them
  spread_ns: number;
  processes: number;
  verdict: Verdict;
  // base: no run had this commit as its head, the figures are those of base
  side: Side;
  // over the anchored baseline's figure
  anchor_ratio: number | null;
}

// The work of one call as the suite stated it at the newest point. flops / median_ns are GFLOP/s; roof_ns, the least time by measured rates, over median_ns is the fraction of the roof
export interface HistoryWork {
  flops: number;
  bytes: number;
  // by rates measured on the GPU; none where they are not known
  roof_ns: number | null;
  // what limits: dram, l2, or a data type's unit
  roof: string;
}

export interface ImportReply {
  baselines: number;
  runs: number;
  // baselines that were here before
  known: number;
}

export interface KernelCode {
  // demangled
  kernel: string;
  // sm_90a
  arch?: string;
  sass_sha256?: string;
  registers?: number;
  static_shared_bytes?: number;
  local_bytes?: number;
  stack_bytes?: number;
  spill_stores?: number;
  spill_loads?: number;
  // by class: HGMMA, HMMA, FFMA, LDG.128 …
  instructions?: Record<string, number>;
}

export interface KernelComparison {
  // shortened to what distinguishes it from the others
  kernel: string;
  // demangled
  full_name: string;
  // head's, or base's where head has no such kernel
  grid: string;
  block: string;
  // missing: base's alone; added: head's alone
  verdict: Verdict;
  // an iteration
  base_launches: number;
  head_launches: number;
  // of one launch
  base_ns: number | null;
  head_ns: number | null;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
}

export interface KernelProfile {
  benchmark: string;
  side: Side;
  // demangled
  kernel: string;
  // By the profiler's name of the metric, in its base unit
  counters: Record<string, number>;
}

export interface KernelTime {
  // demangled
  kernel: string;
  // "256,1,1"; of a copy or fill its bytes
  grid: string;
  block: string;
  // in the process
  launches: number;
  // launches over the iterations that the suite states: a little high where it tried more
  per_iteration: number;
  // of one launch, without the first quarter of them
  mean_ns: number;
  sd_ns: number;
  // launches that these are from
  samples: number;
}

export interface KnownTrees {
  base_commit: string;
  base_tree: string;
  head_tree: string;
  // of base's manifest text: the effective manifest
  manifest_sha256: string;
}

export interface LogInfo {
  name: string;
  // of the kept text
  bytes: number;
  // before the cut
  original_bytes: number;
  stored_at: string;
}

export interface LogPage {
  logs: LogInfo[];
  next: string | null;
}

export interface LogUpload {
  lease: string;
  // build-base, build-head, check-head …
  name: string;
  text: string;
}

export interface LoggedAction {
  id: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  detail: string;
}

export interface LoginRequest {
  token: string;
}

export interface Look {
  pairs: number;
  // of d, natural log
  mean: number;
  se: number;
  degrees: number;
  used_stored: boolean;
  // undecided: go on
  verdict: Verdict;
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
  // the band it was judged by
  tolerate: number;
  catch_limit: number;
}

export interface OutboxMessage {
  id: number;
  run: number;
  // github-status, github-check, github-comment, gitlab-status, webhook:NAME or chat:NAME
  target: string;
  phase: Phase;
  // obsolete: a later one took its place
  status: MessageStatus;
  // The same for each attempt; a webhook's receiver finds it in X-Kernelgate-Delivery
  delivery: string;
  attempts: number;
  // Not tried before
  next_at: string;
  // Of the last attempt; empty if it went well
  error: string;
  created_at: string;
  ended_at: string | null;
}

export interface OutboxPage {
  // newest first
  messages: OutboxMessage[];
  next: string | null;
}

export interface Overview {
  states: BranchState[];
  recent: RecentRun[];
  regressions: OpenRegression[];
  broken: BrokenKernel[];
  running: RunningRun[];
  runners: RunnerSeen[];
  spent: Spent;
}

export interface PairFigure {
  pair: number;
  ratio: number;
  base_median_ns: number;
  head_median_ns: number;
  // in time
  head_first: boolean;
}

export interface PairFigures {
  pairs: PairFigure[];
  // null: too few samples
  histogram: SampleHistogram | null;
}

export interface PinnedResult {
  benchmark: string;
  // the side that had chosen otherwise
  pinned: Side;
  // that both were given
  configuration: string;
  pairs: number;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  // by the comparison's own band
  verdict: Verdict;
  // why there are no figures; empty: there are
  failure: string;
}

export interface PolicyBand {
  tolerate: number;
  catch_limit: number;
}

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  // member, parameter or thing that is meant
  where?: string;
  code?: string;
  fix?: string;
}

export interface Process {
  // random, chosen by the runner: uploads are idempotent by it
  id: string;
  suite: string;
  side: Side;
  // 1: the one rerun of suspected benchmarks, never pooled with round 0
  round: number;
  // 0-based within the round
  pair: number;
  // redo number of this pair and side: the highest attempt counts
  attempt: number;
  // position in time within the run
  order: number;
  disturbed: boolean;
  disturbance: string;
  started_at_ms: number;
  wall_s: number;
  // seconds of the device held; of the CPU testbed's measuring time where there is no GPU
  gpu_s: number;
  end: ProcessEnd;
  exit_code: number;
  signal: number;
  // why it ended, last lines of stderr
  text: string;
  // device state (clocks, temperature, …), {} on a CPU testbed
  state_json: string;
  series: Series[];
  // of a process under the device's clock, which has no series
  device: DeviceTimes | null;
}

export interface ProcessPage {
  processes: StoredProcess[];
  next: string | null;
}

export interface ProcessUpload {
  lease: string;
  processes: Process[];
}

export interface Profile {
  id: number;
  run: number;
  suite: string;
  benchmark: string;
  state: ProfileState;
  // in a sentence: what is waited for, or why there is none
  text: string;
  actor: string;
  runner: string;
  // the counter that moved most first
  changes: string[];
  base: ProfiledKernel | null;
  head: ProfiledKernel | null;
  created_at: string;
  finished_at: string | null;
}

export interface ProfileClaim {
  profile: number;
  run: number;
  // secret of this claim
  lease: string;
  url: string;
  base: string;
  head: string;
  // registered on the server; empty: from the tree
  manifest: string;
  suite: string;
  benchmark: string;
  // head is untrusted
  fork: boolean;
}

export interface ProfileEnd {
  lease: string;
  // the runner is stopping: back to the queue
  again?: boolean;
  text?: string;
  base?: ProfiledKernel | null;
  head?: ProfiledKernel | null;
}

export interface ProfileList {
  // of one run, newest first
  profiles: Profile[];
}

export interface ProfileRequest {
  suite: string;
  benchmark: string;
}

export interface ProfiledKernel {
  // demangled
  kernel: string;
  // by the profiler's name of the metric, in its base unit
  counters: Record<string, number>;
}

export interface Promotion {
  repository: string;
  run: number;
  name: string;
  reason: string;
  anchor?: boolean;
}

export interface PruneReply {
  dry_run: boolean;
  runs: number;
  series: number;
  // of samples that this gives back
  bytes: number;
  // old enough, but baselines or sessions of baselines
  kept_runs: number;
  // of the file, that the next measurements use before it grows
  free_bytes: number;
}

export interface PruneRequest {
  older_than_days: number;
  dry_run?: boolean;
}

// The pull request that a run judges; a fork's run is held until it is approved
export interface PullRequest {
  number: number;
  // branch that it is to be merged into
  target: string;
  // owner/name of the repository that head lives in
  head_repository: string;
  // that is another one than the watched: held, and built apart from trusted code
  fork: boolean;
  // login of who caused the run
  sender: string;
}

export interface Quarantine {
  id: number;
  suite: string;
  benchmark: string;
  who?: string;
  reason?: string;
}

export interface QuarantinePage {
  quarantines: QuarantineRecord[];
  next: string | null;
}

export interface QuarantineRecord {
  id: number;
  suite: string;
  benchmark: string;
  // where it holds; absent: in every one
  epoch: number | null;
  actor: string;
  reason: string;
  began_at: string;
  released_at: string | null;
  released_by: string;
  released_reason: string;
  // not empty: why it may be released
  suggestion: string;
}

export interface QuarantineRequest {
  repository: string;
  suite: string;
  benchmark: string;
  reason: string;
}

export interface RecentRun {
  repository: string;
  testbed: string;
  run: number;
  commit: string;
  subject: string;
  conclusion: Conclusion;
  finished_at: string;
}

export interface RefuseRequest {
  // shown with the run; not empty
  reason: string;
}

export interface RegionResult {
  suite: string;
  // "bf16, K < 512"
  text: string;
  verdict: Verdict;
  members: number;
  moved: number;
  others_moved: number;
  median_ratio: number;
}

export interface Release {
  lease: string;
  reason?: string;
}

export interface ReleaseRequest {
  repository: string;
  reason: string;
}

export interface RemeasureReply {
  baselines: Remeasured[];
}

export interface RemeasureRequest {
  repository: string;
  // of a baseline; empty: all present ones
  name?: string;
  processes?: number;
}

export interface Remeasured {
  name: string;
  commit: string;
  // its session, queued or done
  run: number | null;
  // where there is none
  why_not: string;
}

export interface Repository {
  id: number;
  name: string;
  url: string;
  default_branch: string;
  // of the registered manifest; empty: the tree's counts
  manifest_sha256: string;
  // owner/name at its forge, given or read from the URL; empty: unknown
  full_name: string;
}

export interface RepositoryPage {
  repositories: Repository[];
  next: string | null;
}

export interface RepositoryRequest {
  name: string;
  // what runners fetch from
  url: string;
  default_branch?: string;
  // TOML text that wins over the tree's; may be empty
  manifest?: string;
  // owner/name at its forge; empty: as its URL says
  full_name?: string;
}

export interface Resolved {
  lease: string;
  // empty: there is none
  base_commit: string;
  base_tree: string;
  head_tree: string;
  manifest_sha256: string;
  // canonical_text
  policy: string;
  subject?: string;
  author?: string;
  notices?: string[];
  // of head's trailer; may be empty
  hypothesis?: string;
  // of head against base: git's, the same wherever the same lines change; empty: no change
  patch_id?: string;
  // none: measured without one; empty: in one
  sandbox?: string;
}

export interface ResolvedReply {
  // then the run is done
  reused_from: number | null;
}

export interface RevokeAcceptanceRequest {
  repository: string;
  reason: string;
}

export interface RevokeRequest {
  // goes into the audit log; not empty
  reason: string;
}

export interface Roof {
  roof: string;
  // its rate grows with the intensity
  is_memory: boolean;
  // FLOP/s; of a memory roof at 1 FLOP per byte
  rate: number | null;
}

// A benchmark under the roofs; rates in FLOP/s, null where the roof's rate is not known
export interface RoofPoint {
  suite: string;
  benchmark: string;
  verdict: Verdict;
  // FLOP per byte
  intensity: number;
  // of the roof there
  fraction: number;
  // what limits: dram, l2 or a data type's unit
  roof: string;
  rate: number | null;
  roof_rate: number | null;
}

export interface RoofPosition {
  // FLOP per byte
  intensity: number;
  // of the roof at that intensity
  fraction: number;
  // what limits there: dram, or the data type's matrix rate
  roof: string;
}

// exit_code is -1 while the run is not finished
export interface Run {
  id: number;
  repository: string;
  commit: string;
  base_commit: string;
  branch: string;
  subject: string;
  author: string;
  source: string;
  state: RunState;
  // empty until finished, and of a cancelled run
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
  // when its samples became quantiles; absent: every sample is kept
  thinned_at: string | null;
  // how often a runner took it
  claims: number;
  // -1 while not finished
  exit_code: number;
  // success, failure, error
  commit_status: string;
  gpu_s_held: number;
  gpu_s_used: number;
  wall_s: number;
  notices: string[];
  comparisons: Comparison[];
  workloads: WorkloadResult[];
  regions: RegionResult[];
  headline: string;
  // how often each was given, in reading order
  verdicts: VerdictCount[];
  // of its policy
  band: PolicyBand | null;
  // the pull request that it judges
  pull_request: PullRequest | null;
  // cancelled, because a newer push made this run
  superseded_by: number | null;
  // head over base of what regressed most, else of what improved most; absent: neither
  largest_ratio: number | null;
}

export interface RunCeilings {
  ceilings: Ceilings | null;
  // benchmarks whose work is known
  points: RoofPoint[];
  // that limit a point, memory first
  roofs: Roof[];
}

export interface RunCounters {
  counters: CountedKernel[];
  next: string | null;
}

export interface RunDecision {
  conclusion: Conclusion;
  // a code where DESIGN names one (no_base, nothing_to_measure …), else a short sentence
  reason: string;
  // one sentence for people
  summary: string;
  notices: string[];
  expected_false_alarms: number;
  comparisons: Comparison[];
  workloads: WorkloadResult[];
  regions: RegionResult[];
}

// The data of an event named run of GET /api/v1/events
export interface RunEvent {
  id: number;
  repository: string;
  commit: string;
  state: RunState;
  conclusion: Conclusion | '';
  progress: string;
}

export interface RunEvidence {
  // false: root commit or first push
  has_base: boolean;
  // base and head have the same inputs: nothing was built
  inputs_unchanged: boolean;
  base_build: BuildEnd;
  head_build: BuildEnd;
  // last lines of the failed build
  build_text?: string;
  // not empty: our fault or the machine's, in words
  infrastructure: string;
  // base replaced, manifest changed in head, clock-coupled …
  notices?: string[];
  // of this run's GPU
  ceilings?: Ceilings | null;
  // in force in this epoch
  acknowledged?: Acknowledgement[];
  // likewise
  quarantined?: Quarantine[];
  suites: SuiteEvidence[];
}

export interface RunPage {
  // newest first, without comparisons
  runs: Run[];
  // value of `before` for the next page
  next: string | null;
}

export interface RunnerSeen {
  name: string;
  testbed: string;
  gpu_model: string;
  state: RunState;
  progress: string;
  // the last it took
  run: number;
  started_at: string;
  // during the last process; null: a CPU testbed, or nothing was timed
  gpu: GpuSeen | null;
}

export interface RunningRun {
  run: Run;
  runner: string;
  // both sides of which are stored
  pairs: number;
  // median of the last finished ones of the repository
  expected_s: number | null;
}

// Samples of both sides in equal bins from low_ns to high_ns
export interface SampleHistogram {
  low_ns: number;
  high_ns: number;
  // samples above high_ns are in the last bin
  has_above: boolean;
  // the bins are equal on a logarithmic axis
  is_log: boolean;
  base: number[];
  head: number[];
  // where the median lies: 0 at low_ns, 1 at high_ns
  base_median_at: number | null;
  head_median_at: number | null;
}

export interface Series {
  benchmark: string;
  samples_ns: number[];
  // the suite's own error_message; then samples_ns may be empty
  error: string;
  // user counters, last repetition
  counters: Record<string, number>;
  // variant and parameters that the suite chose; empty: it states none
  configuration: string;
}

export interface SeriesPage {
  points: SeriesPoint[];
  next: string | null;
}

export interface SeriesPoint {
  run: number;
  commit: string;
  branch: string;
  epoch: number | null;
  finished_at: string;
  // of the medians of head's processes
  median_ns: number;
  // largest less smallest of them
  spread_ns: number;
  processes: number;
  samples: number;
  verdict: Verdict;
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
}

export interface Spent {
  runs: number;
  gpu_s_held: number;
  gpu_s_used: number;
  // of the runs with a known price
  cost: number | null;
}

export interface StoredProcess {
  // of the run's leases
  generation: number;
  // A later generation counts instead
  superseded: boolean;
  stored_at: string;
  process: Process;
}

export interface StoredSessions {
  suite: string;
  benchmark: string;
  // its name
  baseline: string;
  commit: string;
  sessions: number[][];
}

export interface StoredVariance {
  suite: string;
  benchmark: string;
  // of d = log(head) - log(base), per pair
  variance: number;
  // below 15: there is no stored variance
  degrees: number;
  // fraction: the least shift that max_pairs pairs distinguish from none; 0: never calibrated
  detectable: number;
  // degrees of freedom that the variance counts for: less where it is old or differs by run
  weight: number;
  // variance of a run's mean beyond what its pairs explain
  between: number;
  // comparisons that `between` is from
  runs: number;
}

export interface SuiteEvidence {
  name: string;
  // as each side's executable lists them
  base_benchmarks: string[];
  head_benchmarks: string[];
  // false: base has no such suite, or there is no base
  has_base: boolean;
  has_head: boolean;
  base_program?: string;
  head_program?: string;
  // executable, libraries, arguments and inputs are proven the same
  identical: boolean;
  checks_ran: boolean;
  // head's
  checks_passed: boolean;
  checks?: CheckCase[];
  failures: CaseFailure[];
  base_code?: KernelCode[];
  head_code?: KernelCode[];
  // of confirmed regressions, both sides
  profiles?: KernelProfile[];
  // only where head is compared with a stored baseline
  stored?: StoredSessions[];
  // of what moved while the sides chose differently
  pinned?: PinnedResult[];
  // whose times judge
  clock?: ClockKind;
  processes?: Process[];
}

export interface TestbedFacts {
  // the testbed's name, from the runner's configuration
  name: string;
  gpu_model?: string;
  compute_capability?: string;
  driver?: string;
  toolkit?: string;
  power_limit?: string;
  mig_mode?: string;
  host_cpu?: string;
}

export interface Token {
  name: string;
  role: Role;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface TokenPage {
  tokens: Token[];
  next: string | null;
}

export interface Trigger {
  // registered name
  repository: string;
  // full hash of head
  commit: string;
  branch?: string;
  // first line of the commit message
  subject?: string;
  author?: string;
  // how base is found; default first_parent
  base?: BaseRequest;
  // cli, post-commit, pre-push, push (one that does not wait), post-receive, retry, webhook
  source?: string;
  // what the caller found out with git
  trees?: KnownTrees | null;
  // measure even if already judged
  force?: boolean;
  // same key, same run; empty: repository + commit + base request
  idempotency_key?: string;
  // of the commit's trailer Hypothesis, for the ledger of attempts; 2,000 bytes are kept
  hypothesis?: string;
  // what the commit is meant for; with fork the run is held
  pull_request?: PullRequest | null;
}

export interface TriggerReply {
  run: number;
  state: RunState;
  reused_from: number | null;
  url: string;
}

export interface TuningFailure {
  // case, class and value
  failure: string;
  // at least two
  attempts: number[];
}

// A run of the default branch in the same span
export interface TuningLanded {
  run: number;
  commit: string;
  subject: string;
  outcome: AttemptOutcome;
  best: AttemptRatio | null;
  worst: AttemptRatio | null;
}

export interface TuningOutcome {
  outcome: AttemptOutcome;
  attempts: number;
  // build, check and measure
  seconds: number;
  money: number | null;
}

export interface TuningReport {
  repository: string;
  branch: string;
  // as asked for; empty: from the beginning
  since: string;
  // the first attempt
  from: string;
  // the last one
  to: string;
  objective: string;
  suites: TuningSuite[];
  testbeds: TuningTestbed[];
  // oldest first
  landed: TuningLanded[];
  // oldest first
  attempts: Attempt[];
  // there are more than a report holds
  is_cut: boolean;
  outcomes: TuningOutcome[];
  sweeps: TuningSweep[];
  failures: TuningFailure[];
  // in sentences, the most useful first
  findings: string[];
  cost: AttemptCost;
  // in sentences
  not_tried: string[];
}

export interface TuningSuite {
  name: string;
  // that any of the runs compared
  benchmarks: string[];
  // of its checks
  shapes: string[];
}

export interface TuningSweep {
  suite: string;
  commit: string;
  // attempt; 0 where none works
  best: number;
  best_point: string;
  // its points
  attempts: number[];
  constraints: string[];
}

export interface TuningTestbed {
  name: string;
  gpu_model: string;
  compute_capability: string;
  driver: string;
  toolkit: string;
  host_cpu: string;
  runs: number;
}

export interface UploadReply {
  // processes that were new
  stored: number;
}

export interface VerdictCount {
  verdict: Verdict;
  count: number;
  // the kernel does not work
  failure: boolean;
}

export interface WebhookReply {
  delivery: string;
  outcome: DeliveryOutcome;
  detail: string;
  run: number | null;
}

export interface WebhookSecret {
  // to which the forge sends its webhooks
  path: string;
  // shown this once
  secret: string;
}

export interface WholeBaseline {
  baseline: Baseline;
  benchmarks: BaselineBenchmark[];
}

export interface WorkloadResult {
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
