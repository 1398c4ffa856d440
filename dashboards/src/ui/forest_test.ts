// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisOf, placeOf, ticksOf } from './forest';

const row = (ratio: number) => ({ ratio, low: ratio * 0.99, high: ratio * 1.01, verdict: 'regressed' });

test('slower and faster by the same factor lie as far from the middle', () => {
  const axis = axisOf([row(1.3)], 0.03);
  assert.equal(placeOf(axis, 1), 0.5);
  assert.ok(Math.abs(placeOf(axis, 1.2) - 0.5 - (0.5 - placeOf(axis, 1 / 1.2))) < 1e-12);
});
test('every interval fits, and what is too far lies at the end', () => {
  const rows = [row(0.5), row(1.02), row(3)];
  const axis = axisOf(rows, 0.03);
  for (const one of rows) assert.ok(placeOf(axis, one.low) > 0 && placeOf(axis, one.high) < 1);
  assert.equal(placeOf(axis, 1e9), 1);
});
test('the band of catch is wide enough to see beside a factor of ten', () => {
  const axis = axisOf([row(10)], 0.03);
  assert.ok(placeOf(axis, 1.03) - placeOf(axis, 1) > 0.05);
});
test('ticks stand apart and symmetrically', () => {
  const ticks = ticksOf(axisOf([row(1.1)], 0.03));
  assert.ok(ticks.includes(1) && ticks.length >= 5);
  for (const reach of [1.02, 1.1, 1.5, 3, 17]) {
    const axis = axisOf([row(reach)], 0.03);
    const places = ticksOf(axis).map((ratio) => placeOf(axis, ratio));
    for (const [i, place] of places.slice(1).entries()) assert.ok(place - places[i]! > 0.06, `${reach}: ${places}`);
  }
  assert.ok(Math.abs(ticks[0]! * ticks[ticks.length - 1]! - 1) < 1e-12);
});
