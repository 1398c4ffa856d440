// SPDX-License-Identifier: Apache-2.0
// What the chart of benchmarks over commits draws. Pure: answers of the API in, positions and columns of pixels out.
// One position a commit, in the order in which the commits were first measured; times of two epochs never meet in one
// line. history_test.ts holds it.
import type { BenchmarkHistory as SentHistory, HistoryPoint as SentPoint } from './wire';

export type { HistoryChange, HistoryWork } from './wire';

/** As it comes in columns: without the ratio to the anchored baseline. */
export type HistoryPoint = Omit<SentPoint, 'anchor_ratio'>;
export type BenchmarkHistory = Omit<SentHistory, 'points'> & { points: HistoryPoint[] };

/** Points as the API sends many of them: one array a member. */
export type PointColumns = { [Member in keyof HistoryPoint]: HistoryPoint[Member][] };

export function pointsOfColumns({
  run,
  commit,
  finished_at,
  median_ns,
  spread_ns,
  processes,
  verdict,
  side,
}: PointColumns): HistoryPoint[] {
  return run.map((_, i) => ({
    run: run[i]!,
    commit: commit[i]!,
    finished_at: finished_at[i]!,
    median_ns: median_ns[i]!,
    spread_ns: spread_ns[i]!,
    processes: processes[i]!,
    verdict: verdict[i]!,
    side: side[i]!,
  }));
}

/** One benchmark on one testbed: its epochs, oldest first. */
export interface Track {
  testbed: string;
  epochs: BenchmarkHistory[];
}

export interface Stop {
  commit: string;
  run: number;
  finished_at: string;
}

export interface Line {
  name: string;
  testbed: string;
  /** By position; NaN where the commit has no figure. */
  value: Float64Array;
  low: Float64Array;
  high: Float64Array;
  /** Number of the epoch within the track, by position. */
  part: Uint8Array;
  points: (HistoryPoint | undefined)[];
}

/** A figure that a line is compared with, in one epoch. */
export interface Reference {
  name: string;
  anchor: boolean;
  suite: string;
  benchmark: string;
  epoch: number;
  commit: string;
  median_ns: number;
}

export function stopsOf(tracks: readonly Track[]): Stop[] {
  const stops = new Map<string, Stop>();
  for (const track of tracks)
    for (const epoch of track.epochs)
      for (const { commit, run, finished_at } of epoch.points) {
        const known = stops.get(commit);
        if (!known || run < known.run) stops.set(commit, { commit, run, finished_at });
      }
  return [...stops.values()].sort((a, b) => a.run - b.run);
}

/** What is shown of a time: 'time', 'rate' (FLOP/s), 'roof' (share of it), 'start' (relative to the epoch's start), or
 * the name of a baseline. */
export type Shown = string;

/** What a time of an epoch is shown as; NaN where there is nothing to compare it with. */
export function figureOf(
  epoch: BenchmarkHistory,
  shown: Shown,
  references: readonly Reference[],
): (ns: number) => number {
  const { work } = epoch;
  if (shown === 'time') return (ns) => ns;
  if (shown === 'rate') return (ns) => (work && work.flops > 0 ? (work.flops / ns) * 1e9 : NaN);
  if (shown === 'roof') return (ns) => (work?.roof_ns ? work.roof_ns / ns : NaN);
  const found = references.find(
    (one) =>
      one.name === shown && one.epoch === epoch.epoch && one.suite === epoch.suite && one.benchmark === epoch.benchmark,
  );
  const divisor = (shown === 'start' ? epoch.start_ns : found?.median_ns) ?? NaN;
  return (ns) => ns / divisor;
}

