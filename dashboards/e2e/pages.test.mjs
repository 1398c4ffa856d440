// SPDX-License-Identifier: Apache-2.0
// Every page in a real browser against a real server: axe clean, nothing asked of another host, nothing refused by the
// Content-Security-Policy, foreign text without effect. KERNELGATE names the executable; screenshots go to KG_SHOTS.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertAccessible, close, launch, lookAt, open as openOn } from './look.mjs';
import { Server } from './server.mjs';
import { malice, tell } from './story.mjs';
import { sweep } from './sweep.mjs';

const only = process.env.KG_ONLY ?? '';
const server = new Server(process.env.KERNELGATE ?? '../build/host/kernelgate');
const open = (path, options) => openOn(browser, server, path, options);
let browser;
let runs;

before(async () => {
  await server.start(
    '--public-read',
    '--lease-seconds',
    '3600',
    ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []),
  );
  [runs] = await Promise.all([tell(server), sweep(server, malice.compiler)]);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server.stop();
});

const historyOf = (query) => `/history?${new URLSearchParams({ repository: 'attention-kernels', ...query })}`;
const places = {
  overview: () => '/',
  runs: () => '/runs',
  'runs-empty': () => '/runs?branch=none-such',
  run: () => `/runs/${runs['Unroll the K loop four times']}`,
  'run-detail': () =>
    `${places.run()}?filter=bf16&group=family&open=${encodeURIComponent('kernels/gemm/bf16/M:8192/K:64')}`,
  'run-broken': () => `/runs/${runs['Use fp8 tensor cores for the tail of K']}`,
  'run-undecided': () => `/runs/${runs['Prefetch the next tile']}`,
  'run-build-failed': () => `/runs/${runs['Move the launch bounds into a header']}`,
  'run-measuring': () => `/runs/${runs['Persistent kernel for decode']}`,
  'run-malicious': () => `/runs/${runs[malice.subject]}?open=${encodeURIComponent('kernels/' + malice.benchmark)}`,
  'run-absent': () => '/runs/424242',
  'run-held': () => `/runs/${runs.held}`,
  'history-malicious': () => historyOf({ branch: malice.branch, b: 'kernels/' + malice.benchmark }),
  'history-testbeds': () => historyOf({ b: 'kernels/gemm/bf16/M:4096/K:4096' }) + '&testbed=h100-sxm&testbed=l40s-lab',
  'history-rate': () => places['history-testbeds']() + '&to=rate',
  'history-roof': () =>
    `${places['history-testbeds']()}&b=${encodeURIComponent('kernels/gemm/fp8/M:4096/K:4096')}&to=roof`,
  'history-unknown': () => '/history?repository=attention-kernels&b=gemm',
  'compare-malicious': () => `/compare?base=${runs[malice.subject]}&head=${runs[malice.subject]}`,
  'compare-testbeds': () => '/compare?repository=attention-kernels&base=main%40h100-sxm&head=main%40l40s-lab',
  benchmarks: () => '/benchmarks?repository=attention-kernels',
  baselines: () => '/baselines?repository=attention-kernels',
  testbeds: () => '/testbeds',
  roofline: () => `/roofline?repository=attention-kernels&run=${runs['Unroll the K loop four times']}`,
  'roofline-none': () => '/roofline?repository=empty-so-far',
  bisections: () => '/bisections?repository=attention-kernels',
  'bisections-empty': () => '/bisections?repository=empty-so-far',
  bisection: () => `/bisections/${runs.bisection}`,
  'bisection-running': () => `/bisections/${runs.bisection + 1}`,
  'bisection-absent': () => '/bisections/424242',
  admin: () => '/admin',
  'admin-reader': () => '/admin',
  attempts: () => '/attempts?repository=attention-kernels',
  sweep: () => '/attempts?repository=sweep',
};

/** What a page must show as it is written. */
const harmless = {
  overview: [malice.error],
  runs: [malice.subject],
  'run-malicious': [malice.subject, malice.benchmark, malice.author, malice.notice, malice.configuration],
  'run-detail': [
    'wgmma/64x128x64 → wgmma/128x128x64',
    'the choice made the difference, not the kernel',
    "base's choice on both sides",
    '−0.40 % to +0.60 %',
  ],
  'run-held': [malice.subject],
  'history-malicious': [malice.benchmark],
  benchmarks: [malice.benchmark],
  'history-unknown': ["no benchmark 'gemm'", 'suite/benchmark', 'kernels/gemm/bf16/'],
  'compare-malicious': [malice.benchmark],
  'compare-testbeds': ['l40s-lab', 'Not paired'],
  bisections: [malice.benchmark],
  'bisection-running': [malice.benchmark],
  admin: [malice.subject, malice.branch],
  attempts: [malice.benchmark, malice.branch, malice.lesson],
  sweep: [
    malice.compiler,
    '4 points, misaligned address',
    'BLOCK_M=80 NUM_WARPS=4 STAGES=1',
    '12 points, 7 failed',
    'Fastest: BLOCK_M=64 NUM_WARPS=8 STAGES=2',
  ],
};
const roles = { admin: 'admin' };
/** Further states of pages that are there already. */
const further = [
  'run-undecided',
  'run-detail',
  'run-build-failed',
  'runs-empty',
  'history-rate',
  'history-roof',
  'bisections-empty',
  'roofline-none',
];
const looked = Object.entries(places).filter(
  ([name]) => name.startsWith(only) && (process.env.KG_FULL || !further.includes(name)),
);

