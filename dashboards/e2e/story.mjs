// SPDX-License-Identifier: Apache-2.0
// The small store of the browser tests: three repositories, two testbeds, and a run of each kind that the pages show.
import { createHash } from 'node:crypto';
import { measure } from './measure.mjs';

const hash = (text) => createHash('sha1').update(text).digest('hex');

/** FLOP and bytes of a product with 3,072 columns. */
const product = (m, k, bytes) => ({ flops: 2 * m * 3072 * k, bytes: bytes * (m * k + 3072 * k + 3072 * m) });

export const benchmarks = [
  ...['bf16', 'fp8'].flatMap((type) =>
    [512, 1024, 4096, 8192].flatMap((m) =>
      [64, 128, 4096].map((k) => ({
        name: `gemm/${type}/M:${m}/K:${k}`,
        ns: 2000 + m * k * (type === 'bf16' ? 0.011 : 0.007) + m * 2.4,
        work: product(m, k, type === 'bf16' ? 2 : 1),
      })),
    ),
  ),
  ...['prefill', 'decode'].flatMap((kind) =>
    [1, 8, 64].map((batch) => {
      const ns = (kind === 'prefill' ? 310000 : 21000) * (1 + batch / 7);
      return {
        name: `attention/${kind}/batch:${batch}/seq:8192`,
        ns,
        work: kind === 'prefill' ? { flops: ns * 4.2e5, bytes: ns * 900 } : { flops: ns * 2300, bytes: ns * 2200 },
      };
    }),
  ),
  ...[1024, 4096, 16384].map((n) => ({
    name: `layernorm/rows:${n}`,
    ns: 900 + n * 1.7,
    work: { flops: n * 900, bytes: n * 2600 },
  })),
  { name: 'softmax/odd:257', ns: 4100 },
];

/** Text that would do harm if any page took it for more than text. */
export const malice = {
  subject: `<script>window.harmed='subject'</script><img src=x onerror="window.harmed='image'">`,
  branch: `evil/"><svg/onload=window.harmed='branch'>`,
  author: `</code><script>window.harmed='author'</script> <evil@example.org>`,
  benchmark: `gemm/<img src=x onerror=window.harmed='benchmark'>/"'\`{{7*7}}/javascript:alert(1)`,
  error: `kernels/<img src=x onerror=window.harmed='error'>.cu:7: out[3] is NaN`,
  log: `\u001b[31m</pre><script>window.harmed='log'</script>\n\u202Egnp.exe\n`,
  lesson: `<iframe src="javascript:window.harmed='lesson'"></iframe>`,
  compiler: `error: <script>window.harmed="compiler"</script>`,
  configuration: `<img src=x onerror=window.harmed='configuration'>`,
  notice: `<b onmouseover=window.harmed='notice'>manifest</b>`,
};

const check = (name, rest) => ({
  suite: 'kernels',
  side: 'head',
  name,
  shape: 'M=257 N=129 K=65',
  passed: true,
  bound: 0.004,
  max_abs_err: 0.0021,
  rel_err: 0.0007,
  first_bad: -1,
  seed: '42',
  error_class: '',
  error_value: null,
  fingerprint: '',
  text: '',
  ...rest,
});

const wrong = check('gemm/fp8/odd', {
  passed: false,
  max_abs_err: 3.5,
  rel_err: 0.41,
  first_bad: 4160,
  error_class: 'wrong_value',
  error_value: 3.5,
  fingerprint: 'gemm/fp8/odd:wrong_value:3.5',
  text: 'kernels/gemm_fp8.cu:214: tail of K is not masked: out[4160] is 3.5, want 0',
});

const code = (registers, spills) => [
  {
    kernel: 'gemm_bf16_wgmma<64,128>',
    arch: 'sm_90a',
    sass_sha256: hash(`sass ${registers}`),
    registers,
    static_shared_bytes: 49152,
    local_bytes: spills * 4,
    stack_bytes: spills * 4,
    spill_stores: spills,
    spill_loads: spills,
    instructions: { HGMMA: 64, LDS: 20 + spills, STG: 16 },
  },
];

const tuned = 'gemm/bf16/M:8192/K:64';

