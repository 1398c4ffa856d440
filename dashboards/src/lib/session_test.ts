// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { tokenOfLink } from './session';

const token = `kg_${'0a'.repeat(32)}`;

void test('a login link holds a token and nothing else', () => {
  assert.equal(tokenOfLink(`#token=${token}`), token);
  for (const hash of [
    '',
    '#',
    '#token=',
    `#token=${token}0`,
    `#token=${token}&x=1`,
    `#other=${token}`,
    `?token=${token}`,
  ])
    assert.equal(tokenOfLink(hash), '', hash);
});
