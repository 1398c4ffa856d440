// SPDX-License-Identifier: Apache-2.0
// What a person names ("8123", a hash or its first digits, a branch or a release, with "@testbed" or without) and the
// finished run that stands for it: the newest with figures.
import { ApiError, getAll, getJson, url } from './api';
import type { Compared, ComparedRuns } from './compare';
import type { Run } from './types';
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
    const path = url('/api/v1/runs', { repository, ...query, testbed: testbed ?? '', limit: 200 });
    const { runs } = await getJson<{ runs: Run[] }>(path, signal);
    return runs.find(judged);
  };
  const whole = /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name);
  if (whole || /^[0-9a-f]{7,64}$/.test(name)) {
    const run = await newest({ commit: name });
    if (run) return run;
  }
  if (whole)
    throw nothing(
      `No finished run of ${name.slice(0, 10)}${testbed ? ` on ${testbed}` : ''}.`,
      'Trigger one, or choose another commit.',
    );
  const branch = await newest({ branch: name });
  if (branch) return branch;
  const baselines = await getAll<Baseline>('/api/v1/baselines', 'baselines', { repository }, signal, 2);
  const release = baselines.find((one) => one.name === name && one.replaced_at === null);
  if (release) return getJson<Run>(`/api/v1/runs/${release.run}`, signal);
  throw nothing(
    `'${text.slice(0, 100)}' is not a run, commit, branch or baseline with results in ${repository}.`,
    'Give a run number, a commit hash (7 digits or more), a branch or a baseline; add @testbed to choose the testbed.',
  );
}

export async function comparedRuns(
  repository: string,
  base: string,
  head: string,
  signal: AbortSignal,
): Promise<Compared> {
  const [one, two] = await Promise.all([runOf(repository, base, signal), runOf(repository, head, signal)]);
  const answer = await getJson<ComparedRuns>(url('/api/v1/compare', { base: one.id, head: two.id }), signal);
  return { ...answer, base: one, head: two };
}
