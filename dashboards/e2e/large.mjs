// SPDX-License-Identifier: Apache-2.0
// Figures of the pages on the large store of tools/large_store.py: large.mjs KERNELGATE FOLDER [ROUNDS]. Takes each
// figure ROUNDS times in new browser contexts and prints median and range, with the load of the machine.
import { loadavg } from 'node:os';
import { launch } from './look.mjs';
import { Server } from './server.mjs';

const [kernelgate, folder, rounds = '7'] = process.argv.slice(2);
const server = new Server(kernelgate);
server.folder = folder;
server.token = () => {}; // reading is public, and the store may be used again
const assets = process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : [];

const history = '/history?repository=large&b=kernels%2Fgemm%2Fbf16%2FM%3A512%2FN%3A64';

/** Milliseconds from navigation until `selector` is drawn, seen by the browser's own clock. */
async function contentAfter(page, path, selector) {
  await page.addInitScript((wanted) => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(wanted)) return;
      seen.disconnect();
      requestAnimationFrame(() => {
        globalThis.contentAt = performance.now();
      });
    });
    seen.observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(server.url + path);
  await page.waitForFunction(() => globalThis.contentAt > 0);
  return page.evaluate(() => globalThis.contentAt);
}

const drawn = (page) => page.evaluate(() => performance.getEntriesByName('history-draw', 'measure').pop().duration);

/** Times between frames while the whole history is dragged about at a third of its width. */
async function framesWhilePanning(page) {
  await page.locator('.history-plot').focus();
  for (let i = 0; i < 5; ++i) await page.keyboard.press('+');
  const box = await page.locator('.u-over').boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      globalThis.frames.push(now - last);
      last = now;
      globalThis.panning = requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  for (let i = 0; i < 150; ++i) await page.mouse.move(box.x + box.width / 2 + 300 * Math.sin(i / 12), y);
  const frames = await page.evaluate(() => (cancelAnimationFrame(globalThis.panning), globalThis.frames));
  await page.mouse.up();
  return frames;
}

const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const tell = (name, values) =>
  console.log(
    `${name.padEnd(44)} median ${quantile(values, 0.5).toFixed(1)} ms, ` +
      `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}, n ${values.length}`,
  );

async function roundsOf(browser, name, take) {
  const values = [];
  for (let i = 0; i < Number(rounds); ++i) {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    values.push(await take(page));
    await page.context().close();
  }
  tell(name, values.flat());
  return values.flat();
}

await server.start('--public-read', ...assets);
const browser = await launch();
console.log(
  `load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
for (const [name, path, selector] of [
  ['runs: first content', '/runs', '[data-row]'],
  ['benchmarks: first content', '/benchmarks', '[data-row]'],
  ['history: 10,000 points on the screen', history, '.history-plot canvas'],
  ['compare 500: first content', '/compare?repository=large&base=9990&head=main', '[data-row]'],
  ['testbeds: first content', '/testbeds', '[data-row]'],
])
  await roundsOf(browser, name, (page) => contentAfter(page, path, selector));
await roundsOf(browser, 'history: drawing 10,000 points', async (page) => {
  await contentAfter(page, history, '.history-plot canvas');
  return drawn(page);
});
const frames = await roundsOf(browser, 'history: frame while panning', async (page) => {
  await contentAfter(page, history, '.history-plot canvas');
  return framesWhilePanning(page);
});
console.log(
  `${'history: 95th percentile frame'.padEnd(44)} ${quantile(frames, 0.95).toFixed(1)} ms, n ${frames.length}`,
);
for (const path of ['/api/v1/history?repository=large&suite=kernels&benchmark=gemm%2Fbf16%2FM%3A512%2FN%3A64']) {
  const times = [];
  for (let i = 0; i < Number(rounds); ++i) {
    const start = performance.now();
    await (await fetch(server.url + path)).text();
    times.push(performance.now() - start);
  }
  tell('the API: history of 10,000 points', times);
}
console.log(
  `load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')}`,
);
await browser.close();
server.child.kill('SIGTERM');
