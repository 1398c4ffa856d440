// SPDX-License-Identifier: Apache-2.0
// Every page on the store that a replay leaves: eleven commits pushed through a real hook, measured by a real runner on
// this machine (kernelgate demo), so that nothing on the pages was invented.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { fourLooks, launch, lookAt } from './look.mjs';
import { Server } from './server.mjs';

const server = new Server(process.env.KERNELGATE ?? '../build/host/kernelgate');
// The replay's own tokens have the plain names.
server.token = (role) => Server.prototype.token.call(server, role, `page-${role}`);
let browser;
let attempts;
let repository;

before(async () => {
  const work = join(server.folder, 'replay');
  const told = execFileSync(server.kernelgate, ['demo', '--exit', '--format', 'json', '--work', work], {
    timeout: 800000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  attempts = JSON.parse(told).attempts;
  execFileSync(
    server.kernelgate,
    ['backup', '--db', join(work, 'kernelgate.db'), '--to', join(server.folder, 'kernelgate.sqlite')],
    { timeout: 60000 },
  );
  execFileSync('chmod', ['-R', 'u+w', work]); // sealed builds are read-only
  await server.start('--public-read', ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []));
  repository = encodeURIComponent((await server.call('read', 'GET', '/repositories')).repositories[0].name);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server.stop();
});

const look = (name, path, options = {}) =>
  lookAt(browser, server, `replay-${name}`, path, { seen: fourLooks, ...options });
const runOf = (outcome) => attempts.find((one) => one.outcome === outcome);

for (const outcome of ['added', 'improved', 'regressed', 'broken', 'crashed', 'timed_out', 'build_failed', 'identical'])
  test(`a run that ended as ${outcome}`, () =>
    look(`run-${outcome}`, `/runs/${runOf(outcome).run}`, { shows: [runOf(outcome).title] }));

test('the ledger tells every attempt off the default branch, and which failed alike', async () => {
  await look('attempts', `/attempts?repository=${repository}`, { shows: ['Tried before, same'] });
});

test('the history of what was regressed', async () => {
  const { benchmark } = runOf('regressed');
  const { benchmarks } = await server.call('read', 'GET', `/benchmarks?repository=${repository}`);
  const known = benchmarks.find((one) => one.name === benchmark || one.benchmark === benchmark);
  assert.ok(known, `${benchmark} is a benchmark`);
  await look('history', `/history?repository=${repository}&b=${encodeURIComponent(`${known.suite}/${benchmark}`)}`, {
    shows: [benchmark],
  });
});

const places = {
  overview: () => '/',
  runs: () => '/runs',
  benchmarks: () => `/benchmarks?repository=${repository}`,
  testbeds: () => '/testbeds',
  baselines: () => '/baselines',
  roofline: () => `/roofline?repository=${repository}`,
  bisections: () => `/bisections?repository=${repository}`,
  admin: () => '/admin',
  compare: () => `/compare?base=${runOf('improved').run}&head=${runOf('regressed').run}`,
};
for (const [name, place] of Object.entries(places)) test(`replay ${name}`, () => look(name, place()));
