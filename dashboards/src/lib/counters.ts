// SPDX-License-Identifier: Apache-2.0
// What the profiler counted in one kernel on both sides: names and units for people. Pure; counters_test.ts holds it.
import { formatBytes, formatChange, formatNs } from './format';

export interface CountedKernel {
  kernel: string;
  counters: Record<string, number>;
}

/** One entry of /runs/{id}/counters. */
export interface Counted {
  suite: string;
  profile: CountedKernel & { benchmark: string; side: 'base' | 'head' };
}

type Kind = 'share' | 'time' | 'bytes' | 'warps' | 'count';

export interface CounterRow {
  metric: string;
  name: string;
  base: string;
  head: string;
  change: string;
  /** 0 to 1: how far apart the sides are. */
  moved: number;
}

const known: Record<string, [string, Kind]> = {
  'gpu__time_duration.sum': ['duration', 'time'],
  'sm__throughput.avg.pct_of_peak_sustained_elapsed': ['SM utilisation', 'share'],
  'dram__throughput.avg.pct_of_peak_sustained_elapsed': ['DRAM utilisation', 'share'],
  'gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed': ['DRAM utilisation', 'share'],
  'dram__bytes.sum': ['DRAM traffic', 'bytes'],
  'lts__t_sector_hit_rate.pct': ['L2 hit rate', 'share'],
  'l1tex__t_sector_hit_rate.pct': ['L1 hit rate', 'share'],
  'sm__warps_active.avg.pct_of_peak_sustained_active': ['occupancy', 'share'],
  sm__maximum_warps_per_active_cycle_pct: ['occupancy limit', 'share'],
  'sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed': ['tensor pipe', 'share'],
  'sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_elapsed': ['TMA pipe', 'share'],
  'sm__inst_executed_pipe_tensor.sum': ['tensor instructions', 'count'],
  'l1tex__data_bank_conflicts_pipe_lsu.sum': ['bank conflicts', 'count'],
  'smsp__inst_executed.sum': ['instructions', 'count'],
  launch__registers_per_thread: ['registers a thread', 'count'],
  launch__waves_per_multiprocessor: ['waves', 'count'],
};

const stalled = /^smsp__average_warps_issue_stalled_(.+)_per_issue_active\.ratio$/;

function nameOf(metric: string): [string, Kind] {
  const stall = stalled.exec(metric);
  if (stall) return [`stalled: ${stall[1]!.replace(/_/g, ' ')}`, 'warps'];
  return known[metric] ?? [metric, metric.includes('pct') ? 'share' : /_bytes\.sum$/.test(metric) ? 'bytes' : 'count'];
}

/** "30.8 M": counts of hardware, to three digits. */
export function formatCount(value: number): string {
  for (const [size, prefix] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const)
    if (Math.abs(value) >= size) return `${(value / (prefix === 'k' ? 1e3 : size)).toPrecision(3)} ${prefix}`;
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

const written: Record<Kind, (value: number) => string> = {
  share: (value) => `${value.toFixed(1)} %`,
  time: (value) => formatNs(value),
  bytes: formatBytes,
  warps: (value) => `${value.toFixed(2)} warps`,
  count: formatCount,
};

/** Near 0 a counter may double and mean nothing. */
const least: Record<Kind, number> = { share: 20, time: 1, bytes: 1, warps: 1, count: 1 };

function change(kind: Kind, base: number, head: number): string {
  if (base === head) return '=';
  if (kind === 'share') return `${head < base ? '−' : '+'}${Math.abs(head - base).toFixed(1)} points`;
  return base > 0 && head > 0 ? formatChange(head / base) : head > base ? 'new' : 'gone';
}

/** Every counter that both sides have, the one that moved most first. */
export function counterRows(base: CountedKernel, head: CountedKernel): CounterRow[] {
  const seen = new Set<string>();
  return Object.keys(base.counters)
    .filter((metric) => metric in head.counters)
    .map((metric) => {
      const [name, kind] = nameOf(metric);
      const [a, b] = [base.counters[metric]!, head.counters[metric]!];
      const moved = Math.abs(b - a) / Math.max(Math.abs(a), Math.abs(b), least[kind]);
      return { metric, name, base: written[kind](a), head: written[kind](b), change: change(kind, a, b), moved };
    })
    .sort((a, b) => b.moved - a.moved || a.name.localeCompare(b.name))
    .filter((row) => !seen.has(row.name) && seen.add(row.name));
}

/** The profiler cuts the names of kernels in namespaces without one. */
export const kernelName = (kernel: string) => kernel.replace(/^unnamed>::/, '');

export interface CodeChange {
  kernel: string;
  what: string[];
}

/** "kernels::gemm<64>: registers 21 -> 32, spills 0 -> 544 bytes (0 -> 184 stores, …)" as its parts. */
export function codeChange(line: string): CodeChange {
  const at = line.search(/: (?=\S)/);
  if (at < 0) return { kernel: '', what: [line] };
  const arrows = (text: string) => text.replace(/ -> /g, ' → ');
  return { kernel: arrows(line.slice(0, at)), what: arrows(line.slice(at + 2)).split(/, (?![^(]*\))/) };
}
