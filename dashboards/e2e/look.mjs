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
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  });
}

export async function open(browser, server, path, { width = 1440, scheme = 'light', token, ...rest } = {}) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 }, colorScheme: scheme, reducedMotion: 'reduce',
    extraHTTPHeaders: token ? { Authorization: `Bearer ${server.tokens[token]}` } : undefined, ...rest,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) page.faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(server.url) && !url.startsWith('blob:')) page.faults.push(`asked of another host: ${url}`);
  });
  await page.goto(server.url + path);
  await page.waitForSelector('.page');
  await page.waitForFunction(() => !document.querySelector('.loading'));
  return page;
}

export async function close(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

export async function assertAccessible(page, what) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  const said = found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + (node.any[0]?.message ?? '')).join(' | ')}`);
  assert.deepEqual(said, [], what);
}

export async function assertFits(page, what) {
  const [wide, visible] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= visible, `${what}: ${wide} px wide on ${visible}`);
}

/** Both themes and both widths of a place, with a screenshot of each. */
export async function lookAt(browser, server, name, path, options = {}) {
  for (const width of [1440, 390]) {
    const page = await open(browser, server, path, { ...options, width });
    await assertFits(page, `${name} ${width}`);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(shots, `${name}-${colorScheme}-${width}.png`), fullPage: true });
      await assertAccessible(page, `${name} ${colorScheme} ${width}`);
    }
    await close(page);
  }
}
