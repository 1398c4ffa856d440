// SPDX-License-Identifier: Apache-2.0
// Two runs, commits, branches, releases or testbeds compared: a forest plot and a table in one. The address (base,
// head, q, sort) is the view; the page says how well the two can be compared.
import { axisOf, placeOf, ticksOf, tickText, type Axis } from '../lib/axis';
import { csvOf, pairingWords, type Compared, type CompareRow } from '../lib/compare';
import { useData } from '../lib/data';
import { formatChange, formatInterval, formatNs, plural, shortHash } from '../lib/format';
import { hasWords } from '../lib/group';
import { download, pngOf, svgOf, type Picture, type Shape } from '../lib/picture';
import { comparedRuns } from '../lib/resolve';
import { here, Link, navigate, useQuery } from '../lib/router';
import type { Run, VerdictCount } from '../lib/types';
import { rankIn } from '../lib/verdict';
import { NameFilter, RepositoryChoice, useRepository } from '../ui/choose';
import { ForestAxis, ForestRow } from '../ui/forest';
import { Badge, Empty, ErrorBox, Hash, Loading, Notice, Time } from '../ui/parts';
import { sortRows, Table, type Column } from '../ui/table';
import '../style/plots.css';

const ROWS_MAX = 300;
const CALM = 'added'; // a row without a verdict is neither good nor bad

const estimateOf = (row: CompareRow) => ({
  ratio: row.ratio,
  low: row.ratio_low,
  high: row.ratio_high,
  verdict: row.verdict || CALM,
});

const columnsOf = (axis: Axis, repository: string, verdicts: VerdictCount[]): Column<CompareRow>[] => [
  {
    name: 'Benchmark',
    lead: true,
    sort: 'name',
    by: (row) => row.benchmark,
    cell: (row) => (
      <Link to={`/history?${new URLSearchParams({ repository, b: `${row.suite}/${row.benchmark}` })}`}>
        {row.benchmark}
      </Link>
    ),
  },
  {
    name: 'Verdict',
    sort: 'verdict',
    by: (row) => rankIn(verdicts, row.verdict),
    cell: (row) =>
      row.verdict ? <Badge name={row.verdict} /> : <span class="dim">{pairingWords[row.pairing].short}</span>,
  },
  {
    name: 'Ratio',
    lead: true,
    head: <ForestAxis axis={axis} />,
    cell: (row) => <ForestRow axis={axis} row={estimateOf(row)} tolerate={row.tolerate} catchLimit={row.catch_limit} />,
  },
  {
    name: 'Change',
    numeric: true,
    sort: 'change',
    by: (row) => row.ratio ?? 0,
    cell: (row) => formatChange(row.ratio),
  },
  {
    name: 'Interval',
    numeric: true,
    cell: (row) =>
      row.ratio_low === null ? <span class="dim">none</span> : formatInterval(row.ratio_low, row.ratio_high),
  },
  {
    name: 'Base',
    numeric: true,
    sort: 'base',
    by: (row) => row.base_median_ns ?? -1,
    cell: (row) => formatNs(row.base_median_ns),
  },
  {
    name: 'Head',
    numeric: true,
    sort: 'head',
    by: (row) => row.head_median_ns ?? -1,
    cell: (row) => formatNs(row.head_median_ns),
  },
];

const ROW = 22;
const LEFT = 330;
const RIGHT = 130;

