// SPDX-License-Identifier: Apache-2.0
// Searches for culprits, newest first.
import { backfillAction, bisectAction } from '../bisect/actions';
import { endOf, type Bisection } from '../bisect/types';
import { getJson, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { formatChange } from '../lib/format';
import { hasWords } from '../lib/group';
import { Link, useQuery } from '../lib/router';
import { Actions } from '../ui/ask';
import { NameFilter, RepositoryChoice, useRepository } from '../ui/choose';
import { Badge, Breakable, Copyable, Empty, ErrorBox, Hash, Loading, Pages, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

const columns: Column<Bisection>[] = [
  { name: 'State', lead: true, cell: (row) => <Badge name={endOf(row)} /> },
  {
    name: 'What',
    lead: true,
    cell: (row) => (
      <Link to={`/bisections/${row.id}`} class="wrap">
        {row.benchmark ? <Breakable text={row.benchmark} /> : 'any failure'} {row.until}
      </Link>
    ),
  },
  {
    name: 'Between',
    cell: (row) => (
      <span title={`${row.commits} commits`}>
        <Hash value={row.good} /> … <Hash value={row.bad} />
      </span>
    ),
  },
  {
    name: 'Culprit',
    cell: (row) =>
      row.culprit ? <Hash value={row.culprit} /> : row.suspects.length > 0 ? `one of ${row.suspects.length}` : '–',
  },
  { name: 'Change', numeric: true, cell: (row) => formatChange(row.ratio) },
  { name: 'Comparisons', numeric: true, cell: (row) => row.comparisons },
  { name: 'By', cell: (row) => row.actor },
  { name: 'Started', cell: (row) => <Time at={row.created_at} age /> },
];

export default function BisectionsPage() {
  const repository = useRepository();
  const [older, setOlder] = useQuery('before');
  const [text, setText] = useQuery('q');
  const path = url('/api/v1/bisections', { repository: repository.name, before: older, limit: 100 });
  const { data, error, again } = useData(repository.name && path, (signal) =>
    getJson<{ bisections: Bisection[]; next: string | null }>(path, signal),
  );
  useRunEvents(again, repository.name);
  const shown = (data?.bisections ?? []).filter((one) => hasWords(one.benchmark, text));
  const of = `--server ${location.origin} --repository ${repository.name}`;
  const start = bisectAction({
    repository: repository.name,
    suite: '',
    benchmark: '',
    until: 'regressed',
    commits: [],
  });
  return (
    <div class="page">
      <div class="page-head">
        <h1>Bisections</h1>
        {repository.name ? (
          <Actions actions={[{ ...start, button: 'Bisect…' }, backfillAction(repository.name)]} changed={again} />
        ) : null}
      </div>
      <div class="filters">
        <NameFilter text={text} setText={setText} />
        <RepositoryChoice chosen={repository} />
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error && !(repository.known && !repository.name) ? <Loading lines={8} /> : null}
      {shown.length > 0 ? (
        <Table caption="Bisections, newest first" columns={columns} rows={shown} keyOf={(row) => row.id} />
      ) : null}
      {data && data.bisections.length > 0 && shown.length === 0 ? <Empty title="No matching bisections" /> : null}
      {data && data.bisections.length === 0 ? (
        <Empty title="No bisections yet">
          <p class="dim">
            Start one from a change on the History page, from a regressed run, or in a clone of {repository.name}:
          </p>
          <Copyable
            label="the command that starts a bisection"
            text={`kernelgate bisect ${of} --good REV --bad REV --benchmark NAME`}
          />
        </Empty>
      ) : null}
      <Pages older={older} next={data?.next} go={setOlder} />
    </div>
  );
}
