// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellKey, failuresOf, heatOf, matricesOf, valuesOf, type Attempt } from './sweep';

const point = (name: string) => ({ commit: 'c', suite: 's', point: name }) as Attempt;

test('the two longest axes span a matrix, the others make several', () => {
  const names = ['64', '128', '256'].flatMap((m) =>
    ['4', '8'].flatMap((warps) => ['1'].map((stages) => `STAGES=${stages} WARPS=${warps} M=${m}`)),
  );
  const [matrix, none] = matricesOf(names.map(point));
  assert.equal(none, undefined);
  assert.deepEqual(
    [matrix!.column, matrix!.columns, matrix!.rows, matrix!.title],
    ['M', ['64', '128', '256'], ['4', '8'], 'STAGES=1'],
  );
  assert.equal(matrix!.cell.get(cellKey('8', '128'))!.point, 'STAGES=1 WARPS=8 M=128');
});
test('one axis is a matrix of one row', () => {
  assert.deepEqual(matricesOf([point('B=64'), point('B=8')])[0]!.columns, ['8', '64']);
});
test('values keep what follows the first sign', () => assert.equal(valuesOf('F=a=b').get('F'), 'a=b'));
test('heat ends at a factor of 1.5', () => assert.deepEqual([heatOf(1), heatOf(9), heatOf(0.1)], [0, 1, -1]));
test('matrices stand in the order of what they share', () => {
  const names = ['2', '10', '1'].flatMap((s) =>
    ['4', '8'].flatMap((w) => ['1', '2', '3', '5'].map((m) => `M=${m} S=${s} W=${w}`)),
  );
  assert.deepEqual(
    matricesOf(names.map(point)).map((one) => one.title),
    ['W=4', 'W=8'],
  );
});
test('failures are told once, those of most points first', () => {
  const failed = (name: string, detail: string) => ({ ...point(name), failed: true, outcome: 'broken', detail });
  const groups = failuresOf([failed('B=128', 'same'), failed('B=7', 'other'), failed('B=80', 'same'), point('B=64')]);
  assert.deepEqual(
    groups.map((group) => group.map((one) => one.point)),
    [['B=80', 'B=128'], ['B=7']],
  );
});
