// SPDX-License-Identifier: Apache-2.0
// Starting and stopping a bisection.
import { post } from '../lib/api';
import type { Act } from '../ui/ask';
import type { Bisection } from './types';

export interface BisectionStart {
  repository: string;
  suite: string;
  benchmark: string;
  until: 'regressed' | 'broken';
  /** Oldest first, as far as the page knows them. */
  commits: string[];
}

/** The server has no git: whoever asks gives every commit between good and bad. */
export function bisectAct({ repository, suite, benchmark, until, commits }: BisectionStart): Act {
  const [good, bad] = [commits[0] ?? 'GOOD', commits[commits.length - 1] ?? 'BAD'];
  return {
    label: 'Bisect',
    title: 'Look for the culprit',
    role: 'trigger',
    explain:
      'Runners measure commits between a good and a bad one until the first bad one is known. The server has no clone: it needs each commit of the line, oldest first. In a clone:',
    command: `git rev-list --first-parent --reverse ${good}~..${bad}`,
    fields: [
      { name: 'commits', label: 'Commits from good to bad, one a line', value: commits.join('\n'), type: 'area' },
      { name: 'benchmark', label: 'Benchmark, its whole name', value: benchmark, optional: until === 'broken' },
      { name: 'suite', label: 'Suite, where several have one of this name', value: suite, optional: true },
      { name: 'until', label: 'What it became', value: until, options: ['regressed', 'broken'] },
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

/** Measures what was never measured; the server says how many it knew already. */
export function backfillAct(repository: string): Act {
  return {
    label: 'Backfill',
    button: 'Backfill…',
    title: 'Measure commits that never were',
    role: 'trigger',
    explain:
      'Queues a run against its parent for each commit of the line that has none yet, the newest first. In a clone:',
    command: 'git rev-list --first-parent --reverse OLD~..NEW',
    fields: [
      { name: 'commits', label: 'Commits, oldest first, one a line; the first is only a parent', type: 'area' },
      { name: 'limit', label: 'Runs at most', value: '20', type: 'number' },
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

export function cancelAct(one: Bisection): Act {
  return {
    label: 'Cancel',
    title: `Cancel bisection ${one.id}`,
    role: 'trigger',
    explain: 'Stops the search and the run that is under way. What was measured stays.',
    run: async () => void (await post(`/api/v1/bisections/${one.id}/cancel`)),
  };
}
