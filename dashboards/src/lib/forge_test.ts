// SPDX-License-Identifier: Apache-2.0
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { commitAt } from './forge';

const commit = '0123456789abcdef0123456789abcdef01234567';

test('A commit is found at its forge, however the repository is fetched', () => {
  for (const address of [
    'https://github.com/ada/kernels',
    'https://github.com/ada/kernels.git',
    'https://token@github.com/ada/kernels.git',
    'ssh://git@github.com:22/ada/kernels.git',
    'git@github.com:ada/kernels.git',
  ])
    equal(commitAt(address, commit)?.href, `https://github.com/ada/kernels/commit/${commit}`, address);
  equal(
    commitAt('git@gitlab.example.org:a/b/c.git', commit)?.href,
    `https://gitlab.example.org/a/b/c/-/commit/${commit}`,
  );
});

test('Nothing is linked that is no known forge or no commit', () => {
  for (const address of [
    '',
    '/srv/kernels.git',
    'file:///srv/kernels',
    'https://example.org/ada/kernels',
    'https://github.com/ada/"><script>',
    'javascript://github.com/ada/kernels',
  ])
    equal(commitAt(address, commit), null, address);
  equal(commitAt('https://github.com/ada/kernels', 'HEAD'), null);
});
