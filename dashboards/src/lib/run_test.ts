// SPDX-License-Identifier: Apache-2.0
// Grouping and filtering of a run's benchmarks, and what their pictures are drawn from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alike, countsOf, familyOf, groupComparisons, hasWords, matches, shapeOf, sortComparisons } from './group';
import { timedProcesses } from './samples';
import type { Comparison, StoredProcess, VerdictCount } from './types';

const comparison = (benchmark: string, verdict: string, ratio: number | null = 1): Comparison =>
  ({
    suite: 'kernels',
    benchmark,
    verdict,
    severity: 'none',
    reason: `why ${verdict}`,
    fingerprint: '',
    round: 0,
    pairs: 4,
    ratio,
    ratio_low: ratio && ratio - 0.01,
    ratio_high: ratio && ratio + 0.01,
    base_median_ns: 100,
    head_median_ns: 100,
    tolerate: 0.01,
    catch_limit: 0.03,
    looks: [],
    gpu_s: 1,
  }) as unknown as Comparison;

test('families and shapes are read from names', () => {
  assert.equal(familyOf('gemm/bf16/M:64'), 'gemm');
  assert.equal(familyOf('softmax'), 'softmax');
  assert.equal(shapeOf('gemm/bf16/M:64/tile:64x128/8192'), 'M:64 tile:64x128 8192');
  assert.equal(shapeOf('gemm/bf16'), 'no shape in name');
});
test('what failed alike is one failure', () => {
  const one = { ...comparison('a', 'broken', null), fingerprint: 'f' };
  const same = { ...comparison('b', 'broken', null), fingerprint: 'f', reason: 'other words' };
  const other = { ...comparison('c', 'broken', null), fingerprint: 'g' };
  const crashed = { ...comparison('d', 'crashed', null), fingerprint: 'f' };
  const [plain, again] = [comparison('e', 'crashed', null), comparison('h', 'crashed', null)];
  const names = alike([one, same, other, crashed, plain, again]).map((rows) => rows.map((row) => row.benchmark).join());
  assert.deepEqual(names, ['a,b', 'c', 'd', 'e,h']);
});
test('a filter wants every word and none with a minus', () => {
  const one = comparison('gemm/bf16/M:64', 'regressed');
  for (const [filter, want] of [
    ['', true],
    ['GEMM 64', true],
    ['gemm -bf16', false],
    ['-fp8 regressed', true],
    ['fp8', false],
  ] as const)
    assert.equal(matches(one, filter), want, filter);
});
test('a search wants every word', () => {
  assert.ok(hasWords('gemm/bf16/M:64', ' GEMM 64 '));
  assert.ok(!hasWords('gemm/bf16/M:64', 'gemm fp8'));
});
test('rows come in the order in which the server lists the verdicts, and groups keep it', () => {
  const rows = [
    comparison('b/1', 'unchanged'),
    comparison('a/1', 'regressed', 1.1),
    comparison('b/2', 'crashed', null),
    comparison('a/2', 'regressed', 1.2),
  ];
  const verdicts = [
    { verdict: 'crashed', count: 1, failure: true },
    { verdict: 'regressed', count: 2, failure: false },
    { verdict: 'unchanged', count: 1, failure: false },
  ] as VerdictCount[];
  const sorted = sortComparisons(rows, 'verdict', verdicts);
  assert.deepEqual(
    sorted.map((one) => one.benchmark),
    ['b/2', 'a/2', 'a/1', 'b/1'],
  );
  assert.deepEqual(
    sortComparisons(rows, '-name', verdicts).map((one) => one.benchmark),
    ['b/2', 'b/1', 'a/2', 'a/1'],
  );
  const groups = groupComparisons(sorted, 'family').map((group) => `${group.name} ${group.rows.length}`);
  assert.deepEqual(groups, ['b 2', 'a 2']);
  const counts = countsOf(sorted.slice(2), verdicts).map((one) => `${one.count} ${one.verdict}`);
  assert.deepEqual(counts, ['1 regressed', '1 unchanged']);
});

const stored = (side: string, pair: number, attempt: number, order: number, ns: number): StoredProcess =>
  ({
    generation: 1,
    superseded: false,
    stored_at: '',
    process: {
      side,
      pair,
      attempt,
      order,
      round: 0,
      disturbed: false,
      disturbance: '',
      state_json: '{}',
      series: [{ benchmark: 'a', samples_ns: [ns, ns, ns + 1] }],
    },
  }) as unknown as StoredProcess;

test('processes that timed the benchmark stand in the order in time', () => {
  const rows = [stored('head', 0, 0, 2, 9), stored('base', 0, 0, 1, 8), stored('base', 1, 0, 3, 7)];
  const found = timedProcesses(rows, 'a', 0);
  assert.deepEqual(
    found.map(({ side, pair }) => `${side} ${pair}`),
    ['base 0', 'head 0', 'base 1'],
  );
  assert.equal(timedProcesses(rows, 'b', 0).length, 0);
  assert.equal(found[0]!.state, null);
});
