// SPDX-License-Identifier: Apache-2.0
// A small repository that is really built, checked and timed on this machine's processor: by a runner, or by
// `kernelgate sweep` into the store of a running server.
import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const table = join(dirname(fileURLToPath(import.meta.url)), '../../tests/support/table_suite.sh');
const wrong = { name: 'square', shape: '4x4', passed: false, bound: 1e-5, rel_err: 0.5 };
const right = { name: 'square', shape: '4x4', passed: true, bound: 1e-5, rel_err: 1e-8 };

const manifest = `schema = 1
[build]
build = "sh {source}/build.sh {source} {build} {defines}"
[[suite]]
name = "attention"
run = "{build}/suite"
check = "sh {build}/check.sh"
time = "cpu"
timeout_s = 30
[policy]
max_pairs = 4
[[sweep]]
suite = "attention"
axes = { BLOCK_M = [64, 80, 128], NUM_WARPS = [4, 8], STAGES = [1, 2] }
`;

/** Like a real matrix: some points win, one loses, others compute wrong numbers, are misaligned or fail to compile. */
const build = (error) => `source=$1 build=$2
shift 2
for define in "$@"; do eval "\${define#-D}"; done
cp "$source/table.sh" "$build/suite"
cp "$source/right.sh" "$build/check.sh"
case $BLOCK_M.$NUM_WARPS.$STAGES in
  64.4.1) printf 'attention/prefill\\t100\\nattention/decode\\t40\\n' ;;
  64.4.2) printf 'attention/prefill\\t92\\nattention/decode\\t40\\n' ;;
  64.8.1) printf 'attention/prefill\\t81\\nattention/decode\\t36\\n' ;;
  64.8.2) printf 'attention/prefill\\t64\\nattention/decode\\t31\\n' ;;
  80.*) printf 'attention/prefill\\t70\\texit 1\\nattention/decode\\t40\\n' ;;
  128.4.1) printf 'attention/prefill\\t118\\nattention/decode\\t43\\n' ;;
  128.4.2) printf 'attention/prefill\\t50\\nattention/decode\\t40\\n' && cp "$source/wrong.sh" "$build/check.sh" ;;
  128.8.*) echo '${error}' >&2 && exit 1 ;;
  ..) printf 'attention/prefill\\t100\\nattention/decode\\t40\\n' ;;
esac >"$build/times"
`;

/** Its folder and its commits, of which the second one changes a build line. `error`: what the compiler says of points
 * that do not compile. */
export function makeRepository(server, error) {
  const folder = join(server.folder, 'swept');
  mkdirSync(folder);
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('kernelgate.toml', manifest);
  write('build.sh', build(error));
  write('right.sh', `echo '${JSON.stringify(right)}'\n`);
  write('wrong.sh', `echo '${JSON.stringify(wrong)}'; exit 1\n`);
  copyFileSync(table, join(folder, 'table.sh'));
  chmodSync(join(folder, 'table.sh'), 0o755);
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada Kernel', '-c', 'user.email=ada@example.org', ...args], {
      timeout: 60000,
    })
      .toString()
      .trim();
  git('init', '-q', '-b', 'main');
  const commit = (subject) => {
    git('add', '-A');
    git('commit', '-q', '-m', subject);
    return git('rev-parse', 'HEAD');
  };
  const first = commit('Time attention');
  appendFileSync(join(folder, 'build.sh'), `sed -i 's|prefill\\t100|prefill\\t104|' "$build/times"\n`);
  return { folder, commits: [first, commit('Try tiles, warps and stages of attention')] };
}

/** Sweeps 12 points into the server's store. */
export async function sweep(server, error) {
  const { folder } = makeRepository(server, error);
  await promisify(execFile)(
    server.kernelgate,
    ['sweep', '--no-sandbox', '--repo', folder, '--db', join(server.folder, 'kernelgate.sqlite')],
    { timeout: 200000 },
  );
}

/** A runner of this machine that ends after one run, or when `signal` says. */
export async function runOnce(server, signal) {
  const tokenFile = join(server.folder, 'runner-token');
  writeFileSync(tokenFile, server.tokens.runner, { mode: 0o600 });
  await promisify(execFile)(
    server.kernelgate,
    [
      'runner',
      '--once',
      '--no-sandbox',
      '--server',
      server.url,
      '--token-file',
      tokenFile,
      '--work',
      join(server.folder, 'work'),
      '--testbed',
      'this-machine',
    ],
    { timeout: 120000, signal },
  );
}
