// SPDX-License-Identifier: Apache-2.0
// Words for the roofs that a run's benchmarks stand under.
export type { Ceilings, Roof, RoofPoint, RunCeilings } from './wire';

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
