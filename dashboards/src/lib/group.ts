// SPDX-License-Identifier: Apache-2.0
// Benchmarks by family and shape, filtered and sorted. Pure; group_test.ts holds it.
import type { Comparison, VerdictCount } from './types';
import { rankIn } from './verdict';

export type Grouping = 'none' | 'family' | 'shape' | 'verdict' | 'suite';

/** The part of a name before the first slash. */
export function familyOf(name: string): string {
  return name.split('/')[0] || name;
}

/** The sizes in a name: parts that hold a digit after "name:" or are a number. */
export function shapeOf(name: string): string {
  const sizes = name.split('/').filter((part) => /(^|[:=x])\d[\d.x]*$/.test(part));
  return sizes.join(' ') || 'no shape in name';
}

function keyOf(one: Comparison, by: Grouping): string {
  if (by === 'family') return familyOf(one.benchmark);
  if (by === 'shape') return shapeOf(one.benchmark);
  if (by === 'verdict') return one.verdict;
  return by === 'suite' ? one.suite : '';
}

export interface Group {
  name: string;
  rows: Comparison[];
}

/** Whether a name holds every word of a search. */
export function hasWords(name: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => name.toLowerCase().includes(word));
}

/** Words that must all occur in suite, name, verdict or reason; "-word" must not. */
export function matches(one: Comparison, filter: string): boolean {
  const text = `${one.suite} ${one.benchmark} ${one.verdict} ${one.reason}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => (word.startsWith('-') && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word)));
}

const byName = (a: Comparison, b: Comparison) => a.benchmark.localeCompare(b.benchmark, undefined, { numeric: true });
type Order = (a: Comparison, b: Comparison) => number;

const orders: Record<string, Order> = {
  name: byName,
  change: (a, b) => (b.ratio ?? 0) - (a.ratio ?? 0),
  time: (a, b) => (b.head_median_ns ?? 0) - (a.head_median_ns ?? 0),
  pairs: (a, b) => b.pairs - a.pairs,
};

const byVerdict =
  (verdicts: readonly VerdictCount[]): Order =>
  (a, b) =>
    rankIn(verdicts, a.verdict) - rankIn(verdicts, b.verdict) ||
    Math.abs(Math.log(b.ratio ?? 1)) - Math.abs(Math.log(a.ratio ?? 1)) ||
    byName(a, b);

/** Sorts by "verdict" (in the order of `verdicts`), "name", "change", "time" or "pairs"; with "-" in front reversed. */
export function sortComparisons(
  rows: readonly Comparison[],
  sort: string,
  verdicts: readonly VerdictCount[],
): Comparison[] {
  const sorted = [...rows].sort(orders[sort.replace(/^-/, '')] ?? byVerdict(verdicts));
  return sort.startsWith('-') ? sorted.reverse() : sorted;
}

/** How often each verdict occurs among rows, in the order of `verdicts`. */
export function countsOf(rows: readonly Comparison[], verdicts: readonly VerdictCount[]): VerdictCount[] {
  return verdicts
    .map((one) => ({ ...one, count: rows.filter((row) => row.verdict === one.verdict).length }))
    .filter(({ count }) => count > 0);
}

/** Groups keep the order in which their first row comes. */
export function groupComparisons(rows: readonly Comparison[], by: Grouping): Group[] {
  const groups = new Map<string, Comparison[]>();
  for (const row of rows) {
    const key = keyOf(row, by);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups].map(([name, members]) => ({ name, rows: members }));
}

/** Cases that failed alike are one failure: the same fingerprint, or the same words. */
export function alike(failed: readonly Comparison[]): Comparison[][] {
  const groups = new Map<string, Comparison[]>();
  for (const one of failed) {
    const key = `${one.verdict} ${one.fingerprint || one.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}
