// SPDX-License-Identifier: Apache-2.0
// Plays the runner for a run that was triggered: claims it and uploads processes with invented samples, from which
// the server decides as it decides for a real runner. Deterministic but for the ids.
import { createHash } from 'node:crypto';

export const testbeds = {
  h100: {
    name: 'h100-sxm',
    gpu_model: 'NVIDIA H100 80GB HBM3',
    compute_capability: '9.0',
    driver: '580.65',
    toolkit: '13.0',
    power_limit: '700 W',
    mig_mode: 'none',
    host_cpu: 'Xeon 8480+',
  },
  l40s: {
    name: 'l40s-lab',
    gpu_model: 'NVIDIA L40S',
    compute_capability: '8.9',
    driver: '580.65',
    toolkit: '13.0',
    power_limit: '350 W',
    mig_mode: 'none',
    host_cpu: 'EPYC 9354',
  },
};

/** Numbers about 0 with spread 1, the same for the same seed. */
export function noiseOf(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => uniform() + uniform() + uniform() + uniform() + uniform() + uniform() - 3;
}

export const manifest = `schema = 1
[build]
build = "ninja -C {build}"
[[suite]]
name = "kernels"
run = "{build}/bench"
check = "{build}/check"
[policy]
tolerate = 0.01
catch = 0.03
max_pairs = 16
[[workload]]
name = "decode"
entries = [ { match = "^attention/decode", weight = 24 }, { match = "^gemm/bf16", weight = 3 } ]
`;
const manifestHash = createHash('sha256').update(manifest).digest('hex');

const cardState = (pair, noise, card) =>
  JSON.stringify({
    card: `GPU-${card}`,
    mig: 'none',
    price_per_hour: 2.4,
    before: {
      sm_mhz: 1755,
      temperature_c: 46 + pair,
      power_w: 118,
      power_limit_w: 700,
      utilisation: 0,
      reasons: ['idle'],
    },
    during: {
      readings: 14,
      sm_mhz: [1725 + Math.round(noise() * 10), 1755],
      temperature_c: [47 + pair, 55 + pair],
      power_w: [230, 512 + Math.round(noise() * 30)],
      sm_mhz_loaded: 1740 + Math.round(noise() * 12),
      reasons: pair % 5 === 3 ? ['sw_power_cap'] : [],
    },
    after: { sm_mhz: 1755, temperature_c: 52 + pair, power_w: 190, power_limit_w: 700, utilisation: 0.02, reasons: [] },
    thermal_ns: 0,
    power_cap_ns: pair % 5 === 3 ? 41000 : 0,
    xid: [],
    processes: { ours: 1, foreign: 0, numbers_visible: true },
  });

/** `story.shift(name)` is head's ratio; `story.sd` the noise of a process. */
function processesOf(story, run, names) {
  const noise = noiseOf(run * 7919 + 17);
  const out = [];
  for (let pair = 0; pair < (story.pairs ?? 8); ++pair) {
    const headFirst = pair % 4 === 1 || pair % 4 === 2;
    for (const side of ['base', 'head']) {
      const series = names.map(({ name, ns, work, timed = true }) => {
        const shift = side === 'head' ? (story.shift?.(name) ?? 1) : 1;
        const spread = story.sd?.(name) ?? 0.003;
        const level = ns * shift * (1 + spread * noise());
        const slow = side === 'head' && story.tail?.(name);
        const samples_ns = Array.from(
          { length: 9 },
          (_, i) => level * (1 + 0.002 * noise() + (slow && i % 3 === 1 ? 0.09 : 0)),
        );
        const configuration = story.configuration?.(name, side);
        return {
          benchmark: name,
          samples_ns: timed ? samples_ns : [],
          ...(configuration ? { configuration } : {}),
          ...(work ? { counters: work } : {}),
        };
      });
      out.push({
        id: `${run}-${pair}-${side}`,
        suite: 'kernels',
        side,
        round: 0,
        pair,
        attempt: 0,
        order: 2 * pair + Number((side === 'head') !== headFirst),
        end: 'ok',
        wall_s: 3.1,
        gpu_s: 2.2,
        started_at_ms: Date.now() - 60000 + pair * 6000 + Number(side === 'head') * 3000,
        state_json: cardState(pair, noise, 'a1b2c3d4'),
        series,
      });
    }
  }
  return out;
}

