// SPDX-License-Identifier: Apache-2.0
// Fetches what the history page shows: tracks with their epochs, the figures to compare them with, accepted changes.
import { getAll, getJson, url } from './api';
import {
  pointsOfColumns,
  splitName,
  type BenchmarkHistory,
  type PointColumns,
  type Reference,
  type Track,
} from './history';
import type { Acknowledgement, Baseline, Epoch, WholeBaseline } from './types_stored';

export interface Wanted {
  repository: string;
  benchmarks: string[]; // suite/benchmark
  testbeds: string[]; // none: that of the newest figure
  branch: string;
  allEpochs: boolean;
}

export interface HistoryData {
  tracks: Track[];
  references: Reference[];
  accepted: Acknowledgement[];
  /** Testbeds that have figures of these benchmarks. */
  testbeds: string[];
}

const EPOCHS_MAX = 8;
const BASELINES_MAX = 16;

/** Half the bytes of a history whose points are objects. */
async function historyOf(
  wanted: Wanted,
  name: string,
  epoch: number | undefined,
  signal: AbortSignal,
): Promise<BenchmarkHistory> {
  const query = { repository: wanted.repository, ...splitName(name), branch: wanted.branch, epoch };
  const { history, columns } = await getJson<{ history: BenchmarkHistory; columns: PointColumns }>(
    url('/api/v1/history/columns', query),
    signal,
  );
  return { ...history, points: pointsOfColumns(columns) };
}

type Epochs = Map<number, Epoch>;

/** The benchmark's tracks; the newest epoch comes with the first answer, the others are asked for together. */
async function tracksOf(
  wanted: Wanted,
  name: string,
  epochs: Promise<Epochs>,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<Track[]> {
  const newest = await historyOf(wanted, name, undefined, signal);
  const known = await epochs;
  const testbedOf = (epoch: number) => known.get(epoch)?.testbed ?? '';
  for (const epoch of newest.epochs) seen.add(testbedOf(epoch));
  const testbeds = wanted.testbeds.length > 0 ? wanted.testbeds : newest.epoch ? [testbedOf(newest.epoch)] : [];
  return Promise.all(
    testbeds.map(async (testbed) => {
      const ids = newest.epochs
        .filter((epoch) => testbedOf(epoch) === testbed)
        .slice(0, wanted.allEpochs ? EPOCHS_MAX : 1);
      const parts = await Promise.all(
        ids.map(async (id) => (id === newest.epoch ? newest : historyOf(wanted, name, id, signal))),
      );
      return {
        testbed,
        epochs: parts.filter((part) => part.points.length > 0).sort((a, b) => a.points[0]!.run - b.points[0]!.run),
      };
    }),
  );
}

async function referencesOf(wanted: Wanted, signal: AbortSignal): Promise<Reference[]> {
  const baselines = await getAll<Baseline>(
    '/api/v1/baselines',
    'baselines',
    { repository: wanted.repository },
    signal,
    1,
  );
  const present = baselines.filter((one) => one.replaced_at === null).slice(0, BASELINES_MAX);
  const whole = await Promise.all(present.map((one) => getJson<WholeBaseline>(`/api/v1/baselines/${one.id}`, signal)));
  const names = new Set(wanted.benchmarks);
  return whole.flatMap(({ baseline, benchmarks }) =>
    benchmarks
      .filter((one) => names.has(`${one.suite}/${one.benchmark}`))
      .map(({ suite, benchmark, median_ns }) => ({
        name: baseline.name,
        anchor: baseline.anchor,
        epoch: baseline.epoch,
        commit: baseline.commit,
        suite,
        benchmark,
        median_ns,
      })),
  );
}

/** Everything at once: no answer waits for another but the older epochs for the newest. */
export async function loadHistory(wanted: Wanted, signal: AbortSignal): Promise<HistoryData> {
  const epochs = getAll<Epoch>('/api/v1/epochs', 'epochs', {}, signal, 4).then(
    (all): Epochs => new Map(all.map((epoch) => [epoch.id, epoch])),
  );
  epochs.catch(() => undefined); // whoever waits for them is told; where another request fails first, nobody does
  const seen = new Set<string>();
  const [found, references, accepted] = await Promise.all([
    Promise.all(wanted.benchmarks.map((name) => tracksOf(wanted, name, epochs, seen, signal))),
    referencesOf(wanted, signal),
    getAll<Acknowledgement>(
      '/api/v1/acknowledgements',
      'acknowledgements',
      { repository: wanted.repository },
      signal,
      2,
    ),
  ]);
  return {
    tracks: found.flat().filter((track) => track.epochs.length > 0),
    references,
    accepted,
    testbeds: [...seen].sort(),
  };
}
