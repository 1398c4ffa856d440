// SPDX-License-Identifier: Apache-2.0
// Every benchmark of a repository with its newest figures on the default branch; / searches.
import { getAll, getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatNs, formatPercent, plural } from '../lib/format';
import { hasWords } from '../lib/group';
import { Link, useQuery } from '../lib/router';
import type { Comparison, Run, VerdictCount } from '../lib/types';
import { rankIn } from '../lib/verdict';
import type { BenchmarkName } from '../lib/wire';
import { NameFilter, RepositoryChoice, TestbedChoice, useRepository } from '../ui/choose';
import { Badge, Empty, ErrorBox, Loading, Time } from '../ui/parts';
import { Sparkline } from '../ui/sparkline';
import { Table, sortRows, type Column } from '../ui/table';

interface Row extends BenchmarkName {
  newest?: Comparison;
}

const ROWS_MAX = 200;

async function load(
  repository: string,
  branch: string,
  testbed: string,
  signal: AbortSignal,
): Promise<{ rows: Row[]; run?: Run }> {
  const [names, runs] = await Promise.all([
    getAll<Row>('/api/v1/benchmarks', 'benchmarks', { repository }, signal, 8),
    getJson<{ runs: Run[] }>(url('/api/v1/runs', { repository, branch, testbed, state: 'done', limit: 20 }), signal),
  ]);
  const latest = runs.runs.find((one) => one.conclusion === 'passed' || one.conclusion === 'regressed') ?? runs.runs[0];
  const run = latest && (await getJson<Run>(`/api/v1/runs/${latest.id}`, signal));
  const newest = new Map(run?.comparisons.map((one) => [`${one.suite}/${one.benchmark}`, one]));
  return { rows: names.map((name) => ({ ...name, newest: newest.get(`${name.suite}/${name.benchmark}`) })), run };
}

/** Two points make no shape; levels of another testbed than the figures beside them say nothing here. */
const POINTS_MIN = 3;

function Recent({ row }: { row: Row }) {
  const levels = row.recent_ns ?? [];
  if (levels.length < POINTS_MIN || levels[levels.length - 1] !== row.newest?.head_median_ns)
    return <span class="dim">–</span>;
  return <Sparkline values={levels} label={`${levels.length} newest points on the default branch`} />;
}

const historyOf = (repository: string, row: Row) => url('/history', { repository, b: `${row.suite}/${row.benchmark}` });

const columnsOf = (repository: string, verdicts: VerdictCount[]): Column<Row>[] => [
  {
    name: 'Benchmark',
    lead: true,
    sort: 'name',
    by: (row) => row.benchmark,
    cell: (row) => <Link to={historyOf(repository, row)}>{row.benchmark}</Link>,
  },
  { name: 'Suite', cell: (row) => row.suite },
  {
    name: 'Recent',
    cell: (row) => <Recent row={row} />,
  },
  {
    name: 'Latest verdict',
    sort: 'verdict',
    by: (row) => rankIn(verdicts, row.newest?.verdict ?? ''),
    cell: (row) => (row.newest ? <Badge name={row.newest.verdict} /> : <span class="dim">–</span>),
  },
  {
    name: 'Time',
    numeric: true,
    sort: 'time',
    by: (row) => row.newest?.head_median_ns ?? -1,
    cell: (row) => formatNs(row.newest?.head_median_ns),
  },
  {
    name: 'Change',
    numeric: true,
    sort: 'change',
    by: (row) => row.newest?.ratio ?? 0,
    cell: (row) => formatChange(row.newest?.ratio),
  },
  {
    name: 'Detectable',
    numeric: true,
    sort: 'detectable',
    by: (row) => row.newest?.minimum_detectable ?? -1,
    cell: (row) => (row.newest?.minimum_detectable ? formatPercent(row.newest.minimum_detectable).slice(1) : '–'),
  },
];

export default function BenchmarksPage() {
  const repository = useRepository();
  const [text, setText] = useQuery('q');
  const [sort, setSort] = useQuery('sort', 'name');
  const [testbed, setTestbed] = useQuery('testbed');
  const key = repository.name && repository.known ? `benchmarks ${repository.name} ${testbed}` : '';
  const { data, error, again } = useData(key, (signal) => load(repository.name, repository.branch, testbed, signal));
  const found = (data?.rows ?? []).filter((row) => hasWords(`${row.suite}/${row.benchmark}`, text));
  const columns = columnsOf(repository.name, data?.run?.verdicts ?? []);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Benchmarks</h1>
      </div>
      <div class="filters">
        <NameFilter text={text} setText={setText} />
        <RepositoryChoice chosen={repository} />
        <TestbedChoice value={testbed} set={setTestbed} />
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error && !(repository.known && !repository.name) ? <Loading lines={14} /> : null}
      {data && data.rows.length === 0 ? (
        <Empty title="No benchmarks yet">
          <p class="dim">They appear after the first finished run of {repository.name}.</p>
        </Empty>
      ) : null}
      {data && data.rows.length > 0 ? (
        <>
          <p class="dim" aria-live="polite">
            {plural(found.length, 'benchmark')}
            {found.length > ROWS_MAX ? `; the first ${ROWS_MAX} are shown, filter by name to find the others` : ''}
            {data.run ? (
              <>
                ; results of <Link to={`/runs/${data.run.id}`}>run #{data.run.id}</Link> on {data.run.branch},{' '}
                <Time at={data.run.finished_at} age />
              </>
            ) : null}
          </p>
          {found.length > 0 ? (
            <Table
              caption="Benchmarks"
              columns={columns}
              rows={sortRows(found, columns, sort).slice(0, ROWS_MAX)}
              keyOf={(row) => `${row.suite}/${row.benchmark}`}
              sort={sort}
              setSort={setSort}
            />
          ) : (
            <Empty title="No benchmark matches the filter">
              <button type="button" onClick={() => setText('')}>
                Show all
              </button>
            </Empty>
          )}
        </>
      ) : null}
    </div>
  );
}
