// SPDX-License-Identifier: Apache-2.0
// Runs the browser tests: run.mjs [KERNELGATE [SHOTS]].
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [kernelgate = join(here, '../../build/host/kernelgate'), shots = join(here, '../../build/dashboard-shots')] = process.argv.slice(2);
const done = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...['acts', 'pages', 'history'].map((name) => join(here, `${name}.test.mjs`))], {
  stdio: 'inherit', env: { ...process.env, KERNELGATE: resolve(kernelgate), KG_SHOTS: resolve(shots) },
});
process.exitCode = done.status ?? 1;