/** The plot as a file, in the light theme whatever the page shows: it is for papers and tickets. */
function pictureOf(rows: readonly CompareRow[], axis: Axis, title: string): Picture {
  const width = 960;
  const span = width - LEFT - RIGHT;
  const x = (ratio: number) => Number((LEFT + placeOf(axis, ratio) * span).toFixed(1));
  const height = 64 + rows.length * ROW;
  const text = (at: number, y: number, value: string, align: 'start' | 'middle' | 'end', fill = '#1a1f28'): Shape => ({
    kind: 'text',
    x: at,
    y,
    text: value,
    fill,
    align,
    size: 12,
  });
  const shapes: Shape[] = [
    { kind: 'rect', x: 0, y: 0, width, height, fill: '#ffffff' },
    { kind: 'text', x: 12, y: 20, text: title, fill: '#1a1f28', align: 'start', size: 14, bold: true },
    ...ticksOf(axis).map((ratio) => text(x(ratio), 44, tickText(ratio), 'middle', '#596273')),
    { kind: 'line', x1: x(1), y1: 50, x2: x(1), y2: height - 8, stroke: '#8a92a0', width: 1 },
  ];
  for (const [i, row] of rows.entries()) {
    const y = 64 + i * ROW;
    const fill = row.verdict === 'regressed' ? '#a83c05' : row.verdict === 'improved' ? '#0a5c9e' : '#4d5766';
    shapes.push(
      text(LEFT - 12, y + 4, row.benchmark.length > 46 ? '…' + row.benchmark.slice(-45) : row.benchmark, 'end'),
    );
    if (row.ratio === null) continue;
    if (row.ratio_low !== null && row.ratio_high !== null)
      shapes.push({
        kind: 'line',
        x1: x(row.ratio_low),
        y1: y,
        x2: x(row.ratio_high),
        y2: y,
        stroke: fill,
        width: 2.5,
      });
    shapes.push({ kind: 'dot', x: x(row.ratio), y, radius: 4, fill });
    shapes.push(text(width - 12, y + 4, `${formatChange(row.ratio)} ${row.verdict}`.trim(), 'end', fill));
  }
  return { width, height, title, shapes };
}

const sideText = (run: Run) => `${shortHash(run.commit)} (run ${run.id})`;

function Exports({ rows, axis, compared }: { rows: readonly CompareRow[]; axis: Axis; compared: Compared }) {
  const { base, head, pairing } = compared;
  const name = `compare-${base.id}-${head.id}`;
  const title = `${head.repository}: ${sideText(head)} compared with ${sideText(base)}, ${pairingWords[pairing].short}`;
  const sideOf = ({ id, commit }: Run) => ({ run: id, commit });
  const json = () =>
    JSON.stringify({ repository: head.repository, base: sideOf(base), head: sideOf(head), pairing, rows }, null, 1);
  const save = (ending: string, type: string, content: () => string) => () =>
    download(`${name}.${ending}`, new Blob([content()], { type }));
  const png = async () => {
    const blob = await pngOf(pictureOf(rows, axis, title));
    if (blob) download(`${name}.png`, blob);
  };
  return (
    <div class="actions" role="group" aria-label="Export">
      <button type="button" onClick={save('csv', 'text/csv', () => csvOf(rows))}>
        CSV
      </button>
      <button type="button" onClick={save('json', 'application/json', json)}>
        JSON
      </button>
      <button type="button" onClick={() => void png()}>
        PNG
      </button>
      <button type="button" onClick={save('svg', 'image/svg+xml', () => svgOf(pictureOf(rows, axis, title)))}>
        SVG
      </button>
    </div>
  );
}

function SideCard({ label, run }: { label: string; run: Run }) {
  return (
    <div class="card">
      <p class="dim">{label}</p>
      <p>
        <Link to={`/runs/${run.id}`}>Run #{run.id}</Link> <Hash value={run.commit} plain />{' '}
        <span class="dim">
          {run.branch} on {run.testbed}, epoch #{run.epoch}, <Time at={run.finished_at} age />
        </span>
      </p>
      <p class="wrap">{run.subject}</p>
    </div>
  );
}

