// SPDX-License-Identifier: Apache-2.0
// Starting and stopping a bisection.
import { post } from '../lib/api';
import type { Action } from '../ui/ask';
import type { Bisection } from './types';
import type { BisectionRequest as BisectionStart } from '../lib/wire';

export type { BisectionRequest as BisectionStart } from '../lib/wire';

/** The server has no git: the caller lists every commit between good and bad. */
export function bisectAction({ repository, suite, benchmark, until, commits }: BisectionStart): Action {
  const [good, bad] = [commits[0] ?? 'GOOD', commits[commits.length - 1] ?? 'BAD'];
  return {
    label: 'Bisect',
    title: 'Find the culprit',
    role: 'trigger',
    explain:
      'Runners measure commits between a good and a bad one until the first bad one is found. ' +
      'The server has no clone, so list every commit in between, oldest first. In a clone:',
    command: `git rev-list --first-parent --reverse ${good}~..${bad}`,
    fields: [
      { name: 'commits', label: 'Commits from good to bad, one per line', value: commits.join('\n'), type: 'area' },
      { name: 'benchmark', label: 'Benchmark (full name)', value: benchmark, optional: until === 'broken' },
      { name: 'suite', label: 'Suite (if several have a benchmark of this name)', value: suite, optional: true },
      { name: 'until', label: 'Symptom', value: until, options: ['regressed', 'broken'] },
    ],
    run: async (values) => {
      const body = {
        repository,
        suite: values.suite,
        benchmark: values.benchmark,
        until: values.until,
        commits: values.commits!.split(/\s+/).filter(Boolean),
      };
      return `/bisections/${(await post<Bisection>('/api/v1/bisections', body)).id}`;
    },
  };
}

/** Measures commits that have no run yet; the server says how many already had one. */
export function backfillAction(repository: string): Action {
  return {
    label: 'Backfill',
    button: 'Backfill…',
    title: 'Measure commits that have no run yet',
    role: 'trigger',
    explain: 'Queues a run against its parent for each listed commit that has none yet, newest first. In a clone:',
    command: 'git rev-list --first-parent --reverse OLD~..NEW',
    fields: [
      {
        name: 'commits',
        label: 'Commits, oldest first, one per line; the first serves only as a parent',
        type: 'area',
      },
      { name: 'limit', label: 'Maximum number of runs', value: '20', type: 'number' },
    ],
    run: async ({ commits, limit }) => {
      await post('/api/v1/backfills', {
        repository,
        commits: commits!.split(/\s+/).filter(Boolean),
        limit: Number(limit),
      });
      return `/runs?repository=${encodeURIComponent(repository)}`;
    },
  };
}

export function cancelAction(one: Bisection): Action {
  return {
    label: 'Cancel',
    title: `Cancel bisection ${one.id}`,
    role: 'trigger',
    explain: 'Stops the search and its current run. Measurements so far are kept.',
    run: async () => void (await post(`/api/v1/bisections/${one.id}/cancel`)),
  };
}
