// SPDX-License-Identifier: Apache-2.0
// Axes: from a value to its place between 0 and 1, and the labels beside them. Pure; axis_test.ts holds it, and
// tests/golden/plot/axis.json holds the axis of changes to the server's own (server/plot/axis.cpp).

/** Of changes: linear near no change, logarithmic further out (asinh), so that 1 % and a factor of 3 fit one axis. */
export interface Axis {
  reach: number; // of log ratio, to either side
  bend: number; // where linear becomes logarithmic
}

export interface Estimate {
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: string;
}

const REACH_MAX = 20;
const BEND_DEFAULT = 0.03; // where nothing was judged, so that no policy says

export function axisOf(rows: readonly Pick<Estimate, 'ratio' | 'low' | 'high'>[], catchLimit: number): Axis {
  const bend = Math.log1p(catchLimit > 0 ? catchLimit : BEND_DEFAULT);
  let reach = bend * 2;
  for (const row of rows)
    for (const value of [row.low, row.high, row.ratio])
      if (value !== null && value > 0) reach = Math.max(reach, Math.abs(Math.log(value)) * 1.1);
  return { reach: Math.min(reach, Math.log(REACH_MAX)), bend };
}

/** Where a ratio lies, 0 to 1; what is beyond the axis lies at its end. */
export function placeOf(axis: Axis, ratio: number): number {
  const at = Math.asinh(Math.log(ratio) / axis.bend) / Math.asinh(axis.reach / axis.bend);
  return Math.min(1, Math.max(0, 0.5 + at / 2));
}

/** Of the axis: no label meets the next one, the middle or the end at 180 px. */
const TICKS_APART = 0.16;
const TICK_FROM_MIDDLE = 0.13;
const TICK_LAST = 0.97;

export function ticksOf(axis: Axis): number[] {
  const kept: number[] = [];
  for (const ratio of [1.01, 1.03, 1.1, 1.3, 2, 5, 20]) {
    const at = placeOf(axis, ratio);
    const last = kept[kept.length - 1];
    const free = last === undefined ? at - 0.5 > TICK_FROM_MIDDLE : at - placeOf(axis, last) > TICKS_APART;
    if (Math.log(ratio) < axis.reach && at < TICK_LAST && free) kept.push(ratio);
  }
  return [...kept.map((ratio) => 1 / ratio).reverse(), 1, ...kept];
}

/** "+3%", "−3%" for its inverse, "×5", "÷5". */
export function tickText(ratio: number): string {
  if (ratio === 1) return '0';
  const up = ratio > 1 ? ratio : 1 / ratio;
  if (up < 2) return `${ratio > 1 ? '+' : '−'}${Math.round((up - 1) * 100)}%`;
  return `${ratio > 1 ? '×' : '÷'}${Math.round(up)}`;
}

export interface Span {
  low: number;
  high: number;
}

/** Whole powers of ten round the values, at least one decade. */
export function decadesOf(values: readonly number[], least: Span): Span {
  const shown = values.filter((value) => value > 0 && Number.isFinite(value));
  const low = Math.min(least.low, ...shown);
  const high = Math.max(least.high, ...shown);
  return { low: 10 ** Math.floor(Math.log10(low)), high: 10 ** Math.ceil(Math.log10(high)) };
}

/** 0 to 1 on a logarithmic axis. */
export function placeOnLog({ low, high }: Span, value: number): number {
  return Math.min(1, Math.max(0, Math.log(value / low) / Math.log(high / low)));
}

/** Powers of ten; of one decade or two 2 and 5 as well. */
export function ticksOnLog({ low, high }: Span): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const out: number[] = [];
  for (let exponent = first; exponent <= last; ++exponent)
    for (const step of last - first <= 2 && exponent < last ? [1, 2, 5] : [1]) out.push(step * 10 ** exponent);
  return out;
}
