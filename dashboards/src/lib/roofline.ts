// SPDX-License-Identifier: Apache-2.0
// Where a run's benchmarks stand under the roofs of the card: rates over intensity, or shares of the roof. Pure;
// roofline_test.ts holds it.
import type { Comparison } from './types';
import type { Ceilings } from './wire';

export type { Ceilings } from './wire';

export interface RoofPoint {
  suite: string;
  benchmark: string;
  verdict: string;
  intensity: number; // FLOP/byte
  fraction: number; // of the roof there
  roof: string; // dram, l2 or a data type
  /** FLOP/s; null where the roof's rate is not known. */
  rate: number | null;
}

/** FLOP/s that a roof allows at an intensity. */
export function roofAt(ceilings: Ceilings, roof: string, intensity: number): number | null {
  if (roof === 'dram') return ceilings.copy_bytes_s > 0 ? ceilings.copy_bytes_s * intensity : null;
  if (roof === 'l2') return ceilings.l2_bytes_s ? ceilings.l2_bytes_s * intensity : null;
  const rates = Object.values(ceilings.flops);
  return ceilings.flops[roof] || (roof === 'matrix rate' && rates.length > 0 ? Math.max(...rates) : null);
}

export function pointsOf(comparisons: readonly Comparison[], ceilings: Ceilings | null): RoofPoint[] {
  return comparisons.flatMap(({ suite, benchmark, verdict, roof }) => {
    if (!roof || !(roof.fraction > 0)) return [];
    const limit = ceilings && roof.intensity > 0 ? roofAt(ceilings, roof.roof, roof.intensity) : null;
    return [{ suite, benchmark, verdict, ...roof, rate: limit === null ? null : limit * roof.fraction }];
  });
}

/** Rates that a picture of these points shows: each point's, and its roof's above it. */
export const ratesShown = (points: readonly RoofPoint[], ceilings: Ceilings): number[] =>
  points.flatMap((one) => (one.rate === null ? [] : [one.rate, roofAt(ceilings, one.roof, one.intensity) ?? one.rate]));

/** A roof as people name it: "memory", "the L2", "the bf16 rate". */
export const roofWord = (roof: string): string =>
  roof === 'dram'
    ? 'memory'
    : roof === 'l2'
      ? 'the L2'
      : roof === 'matrix rate'
        ? 'the matrix rate'
        : `the ${roof} rate`;

/** FLOP per byte to three digits. */
export const formatIntensity = (value: number) => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3));

/** "62.1 % of the roof (memory) at 3.20 FLOP/byte". */
export const roofText = ({ fraction, roof, intensity }: { fraction: number; roof: string; intensity: number }) =>
  `${(fraction * 100).toFixed(1)} % of the roof (${roofWord(roof)}) at ${formatIntensity(intensity)} FLOP/byte`;