function Caveats({ base, head, pairing }: Compared) {
  const machines = base.testbed !== head.testbed;
  const epochs = !machines && base.epoch !== head.epoch;
  return (
    <div class="notices">
      <Notice tone={pairing === 'paired' ? 'calm' : 'unsure'}>
        <strong>{pairingWords[pairing].title}</strong>: {pairingWords[pairing].means}.
      </Notice>
      {machines ? <Notice>The testbeds differ: the ratio compares the machines, not the programs.</Notice> : null}
      {epochs ? (
        <Notice>
          The testbed changed between the two runs (epoch #{base.epoch} and #{head.epoch}), and that change is part of
          the ratio.
        </Notice>
      ) : null}
      {base.id === head.id ? <Notice>Both sides are the same run.</Notice> : null}
    </div>
  );
}

function Result({ compared }: { compared: Compared }) {
  const [text, setText] = useQuery('q');
  const [sort, setSort] = useQuery('sort', '-change');
  const { base, head, benchmarks, verdicts } = compared;
  const found = benchmarks.filter((row) => hasWords(`${row.suite}/${row.benchmark}`, text));
  const axis = axisOf(found.map(estimateOf), Math.max(0, ...found.map((row) => row.catch_limit)));
  const columns = columnsOf(axis, head.repository, verdicts);
  const sorted = sortRows(found, columns, sort);
  return (
    <>
      <div class="sides">
        <SideCard label="Base" run={base} />
        <SideCard label="Head" run={head} />
      </div>
      <Caveats {...compared} />
      <div class="filters">
        <NameFilter text={text} setText={setText} />
        <span class="dim" aria-live="polite">
          {plural(found.length, 'benchmark')}
          {found.length > ROWS_MAX ? `; the first ${ROWS_MAX} are shown, exports contain all` : ''}
        </span>
        <Exports rows={sorted} axis={axis} compared={compared} />
      </div>
      {found.length > 0 ? (
        <div class="compare">
          <Table
            caption="Benchmarks of both runs"
            columns={columns}
            rows={sorted.slice(0, ROWS_MAX)}
            keyOf={(row) => `${row.suite}/${row.benchmark}`}
            sort={sort}
            setSort={setSort}
          />
        </div>
      ) : (
        <Empty title="No benchmark matches the filter" />
      )}
    </>
  );
}

function Ask({ base, head }: { base: string; head: string }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { path, query } = here();
    for (const name of ['base', 'head']) query.set(name, String(form.get(name)).trim());
    navigate(`${path}?${query}`);
  };
  return (
    <form class="filters" onSubmit={submit} key={`${base} ${head}`}>
      <label>
        Base
        <input name="base" required defaultValue={base} placeholder="main, release-1.2, run or hash" />
      </label>
      <label>
        Head
        <input name="head" required defaultValue={head} placeholder="a branch, run or hash" />
      </label>
      <button class="primary">Compare</button>
      {base && head ? (
        <button
          type="button"
          onClick={() =>
            navigate(
              `${here().path}?${new URLSearchParams({ ...Object.fromEntries(here().query), base: head, head: base })}`,
            )
          }
        >
          Swap
        </button>
      ) : null}
    </form>
  );
}

export default function ComparePage() {
  const repository = useRepository();
  const [base] = useQuery('base');
  const [head] = useQuery('head');
  const key = repository.name && base && head ? `compare ${repository.name} ${base} ${head}` : '';
  const { data, error, again } = useData(key, (signal) => comparedRuns(repository.name, base, head, signal));
  return (
    <div class="page">
      <div class="page-head">
        <h1>Compare</h1>
      </div>
      <div class="filters">
        <RepositoryChoice chosen={repository} />
      </div>
      <Ask base={base} head={head} />
      {!base || !head ? (
        <Empty title="Choose what to compare">
          <p class="dim">
            Each side is a run number, a commit hash (7 digits or more), a branch or a baseline. Add @testbed to choose
            the testbed, as in main@h100. The address of this page keeps the choice, so that it can be shared.
          </p>
        </Empty>
      ) : null}
      {error ? <ErrorBox error={error} again={again} /> : null}
      {base && head && !data && !error && (key || !repository.known) ? <Loading lines={14} /> : null}
      {data ? <Result compared={data} /> : null}
    </div>
  );
}
