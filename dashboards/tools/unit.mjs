// SPDX-License-Identifier: Apache-2.0
// Bundles src/**/*_test.ts with Vite's own esbuild and runs them with node --test.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'kernelgate-unit-'));
try {
  const tests = readdirSync(join(root, 'src/lib')).concat(
    readdirSync(join(root, 'src/ui')).map((name) => `../ui/${name}`),
  );
  await build({
    entryPoints: tests.filter((name) => name.endsWith('_test.ts')).map((name) => join(root, 'src/lib', name)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const made = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name));
  execFileSync(process.execPath, ['--test', ...made], { stdio: 'inherit' });
} catch (error) {
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
