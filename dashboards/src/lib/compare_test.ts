// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvField, csvOf, type CompareRow } from './compare';

test('foreign names stay names in a spreadsheet', () => {
  assert.equal(csvField('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`);
  assert.equal(
    csvOf([]).trim(),
    'suite,benchmark,base_median_ns,head_median_ns,ratio,ratio_low,ratio_high,verdict,pairing',
  );
});
test('a figure that is absent is an empty field', () => {
  const row = {
    suite: 's',
    benchmark: 'b',
    pairing: 'not_paired',
    verdict: '',
    ratio: 1.5,
    ratio_low: null,
  } as CompareRow;
  assert.equal(
    csvOf([{ ...row, ratio_high: null, base_median_ns: 2, head_median_ns: 3 }]).split('\r\n')[1],
    's,b,2,3,1.5,,,,not_paired',
  );
});
