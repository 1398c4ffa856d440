// SPDX-License-Identifier: Apache-2.0
// What the pictures of one benchmark are drawn from: its processes' samples. Pure; samples_test.ts holds it.
import type { StoredProcess } from './types';

export interface TimedProcess {
  side: 'base' | 'head';
  pair: number;
  attempt: number;
  order: number;
  disturbance: string;
  samples: number[];
  state: GpuState | null;
}

interface Moment {
  sm_mhz?: number;
  temperature_c?: number;
  power_w?: number;
  power_limit_w?: number;
  memory_mhz?: number;
}

export interface GpuState {
  before?: Moment;
  after?: Moment;
  during?: { sm_mhz_loaded?: number; temperature_c?: [number, number]; power_w?: [number, number]; reasons?: string[] };
  ecc_corrected?: number;
  ecc_uncorrected?: number;
  xid?: number[];
  processes?: { foreign?: number };
}

function stateOf(text: string): GpuState | null {
  try {
    const state = JSON.parse(text) as GpuState | null;
    return state && typeof state === 'object' && (state.during || state.before) ? state : null;
  } catch {
    return null;
  }
}

/** The processes of a round that timed the benchmark, in the order in time. */
export function timedProcesses(stored: readonly StoredProcess[], benchmark: string, round: number): TimedProcess[] {
  return stored
    .filter((one) => !one.superseded && one.process.round === round)
    .map(({ process }) => ({ process, series: process.series.find((one) => one.benchmark === benchmark) }))
    .filter(({ series }) => series && series.samples_ns.length > 0)
    .map(({ process, series }) => ({
      side: process.side,
      pair: process.pair,
      attempt: process.attempt,
      order: process.order,
      disturbance: process.disturbed ? process.disturbance || 'disturbed' : '',
      samples: series!.samples_ns,
      state: stateOf(process.state_json),
    }))
    .sort((a, b) => a.order - b.order || a.attempt - b.attempt);
}

export interface Histogram {
  low: number;
  high: number;
  /** Some samples lie above `high`, in the last bin. */
  above: boolean;
  base: number[];
  head: number[];
  /** Where a time lies, 0 to 1. */
  placeOf: (ns: number) => number;
}

/** From this factor between the ends on the bins are equal on a logarithmic axis: else one side is one bin wide. */
const LOG_FROM = 3;

/** Equal bins over both sides' samples; the top 1 % goes into the last bin, so that a single spike does not compress
 * the rest. */
export function histogramOf(processes: readonly TimedProcess[], bins = 40): Histogram | null {
  const all = processes.flatMap((one) => one.samples).sort((a, b) => a - b);
  if (all.length < 4) return null;
  const low = all[0]!;
  const high = Math.max(all[Math.floor((all.length - 1) * 0.99)]!, low * 1.0001);
  const scale = low > 0 && high / low > LOG_FROM ? Math.log : (ns: number) => ns;
  const placeOf = (ns: number) => (scale(ns) - scale(low)) / (scale(high) - scale(low));
  const count = (side: string) => {
    const counts = new Array<number>(bins).fill(0);
    for (const one of processes)
      if (one.side === side)
        for (const sample of one.samples) {
          const bin = Math.min(bins - 1, Math.floor(placeOf(sample) * bins));
          counts[bin] = counts[bin]! + 1;
        }
    return counts;
  };
  return { low, high, above: all[all.length - 1]! > high, base: count('base'), head: count('head'), placeOf };
}
