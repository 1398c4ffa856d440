// SPDX-License-Identifier: Apache-2.0
// Benchmarks that are quarantined as too unstable: a section of the baselines page.
import { getAll, post } from '../lib/api';
import { useData } from '../lib/data';
import { Actions, type Action } from '../ui/ask';
import { Breakable, ErrorBox, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type { QuarantineRecord as Quarantine } from '../lib/wire';

const setAsideAct = (repository: string): Action => ({
  label: 'Quarantine',
  button: 'Quarantine a benchmark…',
  title: 'Quarantine a benchmark',
  role: 'admin',
  explain: 'It is still measured and shown, but cannot fail a run until it is released.',
  fields: [
    { name: 'suite', label: 'Suite' },
    { name: 'benchmark', label: 'Benchmark (full name)' },
    { name: 'reason', label: 'Why', type: 'area' },
  ],
  run: async (values) => void (await post('/api/v1/quarantines', { repository, ...values })),
});

const releaseAction = (repository: string, row: Quarantine): Action => ({
  label: 'Release',
  title: `Release ${row.benchmark}`,
  role: 'admin',
  explain: 'It can fail runs again.',
  fields: [{ name: 'reason', label: 'Why', value: row.suggestion, type: 'area' }],
  run: async ({ reason }) => void (await post(`/api/v1/quarantines/${row.id}/release`, { repository, reason })),
});

const columns = (repository: string, changed: () => void): Column<Quarantine>[] => [
  {
    name: 'Benchmark',
    lead: true,
    cell: (row) => (
      <>
        <strong class="wrap">
          <Breakable text={row.benchmark} />
        </strong>{' '}
        <span class="dim">{row.suite}</span>
      </>
    ),
  },
  { name: 'Where', cell: (row) => (row.epoch === null ? 'everywhere' : `epoch #${row.epoch}`) },
  { name: 'By', cell: (row) => row.actor },
  {
    name: 'Why',
    cell: (row) => (
      <span class="wrap">
        {row.reason}
        {row.suggestion ? <span class="dim">; {row.suggestion}</span> : null}
      </span>
    ),
  },
  { name: 'Since', cell: (row) => <Time at={row.began_at} age /> },
  {
    name: 'Actions',
    role: 'admin',
    cell: (row) => <Actions actions={[releaseAction(repository, row)]} changed={changed} />,
  },
];

export function Quarantines({ repository }: { repository: string }) {
  const { data, error, again } = useData(repository && `quarantines ${repository}`, (signal) =>
    getAll<Quarantine>('/api/v1/quarantines', 'quarantines', { repository }, signal, 4),
  );
  return (
    <Section
      title="Quarantined benchmarks"
      id="quarantines"
      note={
        repository ? (
          <>
            measured and shown, but they cannot fail a run{' '}
            <Actions actions={[setAsideAct(repository)]} changed={again} />
          </>
        ) : (
          ''
        )
      }
    >
      {error ? <ErrorBox error={error} again={again} /> : null}
      {data?.length === 0 ? <p class="dim">No quarantined benchmarks</p> : null}
      {data && data.length > 0 ? (
        <Table
          caption="Quarantined benchmarks"
          columns={columns(repository, again)}
          rows={data}
          keyOf={(row) => row.id}
        />
      ) : null}
    </Section>
  );
}
