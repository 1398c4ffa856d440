// SPDX-License-Identifier: Apache-2.0
// A browser that notes what a page should not do, and what every page must pass: axe, and no scrolling sideways.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

export const shots = process.env.KG_SHOTS ?? 'build/shots';

export function launch() {
  mkdirSync(shots, { recursive: true });
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page of a browser of its own, as far as cookies go, that notes its faults. */
async function newPage(browser, server, { width = 1440, scheme = 'light', token, ...rest }) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    extraHTTPHeaders: token ? { Authorization: `Bearer ${server.tokens[token]}` } : undefined,
    ...rest,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      page.faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith('blob:')) page.faults.push(`asked of another host: ${url}`);
  });
  await page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return page;
}

async function visit(page, server, path) {
  await page.goto(server.url + path);
  await page.waitForSelector('.page');
  await page.waitForFunction(() => !document.querySelector('.loading'));
}

export async function open(browser, server, path, options = {}) {
  const page = await newPage(browser, server, options);
  await visit(page, server, path);
  return page;
}

export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

export async function assertAccessible(page, what) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  const said = found.violations.map(
    (one) =>
      `${one.id}: ${one.help}: ${one.nodes
        .slice(0, 3)
        .map((node) => node.target.join(' ') + ' ' + (node.any[0]?.message ?? ''))
        .join(' | ')}`,
  );
  assert.deepEqual(said, [], what);
}

export async function assertFits(page, what) {
  const [wide, visible] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  if (wide <= visible) return;
  const over = await page.evaluate((width) => {
    const beyond = [...document.querySelectorAll('body *:not(nav *)')].filter(
      (one) => one.getBoundingClientRect().right > width + 1,
    );
    return beyond.slice(-3).map((one) => `${one.tagName} ${one.className}: ${one.textContent.slice(0, 60)}`);
  }, visible);
  assert.fail(`${what}: ${wide} px wide on ${visible}: ${over.join(' | ')}`);
}

/** No page is longer on a phone, with up to 50 rows in its lists. */
const PHONE_HEIGHT_MAX = 10000;

async function assertShort(page, what) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= PHONE_HEIGHT_MAX, `${what}: ${height} px long`);
}

const print = { width: 1440, scheme: 'light', media: 'print' };
/** How a place is looked at: each theme and width once; with KG_FULL all of them, on a wide screen and on paper. */
const looks = process.env.KG_FULL
  ? [1440, 390, 2560].flatMap((width) => ['light', 'dark'].map((scheme) => ({ width, scheme }))).concat(print)
  : [
      { width: 1440, scheme: 'light' },
      { width: 390, scheme: 'dark' },
    ];

/** Both themes at both widths. */
export const fourLooks = [1440, 390].flatMap((width) => ['light', 'dark'].map((scheme) => ({ width, scheme })));

/** Of what moved by itself while the page was built, as Web Vitals count it: "good" ends here. */
const SHIFT_MAX = 0.1;

const shared = new Map();

/** The looks of a place, with a screenshot of each; `shows`, texts that must stand there as they are written. One page
 * a role serves all places: a new one for each costs more than the looking. */
export async function lookAt(browser, server, name, path, { shows = [], token = '', seen = looks } = {}) {
  if (!shared.has(token)) shared.set(token, await newPage(browser, server, { token }));
  const page = shared.get(token);
  page.faults.length = 0;
  await setLook(page, seen[0]);
  await visit(page, server, path);
  for (const text of shows) await page.waitForFunction((words) => document.body.innerText.includes(words), text);
  const shifted = await page.evaluate(() => globalThis.shifted);
  assert.ok(shifted < SHIFT_MAX, `${name}: its layout moved by ${shifted}`);
  for (const look of seen) {
    const what = `${name}-${look.media === 'print' ? 'print' : look.scheme}-${look.width}`;
    await setLook(page, look);
    await page.screenshot({ path: join(shots, `${what}.png`), fullPage: true });
    await assertFits(page, what);
    if (look.width === 390) await assertShort(page, what);
    await assertAccessible(page, what);
  }
  for (const summary of await page.locator('details > summary').all()) await summary.click();
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined, `${name}: foreign text did something`);
  assert.deepEqual(page.faults, []);
}

async function setLook(page, { width, scheme, media = 'screen' }) {
  await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
  await page.emulateMedia({ colorScheme: scheme, media });
}
