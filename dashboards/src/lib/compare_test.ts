// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRuns, csvField, csvOf, type Side } from './compare';

const side = (commit: string, base_commit: string, ratio: number | null, head_ns: number, epoch = 1): Side => ({
  run: { commit, base_commit, epoch } as Side['run'],
  comparisons: [
    {
      suite: 's',
      benchmark: 'b',
      verdict: 'regressed',
      ratio,
      ratio_low: ratio && ratio * 0.99,
      ratio_high: ratio && ratio * 1.01,
      base_median_ns: ratio && head_ns / ratio,
      head_median_ns: head_ns,
      tolerate: 0.01,
      catch_limit: 0.03,
    } as Side['comparisons'][0],
  ],
});

test('a run that timed both is taken as it stands', () => {
  const [row] = compareRuns(side('a', 'x', 1.5, 999), side('b', 'a', 1.1, 110));
  assert.deepEqual([row!.how, row!.ratio, row!.verdict, Math.round(row!.base_ns!)], ['paired', 1.1, 'regressed', 100]);
});
test('the other way round has the inverse and no verdict', () => {
  const [row] = compareRuns(side('b', 'a', 1.25, 125), side('a', 'x', 1.5, 100));
  assert.deepEqual([row!.how, row!.ratio, row!.verdict], ['paired', 0.8, '']);
  assert.ok(row!.low! < 0.8 && row!.high! > 0.8);
});
test('a common base gives an interval wider than either', () => {
  const [row] = compareRuns(side('a', 'x', 1.0, 100), side('b', 'x', 1.2, 119));
  assert.equal(row!.how, 'common base');
  assert.equal(row!.ratio, 1.2);
  assert.ok(row!.high! / row!.ratio! > 1.012);
});
test('runs of their own, or of two epochs, are not paired', () => {
  for (const head of [side('b', 'y', 1.2, 130), side('b', 'x', 1.2, 130, 2)]) {
    const [row] = compareRuns(side('a', 'x', 1.0, 100), head);
    assert.deepEqual([row!.how, row!.ratio, row!.low, row!.verdict], ['not paired', 1.3, null, '']);
  }
});
test('a run on another testbed is not paired, though it timed both commits', () => {
  const there = (one: Side): Side => ({ ...one, run: { ...one.run, testbed: 'other', epoch: 2 } });
  for (const [base, head] of [
    [side('a', 'x', 1.0, 100), there(side('b', 'a', 1.1, 130))],
    [there(side('b', 'a', 1.1, 100)), side('a', 'x', 1.0, 130)],
  ]) {
    const [row] = compareRuns(base!, head!);
    assert.deepEqual([row!.how, row!.ratio, row!.base_ns], ['not paired', 1.3, 100]);
  }
});
test('foreign names stay names in a spreadsheet', () => {
  assert.equal(csvField('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`);
  assert.equal(csvOf([]).trim(), 'suite,benchmark,base_ns,head_ns,ratio,low,high,verdict,how');
});