/** Both sides with what base had chosen. */
const pinned = (configuration, rest) => ({ benchmark: tuned, pinned: 'head', configuration, ...rest });

const profile = (side, bytes) => ({
  benchmark: tuned,
  side,
  kernel: 'gemm_bf16_wgmma<64,128>',
  counters: {
    'dram__bytes.sum': bytes,
    'sm__sass_thread_inst_executed_op_ffma_pred_on.sum': 1.2e9,
    'lts__t_bytes.sum': bytes * 1.4,
  },
});

const logs = {
  'build-head':
    '[1/42] Building CUDA object gemm_bf16.cu.o\nptxas info: Used 168 registers, 0 bytes spill stores\n' +
    '[42/42] Linking bench\n',
  'check-head': 'gemm/bf16/odd: passed, rel_err 7e-4\nattention/decode/odd: passed\n',
};

const smallK = (name) => /^gemm\/bf16/.test(name) && !/K:4096/.test(name);

/** Oldest first. */
export const stories = [
  { subject: 'Tile attention by 128 rows', branch: 'main', shift: () => 1, logs },
  {
    subject: 'Fuse bias and activation into the epilogue',
    branch: 'main',
    shift: (name) => (name.startsWith('gemm') ? 0.94 : 1),
    logs,
  },
  { subject: 'Pin the driver of the lab card', branch: 'main', testbed: 'l40s', shift: () => 1 },
  { subject: 'Share tiles between two warps', branch: 'main', testbed: 'l40s', shift: () => 0.982 },
  {
    subject: 'Fold the scale into the product',
    branch: 'main',
    testbed: 'l40s',
    shift: (name) => (name.startsWith('gemm') ? 0.97 : 1),
  },
  {
    subject: 'Unroll the K loop four times',
    branch: 'main',
    logs,
    shift: (name) => (smallK(name) ? 1.062 : name.includes('decode') ? 0.971 : 1),
    tail: (name) => name === 'layernorm/rows:4096',
    base_code: code(128, 0),
    head_code: code(168, 12),
    configuration: (name, side) => (name === tuned ? (side === 'base' ? 'wgmma/64x128x64' : 'wgmma/128x128x64') : ''),
    pinned: [
      pinned('wgmma/64x128x64', { pairs: 4, ratio: 1.001, ratio_low: 0.996, ratio_high: 1.006, verdict: 'unchanged' }),
    ],
    profiles: [profile('base', 8.1e8), profile('head', 11.9e8)],
    checks: [check('gemm/bf16/odd', {}), check('attention/decode/odd', {})],
  },
  {
    subject: 'Use fp8 tensor cores for the tail of K',
    branch: 'fp8-tail',
    logs: { ...logs, 'check-head': wrong.text + '\n' },
    checks: [check('gemm/bf16/odd', {}), wrong],
    failures: [
      {
        benchmark: 'gemm/fp8/odd',
        side: 'head',
        verdict: 'broken',
        text: wrong.text,
        fingerprint: wrong.fingerprint,
        signal: 0,
      },
      {
        benchmark: 'softmax/odd:257',
        side: 'head',
        verdict: 'crashed',
        signal: 6,
        fingerprint: 'softmax/odd:257:crashed:700',
        text:
          'CUDA error 700 (an illegal memory access was encountered); compute-sanitizer: ' +
          'invalid __global__ read of size 4 at softmax.cu:88 by thread (31,0,0) in block (4,0,0)',
      },
    ],
  },
  {
    subject: 'Prefetch the next tile',
    branch: 'prefetch',
    sd: (name) => (name.startsWith('attention') ? 0.05 : 0.004),
    pairs: 16,
  },
  {
    subject: 'Move the launch bounds into a header',
    branch: 'refactor',
    head_build: 'failed',
    build_text: 'gemm_bf16.cu(57): error: identifier "kThreads" is undefined',
    logs: { 'build-head': 'gemm_bf16.cu(57): error: identifier "kThreads" is undefined\n' },
  },
  {
    subject: malice.subject,
    author: malice.author,
    branch: malice.branch,
    notices: [malice.notice],
    logs: { 'build-head': malice.log },
    malicious: true,
    configuration: (_name, side) => `${side} ${malice.configuration}`,
    shift: (name) => (name === malice.benchmark ? 1.3 : 1.2),
  },
  {
    subject: 'Copy the tail of K by hand',
    branch: 'main',
    testbed: 'l40s',
    checks: [{ ...wrong, text: malice.error }],
    failures: [
      {
        benchmark: wrong.name,
        side: 'head',
        verdict: 'broken',
        text: malice.error,
        fingerprint: wrong.fingerprint,
        signal: 0,
      },
    ],
  },
  {
    subject: 'Retune block sizes',
    branch: 'main',
    infrastructure: 'the card fell off the bus (Xid 79)',
    shift: () => 1,
  },
  {
    subject: 'Persistent kernel for decode',
    branch: 'persistent',
    leaveAt: { state: 'measuring', progress: 'pair 5 of at most 16, 34 benchmarks open' },
  },
];

