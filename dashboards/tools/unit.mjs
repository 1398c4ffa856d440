// SPDX-License-Identifier: Apache-2.0
// Types, lint and format, then src/**/*_test.ts: bundled with Vite's own esbuild and run by node --test.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'kernelgate-unit-'));

const node = (...words) =>
  execFileSync(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, KG_GOLDEN: join(root, '../tests/golden') },
  });
const namesIn = (path, ending) =>
  readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(path, name));

try {
  node('node_modules/typescript/bin/tsc', '--noEmit');
  node('node_modules/eslint/bin/eslint.js', '--max-warnings=0', 'src');
  node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.');
  await build({
    entryPoints: namesIn(join(root, 'src'), '_test.ts'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  node('--test', '--test-reporter=spec', ...namesIn(folder, '.mjs'));
} catch (error) {
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
