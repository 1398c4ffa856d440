// SPDX-License-Identifier: Apache-2.0
// The pages over many commits (of the folder KG_ASSETS, or those that the executable carries), on the small store of
// tools/large_store.py: 12 benchmarks, 400 commits, three epochs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, launch, lookAt, open } from './look.mjs';
import { Server } from './server.mjs';

const maker = join(dirname(fileURLToPath(import.meta.url)), '../../tools/large_store.py');
const kernelgate = process.env.KERNELGATE ?? '../build/host/kernelgate';
const server = new Server(kernelgate);
let browser;

before(async () => {
  execFileSync('python3', [maker, '--small', '--kernelgate', kernelgate, join(server.folder, 'kernelgate.sqlite')], {
    timeout: 200000,
  });
  const assets = process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : [];
  await server.start('--public-read', ...assets);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server.stop();
});

const gemm = 'b=kernels%2Fgemm%2Fbf16%2FM%3A512%2FN%3A64';
const softmax = 'b=kernels%2Fsoftmax%2Ffp8%2FM%3A512%2FN%3A64';

const places = {
  history: `/history?repository=large&${gemm}&${softmax}`,
  'history-ratio': `/history?repository=large&${gemm}&to=release-2&epochs=newest`,
  'history-none': '/history?repository=large&b=kernels%2Fnone',
  benchmarks: '/benchmarks',
  'compare-ask': '/compare',
  compare: '/compare?repository=large&base=390&head=main',
  'compare-paired': '/compare?repository=large&base=399&head=400',
  'compare-releases': '/compare?repository=large&base=release-1&head=release-2',
  'compare-none': '/compare?repository=large&base=main&head=nowhere',
  testbeds: '/testbeds',
  baselines: '/baselines?replaced=shown',
};

for (const [name, path] of Object.entries(places)) test(name, () => lookAt(browser, server, name, path));

const windowOf = (page) => page.evaluate(() => new URLSearchParams(location.search).get('from'));

test('a dragged and zoomed history is in the address, and a reload shows it again', async () => {
  const page = await open(browser, server, places.history);
  const plot = page.locator('.history-plot');
  await plot.focus();
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await page.waitForURL(/[?&]from=/);
  const zoomed = await windowOf(page);
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 160, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((old) => new URLSearchParams(location.search).get('from') !== old, zoomed);
  const moved = await windowOf(page);
  await page.reload();
  await page.waitForSelector('.history-plot canvas');
  assert.equal(await windowOf(page), moved);
  await plot.focus();
  await page.keyboard.press('0');
  await page.waitForURL((url) => !url.searchParams.has('from'));
  await close(page);
});

test('a commit of the history is told under the cursor and opens its run', async () => {
  const page = await open(browser, server, places.history);
  await page.locator('.history-plot').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.readout a');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/\d+$/);
  await page.goBack();
  await page.waitForSelector('.history-plot canvas');
  await close(page);
});

test('a search finds a benchmark and leads to its history', async () => {
  const page = await open(browser, server, '/benchmarks');
  await page.keyboard.press('/');
  await page.keyboard.type('softmax fp8');
  await page.waitForURL(/q=softmax/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  assert.ok(await page.evaluate(() => document.activeElement?.closest('[data-row]') !== null));
  await page.locator('tbody a').first().click();
  await page.waitForSelector('.history-plot canvas');
  assert.match(page.url(), /b=kernels%2Fsoftmax/);
  await close(page);
});

test('a comparison says how far it goes, and can be taken along', async () => {
  const page = await open(browser, server, places.compare, { acceptDownloads: true });
  assert.match(await page.locator('.notices').innerText(), /Not paired/);
  const saved = async (kind) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: kind, exact: true }).click(),
    ]);
    return readFileSync(await file.path());
  };
  const csv = (await saved('CSV')).toString().trim().split('\r\n');
  assert.equal(csv.length, 13);
  assert.match(csv[1], /not paired$/);
  assert.equal(JSON.parse(await saved('JSON')).rows.length, 12);
  assert.match((await saved('SVG')).toString(), /^<svg [\s\S]*<\/svg>\s*$/);
  assert.deepEqual([...(await saved('PNG')).subarray(1, 4)].map((byte) => String.fromCharCode(byte)).join(''), 'PNG');
  await close(page);
  const paired = await open(browser, server, places['compare-paired']);
  assert.match(await paired.locator('.notices').innerText(), /Paired: both were timed in turn/);
  await close(paired);
});

test('an administrator promotes a run; a reader is not asked', async () => {
  const reader = await open(browser, server, '/baselines', { token: 'read' });
  assert.equal(await reader.getByRole('button', { name: 'Promote a run…' }).count(), 0);
  await close(reader);
  const page = await open(browser, server, '/baselines', { token: 'admin' });
  await page.getByRole('button', { name: 'Promote a run…' }).click();
  await page.getByLabel('Run', { exact: true }).fill('398');
  await page.getByLabel('Name').fill('by-admin');
  await page.getByLabel('Reason').fill('<b>release</b>');
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  await page.getByRole('cell', { name: 'by-admin' }).waitFor();
  assert.match(await page.locator('tbody').first().innerText(), /<b>release<\/b>/);
  await close(page);
});

test('a change of level starts a bisection of the commits that it lies between', async () => {
  const page = await open(browser, server, places.history, { token: 'trigger' });
  await page.getByRole('button', { name: 'Bisect' }).first().click();
  const commits = (await page.getByLabel('Commits from good to bad').inputValue()).split('\n');
  assert.ok(commits.length > 1 && commits.every((one) => /^[0-9a-f]{40}$/.test(one)), commits.join());
  await page.locator('dialog').getByRole('button', { name: 'Bisect' }).click();
  await page.waitForURL(/\/bisections\/1$/);
  await page.getByText('queued').or(page.getByText('running')).first().waitFor();
  await close(page);
});