export function lineOf(
  track: Track,
  positions: Map<string, number>,
  shown: Shown,
  references: readonly Reference[],
): Line {
  const count = positions.size;
  const blank = () => new Float64Array(count).fill(NaN);
  const line: Line = {
    name: track.epochs[0]?.benchmark ?? '',
    testbed: track.testbed,
    value: blank(),
    low: blank(),
    high: blank(),
    part: new Uint8Array(count),
    points: new Array<HistoryPoint | undefined>(count).fill(undefined),
  };
  for (const [part, epoch] of track.epochs.entries()) {
    const figure = figureOf(epoch, shown, references);
    for (const point of epoch.points) {
      const at = positions.get(point.commit)!;
      const ends = [
        figure(point.median_ns - point.spread_ns / 2),
        figure(point.median_ns + point.spread_ns / 2),
      ] as const;
      line.value[at] = figure(point.median_ns);
      line.low[at] = Math.min(...ends);
      line.high[at] = Math.max(...ends);
      line.part[at] = part;
      line.points[at] = point;
    }
  }
  return line;
}

/** What is drawn: at most one entry a column of pixels, however many commits there are. */
export interface Columns {
  x: number[];
  mid: number[];
  low: number[];
  high: number[];
  /** Where the line is interrupted: indices that begin a new stretch. */
  starts: number[];
}

/** Positions `from` to `to` on `width` pixels: per column the mean, the lowest low and the highest high. */
export function columnsOf(line: Line, from: number, to: number, width: number): Columns {
  const out: Columns = { x: [], mid: [], low: [], high: [], starts: [] };
  const scale = width / Math.max(to - from, 1e-9);
  const first = Math.max(0, Math.floor(from) - 1);
  const last = Math.min(line.value.length - 1, Math.ceil(to) + 1);
  let column = NaN;
  let part = -1;
  let count = 0;
  for (let at = first; at <= last; ++at) {
    const value = line.value[at]!;
    if (value !== value) continue;
    const here = Math.floor((at - from) * scale);
    const end = out.x.length - 1;
    if (here !== column || line.part[at] !== part) {
      if (line.part[at] !== part) out.starts.push(end + 1);
      column = here;
      part = line.part[at]!;
      count = 1;
      out.x.push((at - from) * scale);
      out.mid.push(value);
      out.low.push(line.low[at]!);
      out.high.push(line.high[at]!);
      continue;
    }
    ++count;
    out.mid[end]! += (value - out.mid[end]!) / count;
    if (line.low[at]! < out.low[end]!) out.low[end] = line.low[at]!;
    if (line.high[at]! > out.high[end]!) out.high[end] = line.high[at]!;
  }
  return out;
}

/** Lowest and highest of what is visible, with a margin; flat lines get room, too. */
export function rangeOf(lines: readonly Line[], from: number, to: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const line of lines)
    for (let at = Math.max(0, Math.ceil(from)); at <= Math.min(line.value.length - 1, Math.floor(to)); ++at) {
      const value = line.value[at]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low > high) return [0, 1];
  const margin = Math.max((high - low) * 0.12, high * 0.004);
  return [low - margin, high + margin];
}

/** Runs of positions that one epoch of a track covers, for the shading behind the lines. */
export function spansOf(line: Line): { part: number; from: number; to: number }[] {
  const spans: { part: number; from: number; to: number }[] = [];
  for (let at = 0; at < line.value.length; ++at) {
    if (!line.points[at]) continue;
    const last = spans[spans.length - 1];
    if (last && last.part === line.part[at]) last.to = at;
    else spans.push({ part: line.part[at]!, from: at, to: at });
  }
  return spans;
}

/** Keeps a window within the positions and at least a few commits wide. */
export function clampWindow(from: number, to: number, count: number): [number, number] {
  const end = Math.max(count - 1, 1);
  const width = Math.min(Math.max(to - from, Math.min(8, end)), end + end * 0.02);
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(middle - width / 2, -end * 0.01), end * 1.01 - width);
  return [start, start + width];
}

/** "suite/benchmark" of the URL, split at the first slash. */
/** The suite/benchmark that a link means, also where it left out the suite; nothing where there is none, or several. */
export function wholeName(asked: string, names: readonly string[]): string | undefined {
  if (names.includes(asked)) return asked;
  const meant = names.filter((name) => splitName(name).benchmark === asked);
  return meant.length === 1 ? meant[0] : undefined;
}

export function splitName(text: string): { suite: string; benchmark: string } {
  const at = text.indexOf('/');
  return at < 0 ? { suite: text, benchmark: '' } : { suite: text.slice(0, at), benchmark: text.slice(at + 1) };
}
