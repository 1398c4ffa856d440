// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as history from './history';

const epoch = (number: number, runs: number[], ns: (run: number) => number): history.BenchmarkHistory => ({
  repository: 'r',
  suite: 's',
  benchmark: 'b',
  branch: 'main',
  epoch: number,
  epochs: [],
  older_left_out: false,
  changes: [],
  creep: null,
  anchor: null,
  anchor_note: '',
  start_ns: ns(runs[0]!),
  points: runs.map((run) => ({
    run,
    commit: `c${run}`,
    finished_at: '',
    median_ns: ns(run),
    spread_ns: 2,
    processes: 4,
    verdict: 'unchanged',
    side: 'head',
  })),
});
const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const placed = (track: history.Track, to = 'time', references: history.Reference[] = []) => {
  const stops = history.stopsOf([track]);
  return history.lineOf(track, new Map(stops.map((stop, at) => [stop.commit, at])), to, references);
};

test('commits of two tracks share one axis, in the order of their first run', () => {
  const one = { testbed: 'a', epochs: [epoch(1, [1, 4], () => 10)] };
  const two = { testbed: 'b', epochs: [{ ...epoch(2, [2, 5], () => 20) }] };
  two.epochs[0]!.points[1]!.commit = 'c4';
  assert.deepEqual(
    history.stopsOf([two, one]).map((stop) => stop.commit),
    ['c1', 'c2', 'c4'],
  );
  assert.deepEqual(
    history.stopsOf([two, one]).map((stop) => stop.run),
    [1, 2, 4],
  );
});

test('ten thousand commits make no more columns than pixels, and lose no peak', () => {
  const line = placed({ testbed: 'a', epochs: [epoch(1, range(10000), (run) => (run === 7777 ? 900 : 100))] });
  const columns = history.columnsOf(line, 0, 9999, 800);
  assert.ok(columns.x.length <= 801);
  assert.equal(Math.max(...columns.high), 901);
  assert.deepEqual(columns.starts, [0]);
});

test('a new epoch interrupts the line, in one column too', () => {
  const line = placed({ testbed: 'a', epochs: [epoch(1, [1, 2], () => 10), epoch(2, [3, 4], () => 20)] });
  const columns = history.columnsOf(line, 0, 3, 1);
  assert.deepEqual(columns.starts.length, 2);
  assert.deepEqual(columns.mid.slice(0, 2), [10, 20]);
  assert.deepEqual(
    history.spansOf(line).map((span) => [span.from, span.to]),
    [
      [0, 1],
      [2, 3],
    ],
  );
});

test('a ratio needs a figure of the same epoch', () => {
  const track = { testbed: 'a', epochs: [epoch(1, [1], () => 10), epoch(2, [2], () => 30)] };
  const reference = { name: 'v1', anchor: false, suite: 's', benchmark: 'b', epoch: 2, commit: 'c2', median_ns: 20 };
  assert.deepEqual([...placed(track, 'v1', [reference]).value], [NaN, 1.5]);
  assert.deepEqual([...placed(track, 'start').value], [1, 1]);
});

test('windows stay on the axis', () => {
  const [from, to] = history.clampWindow(-500, -100, 1000);
  assert.ok(from >= -10 && to - from === 400);
  assert.ok(history.clampWindow(3, 3.5, 1000)[1] - history.clampWindow(3, 3.5, 1000)[0] === 8);
});

test('names are split at the first slash', () => {
  assert.deepEqual(history.splitName('kernels/gemm/bf16'), { suite: 'kernels', benchmark: 'gemm/bf16' });
});

test('a rate and a share of the roof are higher where the time is shorter; without stated work there is none', () => {
  const stated = {
    ...epoch(1, [1, 2], (run) => run * 100),
    work: { flops: 5e5, bytes: 1e3, roof_ns: 50, roof: 'bf16' },
  };
  const track = { testbed: 'a', epochs: [stated, epoch(2, [3], () => 100)] };
  assert.deepEqual([...placed(track, 'rate').value], [5e12, 2.5e12, NaN]);
  assert.deepEqual([...placed(track, 'roof').value], [0.5, 0.25, NaN]);
  const line = placed(track, 'rate');
  assert.ok(line.low[0]! < line.value[0]! && line.value[0]! < line.high[0]!);
});

test('points come as columns', () => {
  const columns = {
    run: [1, 2],
    commit: ['a', 'b'],
    finished_at: ['', ''],
    median_ns: [10, 20],
    spread_ns: [1, 2],
    processes: [4, 4],
    verdict: ['unchanged', 'regressed'],
    side: ['base', 'head'],
  };
  assert.deepEqual(history.pointsOfColumns(columns)[1], {
    run: 2,
    commit: 'b',
    finished_at: '',
    median_ns: 20,
    spread_ns: 2,
    processes: 4,
    verdict: 'regressed',
    side: 'head',
  });
});

test('a link that leaves out the suite means the one benchmark of that name', () => {
  const names = ['a/gemm/64', 'a/gemm/128', 'b/gemm/128', 'b/sum'];
  assert.equal(history.wholeName('a/gemm/64', names), 'a/gemm/64');
  assert.equal(history.wholeName('gemm/64', names), 'a/gemm/64');
  assert.equal(history.wholeName('sum', names), 'b/sum');
  assert.equal(history.wholeName('gemm/128', names), undefined);
  assert.equal(history.wholeName('gemm', names), undefined);
});