for (const [name, place] of looked)
  test(name, () => lookAt(browser, server, name, place(), { token: roles[name], shows: harmless[name] }));

test('every page is under a policy without unsafe-inline, which refuses what foreign text could bring', async () => {
  for (const [name, place] of Object.entries(places)) {
    const policy = (await fetch(server.url + place())).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/, name);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, name);
  }
  const page = await open(places.overview());
  const refused = await page.evaluate(async () => {
    const refusals = [];
    document.addEventListener('securitypolicyviolation', (event) => refusals.push(event.effectiveDirective));
    const attempt = (name, action) => {
      try {
        action();
      } catch {
        refusals.push(name);
      }
    };
    const add = (tag, attributes) => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      return document.body.appendChild(element);
    };
    attempt('html', () => {
      document.body.innerHTML = '<img src=x onerror="globalThis.harmed = 1">';
    });
    attempt('script text', () => {
      document.createElement('script').textContent = 'globalThis.harmed = 2';
    });
    attempt('script address', () => {
      document.createElement('script').src = 'https://example.org/far.js';
    });
    attempt('handler', () => add('img', { onerror: 'globalThis.harmed = 3', src: '/none.png' }));
    add('a', { href: 'javascript:globalThis.harmed = 4' }).click();
    add('p', { style: 'color: red' });
    add('iframe', { src: 'https://example.org/' });
    add('img', { src: 'https://example.org/far.png' });
    await new Promise((resolve) => setTimeout(resolve, 500));
    return [...new Set(refusals)];
  });
  for (const one of ['html', 'script text', 'script address', 'handler', 'style-src-attr', 'frame-src', 'img-src'])
    assert.ok(refused.includes(one), `${one}: ${refused}`);
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
  await page.context().close();
});

test('the back button, links and keys work', async () => {
  const page = await open('/runs');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('[data-row]') !== null));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/\d+/);
  await page.goBack();
  await page.waitForURL(/\/runs$/);
  await page.keyboard.press('/');
  assert.ok(await page.evaluate(() => document.activeElement?.matches('[data-search]')));
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.waitForURL(server.url + '/');
  await page.goto(`${server.url}${places.run()}?verdict=none-such`);
  await page.getByRole('button', { name: /^Show all/ }).click();
  await page.waitForSelector('.forest [data-row]');
  await page.keyboard.press('j'); // over the workload, in which there is nothing to open
  await page.keyboard.press('Enter');
  await page.waitForURL(/open=/);
  await page.goBack();
  await page.waitForSelector('.detail', { state: 'detached' });
  await page.route('**/assets/testbeds-*.js', (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await close(page);
});

async function openPalette(page) {
  await page.keyboard.press('Control+k');
  await page.waitForSelector('dialog[open] input:focus');
}

test('Ctrl-K goes to a benchmark, a page or a run by a few letters', async () => {
  const page = await open('/runs');
  await openPalette(page);
  await page.getByRole('option', { name: /^Overview/ }).waitFor();
  await page.keyboard.type('4096 fp8');
  await page
    .getByRole('option', { name: /kernels\/gemm\/fp8\/M:4096/ })
    .first()
    .waitFor();
  await assertAccessible(page, 'palette');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/history\?repository=attention-kernels&b=/);
  await openPalette(page);
  await page.keyboard.type(`#${runs['Prefetch the next tile']}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/runs/${runs['Prefetch the next tile']}`);
  await openPalette(page);
  await page.keyboard.type('no such thing');
  await page.getByText('Nothing matches').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog', { state: 'detached' });
  await close(page);
});

test('a hash leads to the runs of its commit, and testbeds narrow a list', async () => {
  const page = await open(places.run());
  await page.locator('.facts .hash-group a').first().click();
  await page.waitForURL(/\/runs\?commit=[0-9a-f]{40}$/);
  await page.getByRole('link', { name: 'Unroll the K loop four times' }).waitFor();
  await page.getByRole('button', { name: /every commit/ }).click();
  await page.waitForURL(/\/runs$/);
  await page.getByLabel('Testbed').selectOption('l40s-lab');
  await page.waitForURL(/testbed=l40s-lab/);
  await page.waitForFunction(() => {
    const beds = [...document.querySelectorAll('tbody td[data-column="Testbed"]')].map((cell) => cell.textContent);
    return beds.length > 0 && beds.every((name) => name === 'l40s-lab');
  });
  await close(page);
});

test('a link that no server can read says what to do', async () => {
  const page = await open('/');
  await page.goto(`${server.url}/history?b=%00`);
  await page.getByText('What to do').waitFor();
  await page.getByRole('link', { name: 'the overview' }).click();
  await page.waitForSelector('.page');
  await page.context().close();
});

test('a browser without scripts is told that the page needs them', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(server.url + places.run());
  assert.match(await page.locator('body').innerText(), /needs JavaScript/);
  await context.close();
});
