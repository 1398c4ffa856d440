// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as format from './format';

const table = <A extends unknown[]>(name: string, call: (...args: A) => string, rows: [A, string][]) =>
  test(name, () => {
    for (const [args, want] of rows) assert.equal(call(...args), want);
  });

table('launches of one iteration stand beside the time of one', format.formatLaunches, [
  [[991, 1], '991.0 ns'],
  [[991, 2], '991.0 ns × 2'],
  [[1500, 0.3333], '1.500 µs × 0.333'],
  [[null, 0], '–'],
]);

table('times take the unit that fits', format.formatNs, [
  [[831.2], '831.2 ns'],
  [[12431], '12.43 µs'],
  [[3.2112e6], '3.211 ms'],
  [[1.5e9], '1.500 s'],
  [[0], '0 ns'],
  [[null], '–'],
  [[undefined], '–'],
  [[NaN], '–'],
]);
table('ratios are changes, and factors once they are large', format.formatChange, [
  [[1.0412], '+4.12 %'],
  [[0.997], '−0.30 %'],
  [[1.000001], '±0.00 %'],
  [[2.31], '×2.31'],
  [[0.25], '×0.250'],
  [[null], '–'],
  [[0], '–'],
]);
table('intervals name both ends', format.formatInterval, [
  [[1.036, 1.046], '+3.60 % to +4.60 %'],
  [[null, 1], '–'],
]);
table('rates are scaled', format.formatRate, [
  [[8.12e14, 'FLOP'], '812 TFLOP/s'],
  [[3.35e12, 'B'], '3.35 TB/s'],
  [[12, 'B'], '12.0 B/s'],
]);
table('durations', format.formatSeconds, [
  [[8.24], '8.2 s'],
  [[45], '45 s'],
  [[200], '3 min 20 s'],
  [[7500], '2 h 5 min'],
  [[400000], '4 d'],
]);
table('bytes', format.formatBytes, [
  [[12], '12 B'],
  [[2048], '2.00 KiB'],
  [[5 << 20], '5.00 MiB'],
]);
test('ages are coarse', () => {
  const now = Date.UTC(2026, 0, 10, 12);
  const ago = (seconds: number) => format.formatAge(now - seconds * 1000, now);
  assert.deepEqual([5, 90, 3600, 86400 * 3].map(ago), ['just now', '2 min ago', '1 h ago', '3 d ago']);
});
test('an axis within one day shows times, within minutes seconds', () => {
  const at = new Date(2026, 10, 22, 14, 5, 37).getTime();
  assert.match(format.formatTick(at, at, at + 3_600_000), /05/);
  assert.doesNotMatch(format.formatTick(at, at, at + 3_600_000), /22|37/);
  assert.match(format.formatTick(at, at, at + 60_000), /05.37/);
  assert.match(format.formatTick(at, at, at + 86_400_000), /22/);
});
