// SPDX-License-Identifier: Apache-2.0
// Baselines and accepted regressions, with their actions: promote, accept, revoke. Each asks for a reason, is
// confirmed, and is recorded in the audit log.
import { ApiError, getAll, post } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatNs, plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import type { Acknowledgement, Baseline } from '../lib/types_stored';
import { Actions, type Action } from '../ui/ask';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { Empty, ErrorBox, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import { Quarantines } from './quarantines';
import type { Remeasured } from '../lib/wire';

const baselineColumns = (repository: string, changed: () => void): Column<Baseline>[] => [
  {
    name: 'Baseline',
    lead: true,
    cell: (row) => (
      <strong>
        {row.anchor ? '⚓ ' : ''}
        {row.name}
      </strong>
    ),
  },
  {
    name: 'State',
    cell: (row) =>
      row.replaced_at ? (
        <span class="dim">
          replaced <Time at={row.replaced_at} age />
        </span>
      ) : (
        'current'
      ),
  },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run}</Link> },
  { name: 'Commit', cell: (row) => <Hash value={row.commit} /> },
  { name: 'Epoch', numeric: true, cell: (row) => `#${row.epoch}` },
  { name: 'Sessions', numeric: true, cell: (row) => row.sessions },
  { name: 'By', cell: (row) => row.actor },
  { name: 'Reason', cell: (row) => row.reason },
  { name: 'Promoted', cell: (row) => <Time at={row.promoted_at} /> },
  {
    name: 'Actions',
    role: 'trigger',
    cell: (row) =>
      row.replaced_at ? null : <Actions actions={[remeasureAction(repository, row)]} changed={changed} />,
  },
];

function stateOf(row: Acknowledgement) {
  if (row.revoked_at)
    return (
      <span class="dim">
        revoked by {row.revoked_by}: {row.revoked_reason}
      </span>
    );
  if (!row.expires_at) return <>until revoked</>;
  return new Date(row.expires_at).getTime() < Date.now() ? (
    <span class="dim">expired</span>
  ) : (
    <>
      until <Time at={row.expires_at} />
    </>
  );
}

const acceptedColumns = (repository: string, changed: () => void): Column<Acknowledgement>[] => [
  {
    name: 'Benchmarks',
    lead: true,
    cell: (row) => (
      <>
        <code>{row.match}</code> <span class="dim">{plural(row.benchmarks.length, 'benchmark')}</span>
      </>
    ),
  },
  {
    name: 'Largest',
    numeric: true,
    cell: (row) => {
      const worst = [...row.benchmarks].sort((a, b) => b.ratio - a.ratio)[0];
      return worst ? (
        <span title={`${worst.benchmark}, ${formatNs(worst.head_median_ns)}`}>{formatChange(worst.ratio)}</span>
      ) : (
        '–'
      );
    },
  },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run}</Link> },
  { name: 'By', cell: (row) => row.actor },
  { name: 'Reason', cell: (row) => row.reason },
  { name: 'Accepted', cell: (row) => <Time at={row.accepted_at} /> },
  { name: 'Valid', cell: stateOf },
  {
    name: 'Actions',
    role: 'admin',
    cell: (row) => (row.revoked_at ? null : <Actions actions={[revokeAction(repository, row)]} changed={changed} />),
  },
];

const promoteAction = (repository: string): Action => ({
  label: 'Promote',
  title: 'Promote a run to a baseline',
  role: 'admin',
  explain: 'Later commits are compared with the times of this run.',
  fields: [
    { name: 'run', label: 'Run', type: 'number' },
    { name: 'name', label: 'Name', hint: 'release-1.2' },
    { name: 'anchor', label: 'Anchor: always show the history relative to it', type: 'check' },
    { name: 'reason', label: 'Reason', type: 'area' },
  ],
  run: async ({ run, name, reason, anchor }) =>
    void (await post('/api/v1/baselines', {
      repository,
      run: Number(run),
      name,
      reason,
      anchor: anchor !== undefined,
    })),
});

const acceptAction = (repository: string): Action => ({
  label: 'Accept',
  title: 'Accept regressions of a run',
  role: 'admin',
  explain: 'Benchmarks that regressed in that run no longer fail later runs at this level.',
  fields: [
    { name: 'run', label: 'Run', type: 'number' },
    { name: 'match', label: 'Benchmarks (regular expression)', hint: '^gemm/bf16' },
    { name: 'days', label: 'Days until it expires (empty: until revoked)', type: 'number', optional: true },
    { name: 'reason', label: 'Reason', type: 'area' },
  ],
  run: async ({ run, match, days, reason }) =>
    void (await post('/api/v1/acknowledgements', {
      repository,
      run: Number(run),
      match,
      reason,
      ...(days ? { expires_in_days: Number(days) } : {}),
    })),
});

