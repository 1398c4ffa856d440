// SPDX-License-Identifier: Apache-2.0
// The actions of the pages, as a reader, a trigger and an administrator who logged in with the dialog: who is shown
// which, that each asks back, does what it says, and stands in the audit log.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { assertAccessible, close, launch, open as openOn } from './look.mjs';
import { measure, testbeds } from './measure.mjs';
import { Server } from './server.mjs';
import { benchmarks, hold, trigger } from './story.mjs';
import { makeRepository, runOnce } from './sweep.mjs';

const server = new Server(process.env.KERNELGATE ?? '../build/host/kernelgate');
const repository = 'kernels';
const roles = ['read', 'trigger', 'admin'];
const pages = {};
const runs = {};
let browser;

async function measured(subject, shift, base) {
  const { run, commit } = await trigger(server, repository, { subject, branch: 'main' }, subject);
  await measure(server, { subject, base, shift: () => shift }, benchmarks.slice(0, 2));
  runs[subject] = run;
  return commit;
}

/** A program that is told of finished runs and fails, until `fixed`; and the secrets of the server's configuration. */
const receiver = createServer((request, response) => {
  request.resume();
  response
    .writeHead(receiver.fixed ? 200 : 500, { 'Content-Type': 'text/plain' })
    .end('<script>window.harmed="receiver"</script>');
});
const SECRET = 'of the webhooks';

async function configure() {
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${receiver.address().port}`;
  for (const name of ['hook.secret', 'github.secret', 'github.token'])
    writeFileSync(join(server.folder, name), SECRET, { mode: 0o600 });
  writeFileSync(
    join(server.folder, 'gate.toml'),
    `schema = 1
[github]
api_url = "${at}"
token_file = "github.token"
webhook_secret_file = "github.secret"
[[webhook]]
name = "ci"
url = "${at}/told"
secret_file = "hook.secret"
[delivery]
timeout_s = 5
first_pause_s = 1
pause_max_s = 1
give_up_s = 1
`,
  );
  return join(server.folder, 'gate.toml');
}

/** As GitHub sends it. */
async function push(repository, after) {
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    before: '1'.repeat(40),
    after,
    forced: false,
    created: false,
    deleted: false,
    commits: [],
    head_commit: { id: after, message: 'Tile', author: { name: 'A', email: 'a@b' } },
    repository: {
      full_name: repository,
      clone_url: `https://github.com/${repository}.git`,
      default_branch: 'main',
      html_url: `https://github.com/${repository}`,
    },
    sender: { login: 'ada' },
    pusher: { name: 'ada' },
  });
  return fetch(server.url + '/webhooks/github', {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': randomUUID(),
      'X-Hub-Signature-256': 'sha256=' + createHmac('sha256', SECRET).update(body).digest('hex'),
    },
  });
}

before(async () => {
  await server.start(
    '--config',
    await configure(),
    '--lease-seconds',
    '3600',
    ...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []),
  );
  await server.call('admin', 'POST', '/repositories', {
    name: repository,
    url: 'https://git.example.org/kernels.git',
    default_branch: 'main',
  });
  await measured('slower', 1.1, await measured('calm', 1));
  runs.approved = await hold(server, repository, 'Faster, says a fork', 1);
  runs.refused = await hold(server, repository, 'Reads a file', 2);
  runs.queued = (await trigger(server, repository, { subject: 'waits', branch: 'main' }, 3)).run;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server.stop();
  receiver.close();
});

const log = async (action) => (await server.call('admin', 'GET', `/audit?action=${action}`)).actions;

test('a token is asked for, a wrong one is refused, and logging out ends it', async () => {
  const page = await openOn(browser, server, '/runs');
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('Token').fill('kg_' + '0'.repeat(64));
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await dialog.getByRole('alert').waitFor();
  await assertAccessible(page, 'the dialog of the login');
  await dialog.getByLabel('Token').fill(server.tokens.read);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).waitFor();
  await close(page);
});

/** A page in which the owner of the role's token logged in. */
async function pageOf(role) {
  if (pages[role]) return pages[role];
  const page = await openOn(browser, server, '/');
  await page.getByRole('banner').getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByLabel('Token').fill(server.tokens[role]);
  await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return (pages[role] = page);
}

/** Goes there as a link does: the page is not fetched again. */
async function at(role, path) {
  const page = await pageOf(role);
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForFunction(() => document.querySelector('.page h1') && !document.querySelector('.loading'));
  return page;
}

