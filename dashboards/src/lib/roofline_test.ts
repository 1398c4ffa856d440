// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOf, ratesShown, roofAt } from './roofline';
import type { Comparison } from './types';

const ceilings = { copy_bytes_s: 3e12, flops: { bf16: 7e14 } };
const one = (roof: Comparison['roof']) => ({ suite: 's', benchmark: 'b', verdict: 'unchanged', roof }) as Comparison;

test('a memory roof grows with intensity, a matrix rate does not', () => {
  assert.equal(roofAt(ceilings, 'dram', 10), 3e13);
  assert.equal(roofAt(ceilings, 'bf16', 10), 7e14);
  assert.equal(roofAt(ceilings, 'matrix rate', 10), 7e14);
  assert.equal(roofAt(ceilings, 'l2', 10), null);
  assert.equal(roofAt(ceilings, 'fp8', 10), null);
});

test('a point has a rate only where its roof is known', () => {
  const [known] = pointsOf([one({ intensity: 100, fraction: 0.5, roof: 'dram' })], ceilings);
  assert.equal(known!.rate, 1.5e14);
  assert.equal(pointsOf([one({ intensity: 100, fraction: 0.5, roof: 'fp8' })], ceilings)[0]!.rate, null);
  assert.equal(pointsOf([one({ intensity: 0, fraction: 0.5, roof: 'dram' })], ceilings)[0]!.rate, null);
  assert.equal(pointsOf([one({ intensity: 100, fraction: 0.5, roof: 'dram' })], null)[0]!.rate, null);
  assert.equal(pointsOf([one(null)], ceilings).length, 0);
});

test('a picture reaches up to the roof above each point', () => {
  const points = pointsOf(
    [one({ intensity: 100, fraction: 0.25, roof: 'dram' }), one({ intensity: 9, fraction: 1, roof: 'fp8' })],
    ceilings,
  );
  assert.deepEqual(ratesShown(points, ceilings), [7.5e13, 3e14]);
});
