// SPDX-License-Identifier: Apache-2.0
// The sentence of a run, grouping and filtering of its benchmarks, and what their pictures are drawn from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { concludeRun, configurationOf } from './conclude';
import { familyOf, groupComparisons, matches, shapeOf, sortComparisons } from './group';
import { histogramOf, pairFigures, timedProcesses } from './samples';
import type { Comparison, Run, StoredProcess } from './types';

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

const run = (conclusion: string, comparisons: Comparison[], rest = {}): Run =>
  ({
    state: 'done',
    conclusion,
    comparisons,
    reason: '',
    summary: '',
    progress: '',
    ...rest,
  }) as unknown as Run;

const sentences: [string, Run, RegExp][] = [
  [
    'regressed',
    run('regressed', [
      comparison('a/1', 'regressed', 1.04),
      comparison('a/2', 'regressed', 1.08),
      comparison('b', 'unchanged'),
    ]),
    /^2 of 3 benchmarks got slower; most of all a\/2 by \+8\.00 % \(\+7\.00 % to \+9\.00 %\)\.$/,
  ],
  ['passed', run('passed', [comparison('a', 'unchanged')]), /^No slowdown in 1 benchmark\.$/],
  ['passed and faster', run('passed', [comparison('a', 'improved', 0.9)]), /1 got faster, most of all a by −10\.00 %/],
  [
    'passed by policy',
    run('passed', [comparison('a', 'regressed', 1.02)]),
    /a little slower, as the policy lets through/,
  ],
  [
    'broken',
    run('broken', [comparison('a', 'broken', null), comparison('b', 'timed_out', null)]),
    /^2 kernels do not work: a \(broken\), b \(timed out\)\.$/,
  ],
  [
    'undecided',
    run('undecided', [comparison('a', 'suspected'), comparison('b', 'unchanged')]),
    /^1 of 2 benchmarks stayed undecided/,
  ],
  ['infrastructure', run('infrastructure', [], { reason: 'Xid 79' }), /^No verdict: Xid 79\. This does not count/],
  ['cancelled', run('', [], { state: 'cancelled', reason: 'cancelled by ada' }), /^Cancelled: cancelled by ada\.$/],
  ['measuring', run('', [], { state: 'measuring', progress: 'pair 3' }), /^measuring: pair 3\.$/],
  ['nothing to do', run('passed', [], { summary: 'Docs only.' }), /^Docs only\.$/],
];
for (const [name, given, want] of sentences)
  test(`a run in one sentence: ${name}`, () => assert.match(concludeRun(given), want));

test('a configuration is told once where both sides chose the same', () => {
  const chosen = (base_configuration: string, head_configuration: string) =>
    configurationOf({ ...comparison('a', 'regressed'), base_configuration, head_configuration });
  assert.equal(configurationOf(comparison('a', 'regressed')), '');
  assert.equal(chosen('wmma', 'wmma'), 'wmma');
  assert.equal(chosen('wgmma/64', 'dense'), 'wgmma/64 → dense');
  assert.equal(chosen('', 'dense'), 'none → dense');
});
test('families and shapes are read from names', () => {
  assert.equal(familyOf('gemm/bf16/M:64'), 'gemm');
  assert.equal(familyOf('softmax'), 'softmax');
  assert.equal(shapeOf('gemm/bf16/M:64/tile:64x128/8192'), 'M:64 tile:64x128 8192');
  assert.equal(shapeOf('gemm/bf16'), 'no shape in the name');
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
test('what needs a person comes first, and groups keep that order', () => {
  const rows = [
    comparison('b/1', 'unchanged'),
    comparison('a/1', 'regressed', 1.1),
    comparison('b/2', 'crashed', null),
    comparison('a/2', 'regressed', 1.2),
  ];
  assert.deepEqual(
    sortComparisons(rows, 'verdict').map((one) => one.benchmark),
    ['b/2', 'a/2', 'a/1', 'b/1'],
  );
  assert.deepEqual(
    sortComparisons(rows, '-name').map((one) => one.benchmark),
    ['b/2', 'b/1', 'a/2', 'a/1'],
  );
  assert.deepEqual(
    groupComparisons(sortComparisons(rows, 'verdict'), 'family').map((group) => [group.name, group.rows.length]),
    [
      ['b', 2],
      ['a', 2],
    ],
  );
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

test('of a redone pair the last attempt that both sides completed counts', () => {
  const processes = timedProcesses(
    [
      stored('base', 0, 0, 0, 100),
      stored('head', 0, 0, 1, 150),
      stored('base', 0, 1, 2, 100),
      stored('head', 0, 1, 3, 110),
      stored('head', 1, 0, 4, 120),
      stored('base', 1, 0, 5, 100),
      stored('base', 2, 0, 6, 100),
    ],
    'a',
    0,
  );
  assert.deepEqual(pairFigures(processes), [
    { pair: 0, ratio: 1.1, headFirst: false },
    { pair: 1, ratio: 1.2, headFirst: true },
  ]);
});
test('a histogram holds every sample, whatever one spike does', () => {
  const processes = timedProcesses(
    Array.from({ length: 40 }, (_, i) => stored(i % 2 ? 'head' : 'base', i >> 1, 0, i, i === 7 ? 1e6 : 100 + i)),
    'a',
    0,
  );
  const histogram = histogramOf(processes)!;
  const sum = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  assert.deepEqual([sum(histogram.base), sum(histogram.head)], [60, 60]);
});