const actions = [
  { button: 'Retry', role: 'trigger', where: () => `/runs/${runs.calm}`, logged: 'run.retry' },
  { button: 'Cancel', role: 'trigger', where: () => `/runs/${runs.queued}`, logged: 'run.cancel' },
  { button: 'Approve', role: 'trigger', where: () => `/runs/${runs.approved}`, logged: 'run.approve' },
  { button: 'Refuse', role: 'trigger', where: () => '/admin', fields: { Why: 'reads a file' }, logged: 'run.refuse' },
  { button: 'Bisect', role: 'trigger', where: () => `/runs/${runs.slower}`, logged: 'bisection.start' },
  { button: 'Cancel', role: 'trigger', where: () => '/bisections/1', logged: 'bisection.cancel' },
  { button: 'Profile', role: 'trigger', where: () => `/runs/${runs.slower}`, logged: 'profile.ask' },
  {
    button: 'Accept the regression',
    role: 'admin',
    where: () => `/runs/${runs.slower}`,
    fields: { Why: 'more exact' },
    logged: 'regression.accept',
  },
  {
    button: 'Revoke',
    role: 'admin',
    where: () => '/baselines',
    fields: { Reason: 'not exact enough' },
    logged: 'regression.revoke',
  },
  {
    button: 'Promote',
    role: 'admin',
    where: () => `/runs/${runs.calm}`,
    fields: { Why: 'release' },
    logged: 'baseline.promote',
  },
  { button: 'Measure again', role: 'trigger', where: () => '/baselines', logged: 'baseline.remeasure' },
  {
    button: 'Quarantine',
    opens: 'Quarantine a benchmark…',
    role: 'admin',
    where: () => '/baselines',
    fields: { Suite: 'kernels', 'Benchmark (full name)': benchmarks[0].name, Why: 'noisy' },
    logged: 'benchmark.quarantine',
  },
  {
    button: 'Release',
    role: 'admin',
    where: () => '/baselines',
    fields: { Why: 'calm again' },
    logged: 'benchmark.release',
  },
  {
    button: 'Backfill',
    opens: 'Backfill…',
    role: 'trigger',
    where: () => '/bisections',
    fields: {
      'Commits, oldest first, one per line; the first serves only as a parent': `${'a'.repeat(40)} ${'b'.repeat(40)}`,
    },
    logged: 'backfill',
  },
  {
    button: 'Add idea',
    opens: 'Add idea…',
    role: 'trigger',
    where: () => '/attempts',
    fields: { 'Hypothesis (why it should be faster)': 'fewer bytes' },
    logged: 'attempt.note',
  },
  {
    button: 'Note',
    role: 'trigger',
    where: () => '/attempts',
    fields: { 'Lesson (what we learned)': 'it was not' },
    logged: 'attempt.change',
  },
  {
    button: 'Add repository',
    role: 'admin',
    where: () => '/admin',
    fields: { Name: 'more', URL: 'https://git.example.org/more.git' },
    logged: 'repository.add',
  },
  {
    button: 'Revoke',
    role: 'admin',
    where: () => '/admin',
    fields: { Why: 'nobody needs it' },
    logged: 'token.revoke',
  },
];

for (const { button, opens = button, role, where, fields = {}, logged } of actions)
  test(`${button} (${logged}): shown from role ${role} on, asked back, logged`, async () => {
    const named = (page) => page.getByRole('button', { name: opens, exact: true });
    for (const one of roles.filter((name) => name !== role)) {
      const page = await at(one, where());
      if (roles.indexOf(one) > roles.indexOf(role)) await named(page).first().waitFor();
      else assert.equal(await named(page).count(), 0, `${one} is not shown ${button}`);
    }
    const before = (await log(logged)).length;
    const page = await at(role, where());
    const ask = async () => {
      await named(page).first().click();
      return page.locator('dialog[open]');
    };
    await (await ask()).getByRole('button', { name: 'Back', exact: true }).click();
    assert.equal((await log(logged)).length, before);
    const dialog = await ask();
    if (Object.keys(fields).length > 1 || button === 'Bisect') await assertAccessible(page, `the dialog of ${button}`);
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    const [newest, ...older] = await log(logged);
    assert.equal(older.length, before);
    assert.equal(newest.actor, role);
  });

