// SPDX-License-Identifier: Apache-2.0
// Holds dist/ against a fresh build (same names, same bytes), and against its limit after gzip.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const GZIP_BYTES_MAX = 120 * 1024;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function filesOf(folder) {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile());
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
}

const fresh = mkdtempSync(join(tmpdir(), 'kernelgate-dist-'));
const found = [];
try {
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, KG_DIST: fresh },
  });
  const [want, have] = [filesOf(fresh), filesOf(join(root, 'dist'))];
  for (const [name, bytes] of want) {
    if (!have.has(name)) found.push(`dist/${name} is missing`);
    else if (!have.get(name).equals(bytes)) found.push(`dist/${name} is another than a fresh build makes`);
  }
  for (const name of have.keys()) if (!want.has(name)) found.push(`dist/${name} is left over`);
  const gzip = [...want.values()].reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
  if (gzip > GZIP_BYTES_MAX) found.push(`the bundle has ${gzip} bytes after gzip, ${GZIP_BYTES_MAX} at most`);
  console.log(`dashboard bundle: ${want.size} files, ${gzip} bytes after gzip`);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
if (found.length > 0) {
  console.error(found.join('\n') + "\nrun 'npm run build' in dashboards/ and commit all of dist/");
  process.exitCode = 1;
}
