// SPDX-License-Identifier: Apache-2.0
// Two finished runs compared with each other, and how well that can be done. Pure; compare_test.ts holds it.
import type { Comparison, Run } from './types';

/** How a ratio came about, from the best down. */
export type How = 'paired' | 'common base' | 'not paired';

export const howMeans: Record<How, string> = {
  'paired': 'both were timed in turn in one run',
  'common base': 'each was timed in turn with the same base commit, in runs of their own: the ratio of the two ratios',
  'not paired': 'timed in runs of their own: whatever changed between the two is part of the ratio, so there is no interval and no verdict',
};

export interface CompareRow {
  suite: string;
  benchmark: string;
  base_ns: number | null;
  head_ns: number | null;
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: string; // empty: none was given
  how: How;
  tolerate: number;
  catch_limit: number;
}

export interface Side {
  run: Run;
  comparisons: Comparison[];
}

interface Estimate {
  ratio: number;
  low: number | null;
  high: number | null;
}

/** Head over base by way of the base that both were paired with; the two intervals' halves add in quadrature. */
function byCommonBase(base: Comparison, head: Comparison): Estimate | null {
  if (!(base.ratio && head.ratio)) return null;
  const ratio = head.ratio / base.ratio;
  if (!(base.ratio_low && base.ratio_high && head.ratio_low && head.ratio_high)) return { ratio, low: null, high: null };
  const half = Math.hypot(Math.log(base.ratio_high / base.ratio_low) / 2, Math.log(head.ratio_high / head.ratio_low) / 2);
  return { ratio, low: ratio * Math.exp(-half), high: ratio * Math.exp(half) };
}

const over = (a: number | null, b: number | null) => (a && b ? a / b : null);
const inverse = (value: number | null) => (value ? 1 / value : null);

function rowOf(base: Comparison | undefined, head: Comparison | undefined, how: How, inverted: boolean): CompareRow {
  const any = (head ?? base)!;
  const row: CompareRow = {
    suite: any.suite, benchmark: any.benchmark, base_ns: base?.head_median_ns ?? null, head_ns: head?.head_median_ns ?? null,
    ratio: null, low: null, high: null, verdict: '', how, tolerate: any.tolerate, catch_limit: any.catch_limit,
  };
  const judged = inverted ? base : head;
  if (how === 'paired' && judged) {
    row.base_ns = inverted ? judged.head_median_ns : judged.base_median_ns;
    row.head_ns = inverted ? judged.base_median_ns : judged.head_median_ns;
    if (!inverted) return { ...row, ratio: judged.ratio, low: judged.ratio_low, high: judged.ratio_high, verdict: judged.verdict };
    return { ...row, ratio: inverse(judged.ratio), low: inverse(judged.ratio_high), high: inverse(judged.ratio_low) };
  }
  const common = how === 'common base' && base && head ? byCommonBase(base, head) : null;
  if (common) return { ...row, ...common };
  return { ...row, how: how === 'paired' ? how : 'not paired', ratio: over(row.head_ns, row.base_ns) };
}

/** Every benchmark of either side. */
export function compareRuns(base: Side, head: Side): CompareRow[] {
  // Who compares two testbeds asks for the machines: what one of them timed of both commits is no answer.
  const here = head.run.testbed === base.run.testbed;
  const paired = here && head.run.base_commit === base.run.commit && base.run.commit !== '';
  const inverted = here && !paired && base.run.base_commit === head.run.commit && head.run.commit !== '';
  const sameBase = base.run.base_commit !== '' && base.run.base_commit === head.run.base_commit && base.run.epoch === head.run.epoch;
  const how: How = paired || inverted ? 'paired' : sameBase ? 'common base' : 'not paired';
  const nameOf = (one: Comparison) => `${one.suite}/${one.benchmark}`;
  const bases = new Map(base.comparisons.map((one) => [nameOf(one), one]));
  const heads = new Map(head.comparisons.map((one) => [nameOf(one), one]));
  return [...new Set([...bases.keys(), ...heads.keys()])].map((name) => rowOf(bases.get(name), heads.get(name), how, inverted));
}

/** One field of a CSV file; a leading sign of a formula is defused. */
export function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

const csvMembers: (keyof CompareRow)[] = ['suite', 'benchmark', 'base_ns', 'head_ns', 'ratio', 'low', 'high', 'verdict', 'how'];

export function csvOf(rows: readonly CompareRow[]): string {
  return [csvMembers.join(','), ...rows.map((row) => csvMembers.map((name) => csvField(row[name])).join(','))].join('\r\n') + '\r\n';
}
