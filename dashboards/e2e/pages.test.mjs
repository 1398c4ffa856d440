// SPDX-License-Identifier: Apache-2.0
// Every page in a real browser against a real server: both themes, both widths, axe clean, nothing asked of another
// host, nothing refused by the Content-Security-Policy. KERNELGATE names the executable; screenshots go to KG_SHOTS.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { Server } from './server.mjs';
import { malice, tell } from './story.mjs';

const shots = process.env.KG_SHOTS ?? 'build/shots';
const only = process.env.KG_ONLY ?? '';
const server = new Server(process.env.KERNELGATE ?? '../build/host/kernelgate');
let browser;
let runs;

before(async () => {
  mkdirSync(shots, { recursive: true });
  await server.start('--public-read', '--lease-seconds', '3600', ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []));
  runs = await tell(server);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  await browser?.close();
  await server.stop();
});

/** A page that notes what it should not do. */
async function open(path, { width = 1440, scheme = 'light', token, ...rest } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 }, colorScheme: scheme, reducedMotion: 'reduce',
    extraHTTPHeaders: token ? { Authorization: `Bearer ${server.tokens[token]}` } : undefined, ...rest,
  });
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) page.faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) page.faults.push(`asked of another host: ${request.url()}`);
  });
  await page.goto(server.url + path);
  await page.waitForSelector('.page');
  await page.waitForFunction(() => !document.querySelector('.loading, [aria-busy]'));
  return page;
}

async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

async function assertAccessible(page, what) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  const said = found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`);
  assert.deepEqual(said, [], what);
}

async function assertFits(page, what) {
  const [wide, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= visible, `${what}: ${wide} px wide on ${visible}`);
}

const places = {
  overview: () => '/',
  runs: () => '/runs',
  'runs-empty': () => '/runs?branch=none-such',
  run: () => `/runs/${runs['Unroll the K loop four times']}`,
  'run-detail': () => `${places.run()}?filter=bf16&group=family&open=${encodeURIComponent('kernels/gemm/bf16/M:8192/K:64')}`,
  'run-broken': () => `/runs/${runs['Use fp8 tensor cores for the tail of K']}`,
  'run-undecided': () => `/runs/${runs['Prefetch the next tile']}`,
  'run-build-failed': () => `/runs/${runs['Move the launch bounds into a header']}`,
  'run-measuring': () => `/runs/${runs['Persistent kernel for decode']}`,
  'run-malicious': () => `/runs/${runs[malice.subject]}`,
  'run-absent': () => '/runs/424242',
  attempts: () => '/attempts?repository=attention-kernels',
};

for (const [name, place] of Object.entries(places)) {
  if (only && !name.startsWith(only)) continue;
  test(`${name}: both themes, both widths`, async () => {
    for (const width of [1440, 390]) {
      const page = await open(place(), { width });
      await assertFits(page, `${name} ${width}`);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
        await assertAccessible(page, `${name} ${colorScheme} ${width}`);
      }
      await close(page);
    }
  });
}

test('foreign text does nothing, on any page', async () => {
  for (const path of ['/', '/runs', places['run-malicious'](), places['run-malicious']() + '?plain']) {
    const page = await open(path.replace('?plain', ''));
    if (path.endsWith('?plain')) await page.goto(server.url + path);
    for (const summary of await page.locator('details > summary').all()) await summary.click();
    assert.equal(await page.evaluate(() => globalThis.harmed), undefined, path);
    assert.match(await page.locator('body').innerText(), path === '/' ? /window\.harmed='error'/ : /<script>window\.harmed='subject'/, path);
    await page.context().close();
  }
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
  await close(page);
});

test('a browser without scripts gets the plain page', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(server.url + places.run());
  await page.waitForURL(/\?plain$/);
  assert.match(await page.locator('body').innerText(), /Unroll the K loop/);
  await context.close();
});
