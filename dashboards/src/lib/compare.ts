// SPDX-License-Identifier: Apache-2.0
// Two finished runs compared with each other, as the server did it (GET /api/v1/compare), and their table as CSV. Pure.
import type { Run, VerdictCount } from './types';

/** How a ratio came about, from the best down. */
export type Pairing = 'paired' | 'common_base' | 'not_paired';

export const pairingWords: Record<Pairing, { title: string; short: string; means: string }> = {
  paired: { title: 'Paired', short: 'paired', means: 'both commits were timed in turn in one run' },
  common_base: {
    title: 'Compared through a common base',
    short: 'common base',
    means: 'each was timed in turn with the same base commit, in a run of its own: the ratio of the two ratios',
  },
  not_paired: {
    title: 'Not paired',
    short: 'not paired',
    means:
      'timed in separate runs: whatever changed between them is part of the ratio, ' +
      'so there is no interval and no verdict',
  },
};

export interface CompareRow {
  suite: string;
  benchmark: string;
  pairing: Pairing;
  verdict: string; // empty: none was given
  ratio: number | null;
  ratio_low: number | null;
  ratio_high: number | null;
  base_median_ns: number | null;
  head_median_ns: number | null;
  tolerate: number;
  catch_limit: number;
}

export interface ComparedRuns {
  pairing: Pairing;
  benchmarks: CompareRow[];
  verdicts: VerdictCount[];
}

export interface Compared extends ComparedRuns {
  base: Run;
  head: Run;
}

/** One field of a CSV file; a leading sign of a formula is defused. */
export function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const csvMembers = [
  'suite',
  'benchmark',
  'base_median_ns',
  'head_median_ns',
  'ratio',
  'ratio_low',
  'ratio_high',
  'verdict',
  'pairing',
] as const;

export function csvOf(rows: readonly CompareRow[]): string {
  return (
    [csvMembers.join(','), ...rows.map((row) => csvMembers.map((name) => csvField(row[name])).join(','))].join('\r\n') +
    '\r\n'
  );
}
