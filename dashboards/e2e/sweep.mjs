// SPDX-License-Identifier: Apache-2.0
// A sweep that is really run: `kernelgate sweep` builds, checks and times each point of a small repository on this
// machine's processor and keeps it in the store of a running server.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
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

/** As a real matrix ends: some points win, one loses, others compute wrong numbers, are misaligned or do not compile. */
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
esac >"$build/times"
`;

/** Sweeps 12 points into the server's store. `error`: what the compiler says of those that do not compile. */
export async function sweep(server, error) {
  const repository = join(server.folder, 'swept');
  mkdirSync(repository);
  const write = (name, text) => writeFileSync(join(repository, name), text);
  write('kernelgate.toml', manifest);
  write('build.sh', build(error));
  write('right.sh', `echo '${JSON.stringify(right)}'\n`);
  write('wrong.sh', `echo '${JSON.stringify(wrong)}'; exit 1\n`);
  copyFileSync(table, join(repository, 'table.sh'));
  chmodSync(join(repository, 'table.sh'), 0o755);
  const git = (...args) => execFileSync('git', ['-C', repository, '-c', 'user.name=Ada Kernel', '-c', 'user.email=ada@example.org', ...args], { timeout: 60000 });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'Try tiles, warps and stages of attention');
  await promisify(execFile)(server.kernelgate, ['sweep', '--no-sandbox', '--repository', repository, '--db', join(server.folder, 'kernelgate.sqlite')], { timeout: 200000 });
}
