// SPDX-License-Identifier: Apache-2.0
// What a person may do with a run.
import { bisectAct } from '../bisect/acts';
import { post } from '../lib/api';
import type { Run } from '../lib/types';
import { brokenVerdicts, isFinished } from '../lib/verdict';
import { Acts, type Act } from '../ui/ask';
import { profileAct } from './profiles';

export function approveAct(run: Run): Act {
  return {
    label: 'Approve', title: `Approve run ${run.id}`, role: 'trigger',
    explain: 'The commit of a fork is built and measured. Look at what it changes first: this runs its code on the runner.',
    run: async () => void (await post(`/api/v1/runs/${run.id}/approve`)),
  };
}

export function refuseAct(run: Run): Act {
  return {
    label: 'Refuse', title: `Refuse run ${run.id}`, role: 'trigger', explain: 'The commit of a fork is not measured.',
    fields: [{ name: 'reason', label: 'Why', hint: 'Read by whoever pushed it' }],
    run: async ({ reason }) => void (await post(`/api/v1/runs/${run.id}/refuse`, { reason })),
  };
}

const retry = (run: Run): Act => ({
  label: 'Retry', title: `Retry run ${run.id}`, role: 'trigger', explain: 'Measures this commit again, as a new run. This one stays as it is.',
  run: async () => `/runs/${(await post<Run>(`/api/v1/runs/${run.id}/retry`)).id}`,
});

const cancel = (run: Run): Act => ({
  label: 'Cancel', title: `Cancel run ${run.id}`, role: 'trigger', explain: 'Ends the run without a conclusion. A retry measures the commit again.',
  run: async () => void (await post(`/api/v1/runs/${run.id}/cancel`)),
});

const accept = (run: Run): Act => ({
  label: 'Accept the regression', title: `Accept the regression of run ${run.id}`, role: 'admin',
  explain: 'The benchmarks that regressed here no longer fail later runs at this level. It can be revoked.',
  fields: [
    { name: 'match', label: 'Benchmarks (regular expression)', value: '.*' },
    { name: 'reason', label: 'Why' },
    { name: 'days', label: 'For how many days (empty: until revoked)', type: 'number', optional: true },
  ],
  run: async ({ match, reason, days }) => void (await post('/api/v1/acknowledgements', {
    repository: run.repository, run: run.id, match, reason, ...(days ? { expires_in_days: Number(days) } : {}),
  })),
});

const promote = (run: Run): Act => ({
  label: 'Promote', title: `Promote run ${run.id}`, role: 'admin', explain: "Makes this run's times the stored baseline of that name.",
  fields: [{ name: 'name', label: 'Name of the baseline', value: 'main' }, { name: 'reason', label: 'Why' }],
  run: async ({ name, reason }) => void (await post('/api/v1/baselines', { repository: run.repository, run: run.id, name, reason, anchor: false })),
});

function bisect(run: Run): Act[] {
  const rows = run.comparisons.filter((one) => one.verdict === 'regressed' || brokenVerdicts.includes(one.verdict));
  const worst = [...rows].sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))[0];
  if (!worst || !run.base_commit) return [];
  const until = worst.verdict === 'regressed' ? 'regressed' : 'broken';
  return [bisectAct({ repository: run.repository, suite: worst.suite, benchmark: worst.benchmark, until, commits: [run.base_commit, run.commit] })];
}

export const canProfile = (run: Run) => isFinished(run) && run.base_commit !== '' && run.epoch > 0 && run.comparisons.length > 0;

export function actsOf(run: Run): Act[] {
  if (run.state === 'held') return [approveAct(run), refuseAct(run)];
  if (!isFinished(run)) return [cancel(run)];
  return [
    retry(run), ...bisect(run), ...(canProfile(run) ? [profileAct(run)] : []),
    ...(run.conclusion === 'regressed' ? [accept(run)] : []),
    ...(run.conclusion === 'passed' && !run.reused_from ? [promote(run)] : []),
  ];
}

export function RunActs({ run, changed }: { run: Run; changed: () => void }) {
  return <Acts acts={actsOf(run)} changed={changed} />;
}