export async function claim(server, testbed, runner) {
  return server.call('runner', 'POST', '/runner/claim', { runner, testbed, has_gpu: true, wait_s: 0 });
}

/** From claim to finish. `told` says what the runner finds out, or makes that from what was claimed. */
export async function measure(server, told, names) {
  const testbed = testbeds[told.testbed ?? 'h100'];
  const claimed = await claim(server, testbed, told.runner ?? `${testbed.name}-01`);
  const story = typeof told === 'function' ? told(claimed) : told;
  const { run, lease } = claimed;
  const send = (path, body) => server.call('runner', 'POST', `/runner/runs/${run}/${path}`, { lease, ...body });
  const hex = (text) => createHash('sha1').update(text).digest('hex');
  await send('heartbeat', { state: 'building', progress: 'building head' });
  await send('resolved', {
    base_commit: claimed.base.kind === 'explicit_commit' ? claimed.base.argument : (story.base ?? hex(`base ${run}`)),
    base_tree: hex(`base tree ${run}`),
    head_tree: hex(`tree ${run}`),
    manifest_sha256: manifestHash,
    policy: 'rule=pairs tolerate=0.01 catch=0.03 max_pairs=16 gpu_seconds=600',
    subject: story.subject,
    author: story.author ?? 'Ada Kernel <ada@example.org>',
    notices: story.notices ?? [],
  });
  for (const [name, text] of Object.entries(story.logs ?? {})) await send('logs', { name, text });
  const buildFailed = story.head_build === 'failed';
  const failed = new Set((story.failures ?? []).map((one) => one.benchmark));
  const timed = names.filter((one) => !failed.has(one.name));
  const processes = buildFailed ? [] : processesOf(story, run, timed);
  for (let i = 0; i < processes.length; i += 8) {
    await send('processes', { processes: processes.slice(i, i + 8) });
    await send('heartbeat', {
      state: 'measuring',
      progress: `pair ${i / 2 + 4} of at most 16, ${timed.length} benchmarks open`,
    });
  }
  if (story.leaveAt) return send('heartbeat', story.leaveAt).then(() => run);
  const all = names.map((one) => one.name);
  const evidence = {
    has_base: true,
    inputs_unchanged: false,
    base_build: 'cached',
    head_build: story.head_build ?? 'built',
    build_text: story.build_text ?? '',
    infrastructure: story.infrastructure ?? '',
    notices: [],
    ceilings: {
      copy_bytes_s: 2.9e12,
      flops: { bf16: 7.1e14, fp8: 1.35e15 },
      peak_flops: { bf16: 9.89e14, fp8: 1.98e15 },
      peak_bytes_s: 3.35e12,
    },
    suites: buildFailed
      ? []
      : [
          {
            name: 'kernels',
            has_base: true,
            has_head: true,
            identical: false,
            checks_ran: true,
            checks_passed: !(story.checks ?? []).some((one) => !one.passed && one.side === 'head'),
            base_benchmarks: all,
            head_benchmarks: all,
            failures: story.failures ?? [],
            checks: story.checks ?? [],
            base_code: story.base_code ?? [],
            head_code: story.head_code ?? [],
            profiles: story.profiles ?? [],
            stored: [],
            pinned: story.pinned ?? [],
          },
        ],
  };
  await send('finish', {
    evidence,
    policy_toml_manifest: manifest,
    gpu_s_held: processes.length * 2.6 + 8,
    gpu_s_used: processes.length * 2.2,
    wall_s: 190,
  });
  return run;
}