test('a message that nobody took is told again from the page, once the receiver is fixed', async () => {
  const row = (page) => page.getByRole('row').filter({ hasText: `#${runs.slower} finished` });
  const inOutbox = async (status) => {
    const found = async () =>
      (await server.call('admin', 'GET', `/outbox?status=${status}`)).messages.some((one) => one.run === runs.slower);
    for (let i = 0; !(await found()); ++i) {
      assert.ok(i < 600, `run ${runs.slower} is not ${status}`);
      await pause(50);
    }
  };
  await inOutbox('gave_up');
  const page = await at('admin', '/admin?messages=gave_up');
  await row(page).getByText('500').waitFor();
  await assertAccessible(page, 'messages that were given up');
  receiver.fixed = true;
  await row(page).getByRole('button', { name: 'Retry' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await inOutbox('delivered');
  await at('admin', '/admin?messages=delivered');
  await row(page).getByText('delivered').waitFor();
  assert.equal((await log('outbox.retry')).length, 1);
  assert.equal(await page.evaluate(() => globalThis.harmed), undefined);
});

test('a webhook that was refused is taken again from the page, once its repository is known', async () => {
  const refused = await push('octo/late', 'c'.repeat(40));
  assert.ok(refused.status >= 400, `${refused.status} ${await refused.text()}`);
  const page = await at('admin', '/admin');
  await server.call('admin', 'POST', '/repositories', {
    name: 'late',
    url: 'https://github.com/octo/late.git',
    default_branch: 'main',
  });
  await page.getByRole('button', { name: 'Process again' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Process again' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'push' }).getByText('queued').waitFor();
  assert.equal((await log('delivery.retry')).length, 1);
});

test('a profile is shown when a runner has made it, without a reload', async () => {
  server.token('runner', 'runner-2');
  const page = await at('trigger', `/runs/${runs.slower}`);
  await page.getByText('Waits for a runner of h100-sxm.').waitFor();
  const claimed = await server.call('runner', 'POST', '/runner/profiles/claim', {
    runner: 'lab-1',
    testbed: testbeds.h100,
    has_gpu: true,
  });
  await page.getByText('Builds both commits and profiles them.').waitFor();
  const kernel = (rate) => ({
    kernel: 'gemm<64, 128>',
    counters: { 'lts__t_sector_hit_rate.pct': rate, launch__waves: 2 },
  });
  await server.call('runner', 'POST', `/runner/profiles/${claimed.profile}/end`, {
    lease: claimed.lease,
    base: kernel(91.2),
    head: kernel(40.1),
  });
  await page.getByText('L2 hit rate 91.2 % → 40.1 %').waitFor();
  await page.getByText('All 2 counters of gemm<64, 128>').click();
  await page.getByRole('cell', { name: '40.1 %' }).waitFor();
  await assertAccessible(page, 'a profile');
});

test('a real runner without a profiler says so on the page', async () => {
  const lab = new Server(server.kernelgate);
  try {
    await lab.start(...(process.env.KG_ASSETS ? ['--assets', process.env.KG_ASSETS] : []));
    const { folder, commits } = makeRepository(lab, 'error');
    await lab.call('admin', 'POST', '/repositories', { name: 'swept', url: folder, default_branch: 'main' });
    const { run } = await lab.call('trigger', 'POST', '/triggers', {
      repository: 'swept',
      commit: commits[1],
      branch: 'main',
      base: { kind: 'first_parent', argument: '' },
    });
    await runOnce(lab);
    const page = await openOn(browser, lab, `/runs/${run}`, { token: 'trigger' });
    await page.getByRole('button', { name: 'Profile', exact: true }).click();
    await page.locator('dialog').getByRole('button', { name: 'Profile' }).click();
    await page.getByText('Waits for a runner of this-machine.').waitFor();
    assert.equal(
      await page.evaluate(() => document.activeElement.textContent),
      'Profile',
      'the focus returns to where it came from',
    );
    const shown = new AbortController(); // a profile does not end a runner that waits for one run
    const runner = assert.rejects(runOnce(lab, shown.signal), { name: 'AbortError' });
    await page.getByText('there is no Nsight Compute (ncu) on this machine').waitFor();
    shown.abort();
    await runner;
    await close(page);
  } finally {
    await lab.stop();
  }
});

test('a login that ended during an action is seen at once', async () => {
  const page = await at('trigger', `/runs/${runs.calm}`);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.context().clearCookies();
  await page.locator('dialog').getByRole('button', { name: 'Retry' }).click();
  await page.locator('dialog').getByRole('alert').waitFor();
  await page.locator('.side-foot').getByText('Log in', { exact: true }).waitFor();
});

test('nothing was asked of another host, nothing failed', async () => {
  for (const page of Object.values(pages)) await close(page);
});