export async function trigger(server, repository, story, number) {
  const commit = hash(`${repository} ${number} ${story.subject}`);
  const reply = await server.call('trigger', 'POST', '/triggers', {
    repository,
    commit,
    branch: story.branch,
    subject: story.subject,
    author: story.author ?? 'Ada Kernel <ada@example.org>',
    source: 'post-receive',
  });
  return { run: reply.run, commit };
}

const line = Array.from({ length: 17 }, (_, i) => hash(`line ${i}`));
const askBisection = (server, repository, benchmark) =>
  server.call('trigger', 'POST', '/bisections', { repository, benchmark, commits: line });

/** A search along 17 commits, of which the 12th is slow. */
async function bisect(server, repository) {
  let found = await askBisection(server, repository, benchmarks[0].name);
  const slow = ({ commit, base }) => line.indexOf(commit) >= 11 && line.indexOf(base.argument) < 11;
  while (found.state === 'running') {
    await measure(
      server,
      (claimed) => ({
        subject: `Commit ${line.indexOf(claimed.commit)} of the line`,
        shift: () => (slow(claimed) ? 1.12 : 1),
      }),
      benchmarks.slice(0, 2),
    );
    found = await server.call('read', 'GET', `/bisections/${found.id}`);
  }
  return found.id;
}

/** A fork's run, which waits until somebody approves it. */
export async function hold(server, repository, subject, number) {
  const pull_request = { number, target: 'main', head_repository: malice.branch, fork: true, sender: malice.author };
  const held = await server.call('trigger', 'POST', '/triggers', {
    repository,
    commit: hash(`${repository} fork ${number}`),
    branch: 'faster',
    subject,
    author: malice.author,
    source: 'webhook',
    pull_request,
  });
  return held.run;
}

/** Fills the store; answers the runs' numbers by subject. */
export async function tell(server) {
  const repositories = ['attention-kernels', 'bsr-gemm', 'empty-so-far'];
  for (const name of repositories)
    await server.call('admin', 'POST', '/repositories', {
      name,
      url: `https://git.example.org/${name}.git`,
      default_branch: 'main',
    });
  const runs = {};
  let last = '';
  for (const [number, story] of stories.entries()) {
    const { run, commit } = await trigger(server, 'attention-kernels', story, number);
    const names = story.malicious ? [{ name: malice.benchmark, ns: 5000 }, ...benchmarks.slice(0, 3)] : benchmarks;
    await measure(server, { base: last || undefined, ...story }, names);
    if (story.branch === 'main') last = commit;
    runs[story.subject] = run;
  }
  await server.call('trigger', 'POST', '/attempts', {
    repository: 'attention-kernels',
    run: runs[malice.subject],
    hypothesis: 'Copies hide behind the products',
    lesson: malice.lesson,
  });
  runs.bisection = await bisect(server, 'attention-kernels');
  runs.held = await hold(server, 'bsr-gemm', malice.subject, 7);
  await trigger(server, 'bsr-gemm', { subject: 'Import', branch: 'main' }, 1);
  await measure(server, { subject: 'Import', testbed: 'l40s' }, benchmarks.slice(0, 6));
  await askBisection(server, 'attention-kernels', malice.benchmark);
  runs.queued = (await trigger(server, 'bsr-gemm', { subject: 'Wait for a runner', branch: 'main' }, 2)).run;
  return runs;
}
