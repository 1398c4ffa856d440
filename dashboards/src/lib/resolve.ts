// SPDX-License-Identifier: Apache-2.0
// What a person names, "8123", a full hash, a branch or a release, "@testbed" behind it or not, and the finished run that
// stands for it: the newest with figures.
import { ApiError, getAll, getJson, url } from './api';
import type { Side } from './compare';
import type { Comparison, Run } from './types';
import type { Baseline } from './types_stored';

const judged = (run: Run) =>
  run.state === 'done' &&
  (run.conclusion === 'passed' || run.conclusion === 'regressed' || run.conclusion === 'undecided');

function nothing(text: string, fix: string): ApiError {
  return new ApiError({ title: 'Nothing to compare', status: 0, detail: text, code: 'not_found', fix });
}

async function runOf(repository: string, text: string, signal: AbortSignal): Promise<Run> {
  const [name, testbed] = text.split(/@(?=[^@]*$)/) as [string, string | undefined];
  if (/^\d{1,12}$/.test(name)) return getJson<Run>(`/api/v1/runs/${name}`, signal);
  const newest = async (query: Record<string, string>) => {
    const { runs } = await getJson<{ runs: Run[] }>(url('/api/v1/runs', { repository, ...query, limit: 200 }), signal);
    return runs.find((run) => judged(run) && (!testbed || run.testbed === testbed));
  };
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name)) {
    const run = await newest({ commit: name });
    if (run) return run;
    throw nothing(
      `No finished run measured ${name.slice(0, 10)}${testbed ? ` on ${testbed}` : ''}.`,
      'Trigger a run of it, or name another commit.',
    );
  }
  const branch = await newest({ branch: name });
  if (branch) return branch;
  const baselines = await getAll<Baseline>('/api/v1/baselines', 'baselines', { repository }, signal, 2);
  const release = baselines.find((one) => one.name === name && one.replaced_at === null);
  if (release) return getJson<Run>(`/api/v1/runs/${release.run}`, signal);
  throw nothing(
    `'${text.slice(0, 100)}' is no run, commit, branch or release with figures in ${repository}.`,
    'Name the number of a run, a whole hash, a branch or a baseline; @testbed behind it chooses the testbed.',
  );
}

export async function sideOf(repository: string, text: string, signal: AbortSignal): Promise<Side> {
  const run = await runOf(repository, text, signal);
  const comparisons = await getAll<Comparison>(`/api/v1/runs/${run.id}/comparisons`, 'comparisons', {}, signal, 8);
  return { run, comparisons };
}
