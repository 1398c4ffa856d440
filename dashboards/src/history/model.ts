// SPDX-License-Identifier: Apache-2.0
// What the chart of the history page draws: lines with their marks and levels, over the commits that were measured.
import { formatChange, formatNs, formatRate, formatTick } from '../lib/format';
import { figureOf, lineOf, stopsOf, type Shown, type Stop } from '../lib/history';
import type { HistoryData } from '../lib/history_load';
import type { ChartModel, Level, Mark } from '../ui/chart_draw';

export interface Model extends ChartModel {
  stops: Stop[];
  positions: Map<string, number>;
}

export function formatFigure(value: number, shown: Shown): string {
  if (shown === 'time') return formatNs(value);
  if (shown === 'rate') return formatRate(value, 'FLOP');
  return shown === 'roof' ? `${(value * 100).toFixed(1)} %` : formatChange(value);
}

export const titles: Record<string, string> = {
  time: 'median time',
  rate: 'FLOP per second: higher is faster',
  roof: 'share of the roof: higher is faster',
  start: 'relative to the start of the epoch',
};

function marksOf(data: HistoryData, positions: Map<string, number>): Mark[] {
  const marks: Mark[] = [];
  const shown = new Map<number, number>();
  for (const [index, track] of data.tracks.entries())
    for (const epoch of track.epochs) {
      for (const point of epoch.points) shown.set(point.run, positions.get(point.commit)!);
      for (const change of epoch.changes)
        marks.push({
          at: positions.get(change.commit_after)! - 0.5,
          kind: 'change',
          line: index,
          text: `${change.ratio > 1 ? '▲' : '▼'} ${formatChange(change.ratio)}`,
        });
    }
  for (const one of data.accepted) {
    const at = shown.get(one.run);
    const about = one.benchmarks.some((benchmark) =>
      data.tracks.some((track) => track.epochs[0]!.benchmark === benchmark.benchmark),
    );
    if (at !== undefined && about && one.revoked_at === null) marks.push({ at, kind: 'accepted', text: 'accepted' });
  }
  for (const [commit, name] of new Map(data.references.map((one) => [one.commit, one.name]))) {
    const at = positions.get(commit);
    if (at !== undefined) marks.push({ at, kind: 'promoted', text: name });
  }
  return marks.sort((a, b) => a.at - b.at);
}

function levelsOf(data: HistoryData, positions: Map<string, number>, to: string): Level[] {
  return data.tracks.flatMap((track) =>
    track.epochs.flatMap((epoch) => {
      const ends = [epoch.points[0]!, epoch.points[epoch.points.length - 1]!].map((point) =>
        positions.get(point.commit)!,
      );
      const figure = figureOf(epoch, to, data.references);
      return data.references
        .filter((one) => one.epoch === epoch.epoch && one.suite === epoch.suite && one.benchmark === epoch.benchmark)
        .map((one) => ({
          name: one.name,
          from: ends[0]! - 0.5,
          to: ends[1]! + 0.5,
          value: figure(one.median_ns),
          strong: one.anchor,
        }));
    }),
  );
}

export function modelOf(data: HistoryData, to: string): Model {
  const stops = stopsOf(data.tracks);
  const positions = new Map(stops.map((stop, at) => [stop.commit, at]));
  return {
    stops,
    positions,
    count: stops.length,
    lines: data.tracks.map((track) => lineOf(track, positions, to, data.references)),
    marks: marksOf(data, positions),
    levels: levelsOf(data, positions, to),
    tick: (at) => {
      const stop = stops[at];
      return stop ? formatTick(stop.finished_at, stops[0]!.finished_at, stops[stops.length - 1]!.finished_at) : '';
    },
    format: (value) => (value > 0 ? formatFigure(value, to) : ''), // a quiet benchmark moves in the fourth digit
  };
}
