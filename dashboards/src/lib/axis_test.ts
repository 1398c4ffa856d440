// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { axisOf, decadesOf, placeOf, placeOnLog, ticksOf, ticksOnLog, tickText } from './axis';

const row = (ratio: number) => ({ ratio, low: ratio * 0.99, high: ratio * 1.01 });

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

interface Golden {
  catch_limit: number;
  ratios: number[];
  reach: number;
  ticks: { ratio: number; place: number; text: string }[];
}

test('the server draws the same axis', () => {
  const golden = JSON.parse(readFileSync(`${process.env.KG_GOLDEN}/plot/axis.json`, 'utf8')) as Golden[];
  assert.ok(golden.length >= 5);
  for (const { catch_limit, ratios, reach, ticks } of golden) {
    const axis = axisOf(ratios.map(row), catch_limit);
    assert.ok(Math.abs(axis.reach - reach) < 1e-12);
    assert.deepEqual(
      ticksOf(axis).map(tickText),
      ticks.map((one) => one.text),
    );
    for (const { ratio, place } of ticks) assert.ok(Math.abs(placeOf(axis, ratio) - place) < 1e-12);
  }
});

test('axes are whole decades', () => {
  const span = decadesOf([0.3, 220, NaN, 0], { low: 1, high: 10 });
  assert.deepEqual(ticksOnLog(span), [0.1, 1, 10, 100, 1000]);
  assert.deepEqual(ticksOnLog({ low: 10, high: 100 }), [10, 20, 50, 100]);
  assert.equal(placeOnLog(span, 0.1), 0);
  assert.equal(placeOnLog(span, 10), 0.5);
  assert.equal(placeOnLog(span, 1e6), 1);
});
