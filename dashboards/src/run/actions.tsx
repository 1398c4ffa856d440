// SPDX-License-Identifier: Apache-2.0
// The actions on a run.
import { bisectAction } from '../bisect/actions';
import { post } from '../lib/api';
import type { Run } from '../lib/types';
import { isFailure, isFinished } from '../lib/verdict';
import { Actions, type Action } from '../ui/ask';
import { profileAction } from './profiles';

export function approveAction(run: Run): Action {
  return {
    label: 'Approve',
    title: `Approve run ${run.id}`,
    role: 'trigger',
    explain: 'Builds and measures this commit of a fork. Review the change first: its code runs on the runner.',
    run: async () => void (await post(`/api/v1/runs/${run.id}/approve`)),
  };
}

export function refuseAction(run: Run): Action {
  return {
    label: 'Refuse',
    title: `Refuse run ${run.id}`,
    role: 'trigger',
    explain: 'This commit of a fork will not be measured.',
    fields: [{ name: 'reason', label: 'Why', hint: 'Shown to the author' }],
    run: async ({ reason }) => void (await post(`/api/v1/runs/${run.id}/refuse`, { reason })),
  };
}

const retry = (run: Run): Action => ({
  label: 'Retry',
  title: `Retry run ${run.id}`,
  role: 'trigger',
  explain: 'Measures this commit again in a new run. This run does not change.',
  run: async () => `/runs/${(await post<Run>(`/api/v1/runs/${run.id}/retry`)).id}`,
});

const cancel = (run: Run): Action => ({
  label: 'Cancel',
  title: `Cancel run ${run.id}`,
  role: 'trigger',
  explain: 'Ends the run without a conclusion. Use Retry to measure the commit again.',
  run: async () => void (await post(`/api/v1/runs/${run.id}/cancel`)),
});

const accept = (run: Run): Action => ({
  label: 'Accept the regression',
  title: `Accept the regression of run ${run.id}`,
  role: 'admin',
  explain: 'The benchmarks that regressed here no longer fail later runs at this level. The acceptance can be revoked.',
  fields: [
    { name: 'match', label: 'Benchmarks (regular expression)', value: '.*' },
    { name: 'reason', label: 'Why' },
    { name: 'days', label: 'Days until it expires (empty: until revoked)', type: 'number', optional: true },
  ],
  run: async ({ match, reason, days }) =>
    void (await post('/api/v1/acknowledgements', {
      repository: run.repository,
      run: run.id,
      match,
      reason,
      ...(days ? { expires_in_days: Number(days) } : {}),
    })),
});

const promote = (run: Run): Action => ({
  label: 'Promote',
  title: `Promote run ${run.id}`,
  role: 'admin',
  explain: "Stores this run's times as the baseline of that name.",
  fields: [
    { name: 'name', label: 'Baseline name', value: 'main' },
    { name: 'reason', label: 'Why' },
  ],
  run: async ({ name, reason }) =>
    void (await post('/api/v1/baselines', { repository: run.repository, run: run.id, name, reason, anchor: false })),
});

function bisect(run: Run): Action[] {
  const rows = run.comparisons.filter((one) => one.verdict === 'regressed' || isFailure(run.verdicts, one.verdict));
  const worst = [...rows].sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))[0];
  if (!worst || !run.base_commit) return [];
  const until = worst.verdict === 'regressed' ? 'regressed' : 'broken';
  return [
    bisectAction({
      repository: run.repository,
      suite: worst.suite,
      benchmark: worst.benchmark,
      until,
      commits: [run.base_commit, run.commit],
    }),
  ];
}

export const canProfile = (run: Run) =>
  isFinished(run) && run.base_commit !== '' && run.epoch > 0 && run.comparisons.length > 0;

export function actionsOf(run: Run): Action[] {
  if (run.state === 'held') return [approveAction(run), refuseAction(run)];
  if (!isFinished(run)) return [cancel(run)];
  return [
    retry(run),
    ...bisect(run),
    ...(canProfile(run) ? [profileAction(run)] : []),
    ...(run.conclusion === 'regressed' ? [accept(run)] : []),
    ...(run.conclusion === 'passed' && !run.reused_from ? [promote(run)] : []),
  ];
}

export function RunActions({ run, changed }: { run: Run; changed: () => void }) {
  return <Actions actions={actionsOf(run)} changed={changed} />;
}
