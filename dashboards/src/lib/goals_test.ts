// SPDX-License-Identifier: Apache-2.0
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { goalsOf } from './goals';

const known = {
  pages: [{ pattern: '/', nav: { label: 'Overview' } }, { pattern: '/runs/{id}' }],
  repositories: ['kernels'],
  runs: [{ id: 12, subject: 'Widen the tile', commit: 'a'.repeat(40) }],
  benchmarks: [{ repository: 'kernels', suite: 'gemm', benchmark: 'fp16/4096' }],
};
const names = (text: string) => goalsOf(text, known).map((goal) => goal.name);

test('Without a word everything is offered, pages first', () => {
  deepEqual(names(''), ['Overview', 'kernels', 'gemm/fp16/4096', '#12 Widen the tile']);
});

test('Every word has to be there, in any order', () => {
  deepEqual(names('4096 gemm'), ['gemm/fp16/4096']);
  deepEqual(names('tile wide'), ['#12 Widen the tile']);
  deepEqual(names('tile absent'), []);
});

test('A number is a run and a hash is a commit, known or not', () => {
  equal(goalsOf('#77', known)[0]!.to, '/runs/77');
  equal(goalsOf('0a1b2c3', known)[0]!.to, '/runs?commit=0a1b2c3');
  deepEqual(names('defaced'), [], 'a word is no hash');
});