const revokeAction = (repository: string, row: Acknowledgement): Action => ({
  label: 'Revoke',
  title: 'Revoke the acceptance',
  role: 'admin',
  explain: `${row.match} of run #${row.run} counts as a regression again.`,
  fields: [{ name: 'reason', label: 'Reason', type: 'area' }],
  run: async ({ reason }) => void (await post(`/api/v1/acknowledgements/${row.id}/revoke`, { repository, reason })),
});

/** Queues one session of a baseline; where that is impossible, the server says why. */
const remeasureAction = (repository: string, row: Baseline): Action => ({
  label: 'Measure again',
  title: `Measure ${row.name} again`,
  role: 'trigger',
  explain:
    'Measures one more session of this baseline on its testbed. ' +
    'From twenty sessions on, a commit can be compared with it without measuring base.',
  run: async () => {
    const { baselines } = await post<{ baselines: Remeasured[] }>('/api/v1/baselines/remeasure', {
      repository,
      name: row.name,
    });
    const [one] = baselines;
    if (one?.run) return `/runs/${one.run}`;
    throw new ApiError({
      title: 'Not measured',
      status: 0,
      detail: one?.why_not || `There is no baseline named ${row.name}.`,
      code: 'conflict',
    });
  },
});

export default function BaselinesPage() {
  const repository = useRepository();
  const [old, setOld] = useQuery('replaced');
  const query = { repository: repository.name };
  const baselines = useData(repository.name && `baselines ${repository.name}`, (signal) =>
    getAll<Baseline>('/api/v1/baselines', 'baselines', query, signal, 4),
  );
  const accepted = useData(repository.name && `accepted ${repository.name}`, (signal) =>
    getAll<Acknowledgement>('/api/v1/acknowledgements', 'acknowledgements', query, signal, 4),
  );
  const shown = baselines.data?.filter((one) => old || one.replaced_at === null) ?? [];
  const replaced =
    (baselines.data?.length ?? 0) - (baselines.data?.filter((one) => one.replaced_at === null).length ?? 0);
  const changed = () => {
    baselines.again();
    accepted.again();
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>Baselines</h1>
        {repository.name ? (
          <Actions
            actions={[
              { ...promoteAction(repository.name), button: 'Promote a run…' },
              { ...acceptAction(repository.name), button: 'Accept regressions…' },
            ]}
            changed={changed}
          />
        ) : null}
      </div>
      <div class="filters">
        <RepositoryChoice chosen={repository} />
        {replaced > 0 ? (
          <button type="button" class="chip" aria-pressed={old !== ''} onClick={() => setOld(old ? '' : 'shown')}>
            {`${replaced} replaced`}
          </button>
        ) : null}
      </div>
      <Section title="Promoted runs" note="later commits are compared with them">
        {baselines.error ? <ErrorBox error={baselines.error} again={baselines.again} /> : null}
        {!baselines.data && !baselines.error ? <Loading lines={4} /> : null}
        {baselines.data && shown.length === 0 ? (
          <Empty title="No baselines yet">
            <p class="dim">Promote the run of a release to compare later commits with it.</p>
          </Empty>
        ) : null}
        {shown.length > 0 ? (
          <Table
            caption="Baselines"
            columns={baselineColumns(repository.name, changed)}
            rows={shown}
            keyOf={(row) => row.id}
          />
        ) : null}
      </Section>
      <Section title="Accepted regressions" note="known, with a reason; they do not fail runs">
        {accepted.error ? <ErrorBox error={accepted.error} again={accepted.again} /> : null}
        {!accepted.data && !accepted.error ? <Loading lines={4} /> : null}
        {accepted.data?.length === 0 ? (
          <Empty title="No accepted regressions">
            <p class="dim">If a slowdown is intended, accept it with a reason; it then no longer fails runs.</p>
          </Empty>
        ) : null}
        {accepted.data && accepted.data.length > 0 ? (
          <Table
            caption="Accepted regressions"
            columns={acceptedColumns(repository.name, changed)}
            rows={accepted.data}
            keyOf={(row) => row.id}
          />
        ) : null}
      </Section>
      <Quarantines repository={repository.name} />
    </div>
  );
}
