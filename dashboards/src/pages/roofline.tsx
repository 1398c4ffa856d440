// SPDX-License-Identifier: Apache-2.0
// The roofline of a run: the newest one of the default branch that states FLOP and bytes, or one that is named.
import { getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { formatNs, formatRate, plural } from '../lib/format';
import { hasWords } from '../lib/group';
import { Link, useQuery } from '../lib/router';
import { formatIntensity, roofWord, type Ceilings, type RoofPoint, type RunCeilings } from '../lib/roofline';
import type { Run } from '../lib/types';
import { pointTarget, RooflinePlot, useRoofline } from '../run/roofline';
import { NameFilter, RepositoryChoice, useRepository } from '../ui/choose';
import { Breakable, Empty, ErrorBox, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

const RUNS_MAX = 50;
const LOOKED_AT_MAX = 8;

/** The newest finished runs; the newest of them, as far as one looks, that has a place under a roof. */
async function choose(
  repository: string,
  branch: string,
  asked: string,
  signal: AbortSignal,
): Promise<{ run: Run | null; others: Run[] }> {
  const { runs } = await getJson<{ runs: Run[] }>(
    url('/api/v1/runs', { repository, branch, state: 'done', limit: RUNS_MAX }),
    signal,
  );
  const others = runs.filter(
    (one) => ['passed', 'regressed', 'undecided', 'broken'].includes(one.conclusion) && !one.reused_from,
  );
  const whole = (id: number | string) => getJson<Run>(`/api/v1/runs/${encodeURIComponent(id)}`, signal);
  if (asked) return { run: await whole(asked), others };
  for (const one of others.slice(0, LOOKED_AT_MAX)) {
    const run = await whole(one.id);
    if (run.comparisons.some((row) => row.roof)) return { run, others };
  }
  return { run: null, others };
}

interface CeilingRow {
  name: string;
  unit: string;
  measured: number;
  datasheet: number;
}

/** Rates that somebody measured; one without a datasheet's figure stands alone. */
function ceilingRows(ceilings: Ceilings): CeilingRow[] {
  const rates = Object.entries(ceilings.flops).map(([type, measured]) => ({
    name: `${type} rate`,
    unit: 'FLOP',
    measured,
    datasheet: ceilings.peak_flops?.[type] ?? 0,
  }));
  return [
    { name: 'memory, copied', unit: 'B', measured: ceilings.copy_bytes_s, datasheet: ceilings.peak_bytes_s ?? 0 },
    { name: 'L2', unit: 'B', measured: ceilings.l2_bytes_s ?? 0, datasheet: 0 },
    ...rates.sort((a, b) => b.measured - a.measured),
  ].filter((row) => row.measured > 0);
}

const ceilingColumns: Column<CeilingRow>[] = [
  { name: 'Ceiling', lead: true, cell: (row) => row.name },
  { name: 'Measured', numeric: true, cell: (row) => <strong>{formatRate(row.measured, row.unit)}</strong> },
  { name: 'Datasheet', numeric: true, cell: (row) => (row.datasheet > 0 ? formatRate(row.datasheet, row.unit) : '–') },
  {
    name: 'Share of the datasheet',
    numeric: true,
    cell: (row) => (row.datasheet > 0 ? `${((row.measured / row.datasheet) * 100).toFixed(1)} %` : '–'),
  },
];

const columnsOf = (run: Run, rates: boolean): Column<RoofPoint>[] => [
  {
    name: 'Benchmark',
    lead: true,
    sort: 'name',
    by: (row) => row.benchmark,
    cell: (row) => (
      <Link to={pointTarget(run.id)(row)} class="wrap">
        <Breakable text={row.benchmark} />
      </Link>
    ),
  },
  {
    name: 'Share of the roof',
    numeric: true,
    sort: 'fraction',
    by: (row) => row.fraction,
    cell: (row) => <strong>{(row.fraction * 100).toFixed(1)} %</strong>,
  },
  { name: 'Limited by', sort: 'roof', by: (row) => row.roof, cell: (row) => roofWord(row.roof) },
  {
    name: 'FLOP per byte',
    numeric: true,
    sort: 'intensity',
    by: (row) => row.intensity,
    cell: (row) => formatIntensity(row.intensity),
  },
  ...(rates
    ? [
        {
          name: 'Rate',
          numeric: true,
          sort: 'rate',
          by: (row: RoofPoint) => row.rate ?? 0,
          cell: (row: RoofPoint) => (row.rate === null ? '–' : formatRate(row.rate, 'FLOP')),
        },
      ]
    : []),
  {
    name: 'Time',
    numeric: true,
    cell: (row) =>
      formatNs(
        run.comparisons.find((one) => one.suite === row.suite && one.benchmark === row.benchmark)?.head_median_ns,
      ),
  },
];

interface ResultProps {
  run: Run;
  roofline: RunCeilings;
  found: RoofPoint[];
}

function Result({ run, roofline: { ceilings, roofs }, found }: ResultProps) {
  const [sort, setSort] = useQuery('sort', 'fraction');
  return (
    <>
      <Section
        title={`Run #${run.id}`}
        note={
          <>
            {run.subject} <Hash value={run.commit} /> on {run.testbed}, <Time at={run.finished_at} age />
          </>
        }
      >
        <RooflinePlot points={found} roofs={roofs} to={pointTarget(run.id)} />
      </Section>
      {ceilings ? (
        <Section title="GPU ceilings" note={`measured on ${run.testbed}; shares are relative to these`}>
          <Table caption="Ceilings" columns={ceilingColumns} rows={ceilingRows(ceilings)} keyOf={(row) => row.name} />
        </Section>
      ) : null}
      <Section title="Benchmarks" note={plural(found.length, 'benchmark')}>
        <Table
          caption="Benchmarks and their limits"
          columns={columnsOf(
            run,
            found.some((one) => one.rate !== null),
          )}
          rows={found}
          keyOf={(row) => `${row.suite}/${row.benchmark}`}
          sort={sort}
          setSort={setSort}
        />
      </Section>
    </>
  );
}

export default function RooflinePage() {
  const repository = useRepository();
  const [asked, setAsked] = useQuery('run');
  const [text, setText] = useQuery('q');
  const key = repository.name && `roofline ${repository.name} ${asked}`;
  const { data, error, again } = useData(key, (signal) => choose(repository.name, repository.branch, asked, signal));
  const run = data?.run ?? null;
  const roofline = useRoofline(run?.id);
  const points = roofline?.points ?? [];
  const found = points.filter((one) => hasWords(one.benchmark, text));
  return (
    <div class="page">
      <div class="page-head">
        <h1>Roofline</h1>
      </div>
      <div class="filters">
        <NameFilter text={text} setText={setText} />
        <RepositoryChoice chosen={repository} />
        <label>
          Run
          <select value={run ? String(run.id) : ''} onChange={(event) => setAsked(event.currentTarget.value)}>
            {run && !data!.others.some((one) => one.id === run.id) ? <option value={run.id}>#{run.id}</option> : null}
            {data?.others.map((one) => (
              <option key={one.id} value={one.id}>
                #{one.id} {one.subject.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {(run ? !roofline : !data && !error && !(repository.known && !repository.name)) ? <Loading lines={14} /> : null}
      {(run ? roofline : data) && points.length === 0 ? (
        <Empty title="No roofline data">
          <p class="dim">
            A suite has to report <code>flops</code> and <code>bytes</code> per call, and the testbed's ceilings have to
            be measured with <code>kernelgate characterize</code>.
          </p>
        </Empty>
      ) : null}
      {run && roofline && points.length > 0 ? <Result run={run} roofline={roofline} found={found} /> : null}
    </div>
  );
}
