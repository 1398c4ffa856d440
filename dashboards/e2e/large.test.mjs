// SPDX-License-Identifier: Apache-2.0
// Every page on the large store of tools/large_store.py: 500 benchmarks, 10,000 commits, 10 M samples. KG_LARGE_STORE
// names one that was made before. What it takes in time is told by large.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { close, fourLooks, launch, lookAt, open } from './look.mjs';
import { Server } from './server.mjs';

const maker = join(dirname(fileURLToPath(import.meta.url)), '../../tools/large_store.py');
const kernelgate = process.env.KERNELGATE ?? '../build/host/kernelgate';
const server = new Server(kernelgate);
let browser;

before(async () => {
  const store = join(server.folder, 'kernelgate.sqlite');
  if (process.env.KG_LARGE_STORE) {
    symlinkSync(resolve(process.env.KG_LARGE_STORE), store);
    server.token = () => {};
  } else execFileSync('python3', [maker, '--kernelgate', kernelgate, store], { timeout: 800000 });
  await server.start('--public-read', ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server.stop();
});

const one = 'kernels%2Fgemm%2Fbf16%2FM%3A512%2FN%3A64';
const places = {
  overview: ['/', 'Current state'],
  runs: ['/runs', 'large'],
  run: ['/runs/10000', '500 benchmarks'],
  benchmarks: ['/benchmarks', '500 benchmarks'],
  history: [`/history?repository=large&b=${one}`, '10000 commits'],
  compare: ['/compare?repository=large&base=9990&head=main', '500 benchmarks'],
  roofline: ['/roofline?repository=large', 'Roofline'],
  bisections: ['/bisections?repository=large', 'Nobody has looked for a culprit yet.'],
  baselines: ['/baselines?repository=large', 'Promoted runs'],
  testbeds: ['/testbeds', 'Epochs'],
  attempts: ['/attempts?repository=large', 'Attempts'],
  admin: ['/admin', 'Repositories'],
};

for (const [name, [path, shown]] of Object.entries(places))
  test(`large ${name}`, () => lookAt(browser, server, `large-${name}`, path, { shows: [shown], seen: fourLooks }));

test('10,000 commits are drawn, zoomed and moved', async () => {
  const page = await open(browser, server, places.history[0]);
  const windowOf = () => page.evaluate(() => new URLSearchParams(location.search).get('from'));
  await page.waitForFunction(() => performance.getEntriesByName('history-draw', 'measure').length > 0);
  await page.locator('.history-plot').focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('+');
  await page.waitForURL(/[?&]from=/);
  const zoomed = await windowOf();
  const box = await page.locator('.u-over').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 200, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((old) => new URLSearchParams(location.search).get('from') !== old, zoomed);
  assert.notEqual(await windowOf(), zoomed);
  await close(page);
});
