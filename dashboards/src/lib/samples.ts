// SPDX-License-Identifier: Apache-2.0
// The processes that timed one benchmark, with the GPU's state during each. Pure; run_test.ts holds it.
import type { StoredProcess } from './types';

export interface TimedProcess {
  side: 'base' | 'head';
  pair: number;
  attempt: number;
  order: number;
  disturbance: string;
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
    .filter(({ process }) => process.series.some((one) => one.benchmark === benchmark && one.samples_ns.length > 0))
    .map(({ process }) => ({
      side: process.side,
      pair: process.pair,
      attempt: process.attempt,
      order: process.order,
      disturbance: process.disturbed ? process.disturbance || 'disturbed' : '',
      state: stateOf(process.state_json),
    }))
    .sort((a, b) => a.order - b.order || a.attempt - b.attempt);
}
