// SPDX-License-Identifier: Apache-2.0
// How long a person looks at placeholders on the small store: waits.mjs KERNELGATE [ROUNDS]. Each page is gone to from
// another one, as a link does, ROUNDS times; counted is the time during which placeholders (.loading) stand on the
// page, by the browser's own clock.
import { loadavg } from 'node:os';
import { launch } from './look.mjs';
import { Server } from './server.mjs';
import { benchmarks, tell } from './story.mjs';

const [kernelgate, rounds = '20'] = process.argv.slice(2);
const server = new Server(kernelgate);
await server.start(
  '--public-read',
  '--lease-seconds',
  '3600',
  ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []),
);
const runs = await tell(server);
const browser = await launch();
const page = await (
  await browser.newContext({
    viewport: { width: 1440, height: 900 },
    extraHTTPHeaders: { Authorization: `Bearer ${server.tokens.admin}` },
  })
).newPage();

const one = encodeURIComponent(`kernels/${benchmarks[0].name}`);
const places = {
  overview: '/',
  runs: '/runs',
  run: `/runs/${runs['Unroll the K loop four times']}`,
  benchmarks: '/benchmarks',
  history: `/history?repository=attention-kernels&b=${one}`,
  compare: '/compare?repository=attention-kernels&base=1&head=main',
  roofline: '/roofline?repository=attention-kernels',
  bisections: '/bisections?repository=attention-kernels',
  bisection: `/bisections/${runs.bisection}`,
  baselines: '/baselines?repository=attention-kernels',
  testbeds: '/testbeds',
  attempts: '/attempts?repository=attention-kernels',
  admin: '/admin',
};

await page.goto(server.url + '/runs?branch=none-such');
await page.waitForFunction(() => document.querySelector('.page h1') && !document.querySelector('.loading'));

/** Goes there and answers for how long placeholders stood, 0 where none did. */
const waitAt = (path) =>
  page.evaluate(
    (to) =>
      new Promise((resolve) => {
        let since = 0;
        let waited = 0;
        let quiet;
        const look = () => {
          const now = performance.now();
          const loading = document.querySelector('.loading') !== null;
          if (loading && since === 0) since = now;
          if (!loading && since > 0) {
            waited += now - since;
            since = 0;
          }
          clearTimeout(quiet);
          if (!loading) quiet = setTimeout(() => (seen.disconnect(), resolve(waited)), 250);
        };
        const seen = new MutationObserver(look);
        seen.observe(document.body, { childList: true, subtree: true });
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
        look();
      }),
    path,
  );

const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const load = () =>
  `load ${loadavg()
    .map((part) => part.toFixed(1))
    .join(' ')}`;
const all = [];
console.log(load());
for (const [name, path] of Object.entries(places)) {
  const values = [];
  for (let i = 0; i < Number(rounds); ++i) {
    await waitAt('/runs?branch=none-such');
    values.push(await waitAt(path));
  }
  all.push(...values);
  console.log(
    `${name.padEnd(12)} first ${values[0].toFixed(1)} ms, median ${quantile(values, 0.5).toFixed(1)} ms, ` +
      `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}, n ${values.length}`,
  );
}
console.log(
  `all          median ${quantile(all, 0.5).toFixed(1)} ms, 95 % ${quantile(all, 0.95).toFixed(1)}, ` +
    `over 100 ms ${all.filter((value) => value > 100).length} of ${all.length}`,
);
console.log(load());
await browser.close();
await server.stop();
