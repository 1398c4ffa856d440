// SPDX-License-Identifier: Apache-2.0
// Runs the browser tests: run.mjs [KERNELGATE [SHOTS]]. With KG_FULL further states of pages, both themes, three
// widths, paper, and the pages over many commits, on a replay's store and on the large one.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of one test: a browser or a server that never answers fails it, and the rest goes on. */
const TEST_MS_MAX = process.env.KG_FULL ? 900000 : 240000;
const here = dirname(fileURLToPath(import.meta.url));
const [kernelgate = join(here, '../../build/host/kernelgate'), shots = join(here, '../../build/dashboard-shots')] =
  process.argv.slice(2);
const done = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${TEST_MS_MAX}`,
    ...(process.env.KG_FULL ? ['actions', 'pages', 'history', 'replay', 'large'] : ['actions', 'pages']).map((name) =>
      join(here, `${name}.test.mjs`),
    ),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, KERNELGATE: resolve(kernelgate), KG_SHOTS: resolve(shots) },
  },
);
process.exitCode = done.status ?? 1;
