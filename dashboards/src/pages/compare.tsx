// SPDX-License-Identifier: Apache-2.0
// Two runs, commits, branches, releases or testbeds against each other: a forest plot and a table in one. The address
// (base, head, q, sort, only) is the view; it says how far the two can be compared at all.
import { useMemo } from 'preact/hooks';
import { useData } from '../lib/data';
import { compareRuns, csvOf, howMeans, type CompareRow, type How, type Side } from '../lib/compare';
import { formatChange, formatInterval, formatNs, plural, shortHash } from '../lib/format';
import { download, pngOf, svgOf, type Picture, type Shape } from '../lib/picture';
import { sideOf } from '../lib/resolve';
import { here, Link, navigate, useQuery } from '../lib/router';
import { rankOf } from '../lib/verdict';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { axisOf, ForestAxis, ForestRow, placeOf, ticksOf, type Axis } from '../ui/forest';
import { Badge, Empty, ErrorBox, Hash, Loading, Notice, Time } from '../ui/parts';
import { sortRows, Table, type Column } from '../ui/table';
import '../style/plots.css';

const ROWS_MAX = 300;
const CALM = 'added'; // a row without a verdict is neither good nor bad

const columnsOf = (axis: Axis, repository: string): Column<CompareRow>[] => [
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
    by: (row) => rankOf(row.verdict),
    cell: (row) => (row.verdict ? <Badge name={row.verdict} /> : <span class="dim">{row.how}</span>),
  },
  {
    name: 'Ratio',
    lead: true,
    head: <ForestAxis axis={axis} />,
    cell: (row) => (
      <ForestRow
        axis={axis}
        row={{ ratio: row.ratio, low: row.low, high: row.high, verdict: row.verdict || CALM }}
        tolerate={row.tolerate}
        catchLimit={row.catch_limit}
      />
    ),
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
    cell: (row) => (row.low === null ? <span class="dim">none</span> : formatInterval(row.low, row.high)),
  },
  { name: 'Base', numeric: true, sort: 'base', by: (row) => row.base_ns ?? -1, cell: (row) => formatNs(row.base_ns) },
  { name: 'Head', numeric: true, sort: 'head', by: (row) => row.head_ns ?? -1, cell: (row) => formatNs(row.head_ns) },
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
    ...ticksOf(axis).map((ratio) => text(x(ratio), 44, ratio === 1 ? '0' : formatChange(ratio), 'middle', '#596273')),
    { kind: 'line', x1: x(1), y1: 50, x2: x(1), y2: height - 8, stroke: '#8a92a0', width: 1 },
  ];
  for (const [i, row] of rows.entries()) {
    const y = 64 + i * ROW;
    const fill = row.verdict === 'regressed' ? '#a83c05' : row.verdict === 'improved' ? '#0a5c9e' : '#4d5766';
    shapes.push(
      text(LEFT - 12, y + 4, row.benchmark.length > 46 ? '…' + row.benchmark.slice(-45) : row.benchmark, 'end'),
    );
    if (row.ratio === null) continue;
    if (row.low !== null && row.high !== null)
      shapes.push({ kind: 'line', x1: x(row.low), y1: y, x2: x(row.high), y2: y, stroke: fill, width: 2.5 });
    shapes.push({ kind: 'dot', x: x(row.ratio), y, radius: 4, fill });
    shapes.push(text(width - 12, y + 4, `${formatChange(row.ratio)} ${row.verdict}`.trim(), 'end', fill));
  }
  return { width, height, title, shapes };
}

function Exports({ rows, axis, base, head }: { rows: readonly CompareRow[]; axis: Axis; base: Side; head: Side }) {
  const name = `compare-${base.run.id}-${head.run.id}`;
  const title = `${head.run.repository}: ${shortHash(head.run.commit)} (run ${head.run.id}) against ${shortHash(base.run.commit)} (run ${base.run.id}), ${rows[0]?.how ?? ''}`;
  const json = () =>
    JSON.stringify(
      {
        repository: head.run.repository,
        base: { run: base.run.id, commit: base.run.commit },
        head: { run: head.run.id, commit: head.run.commit },
        rows,
      },
      null,
      1,
    );
  const save = (ending: string, type: string, content: () => string) => () =>
    download(`${name}.${ending}`, new Blob([content()], { type }));
  const png = async () => {
    const blob = await pngOf(pictureOf(rows, axis, title));
    if (blob) download(`${name}.png`, blob);
  };
  return (
    <div class="acts" role="group" aria-label="Take it along">
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

function SideCard({ label, side }: { label: string; side: Side }) {
  const { run } = side;
  return (
    <div class="card">
      <p class="dim">{label}</p>
      <p>
        <Link to={`/runs/${run.id}`}>Run #{run.id}</Link> <Hash value={run.commit} />{' '}
        <span class="dim">
          {run.branch} on {run.testbed}, epoch #{run.epoch}, <Time at={run.finished_at} age />
        </span>
      </p>
      <p class="wrap">{run.subject}</p>
    </div>
  );
}

function HowFar({ how, base, head }: { how: How; base: Side; head: Side }) {
  const machines = base.run.testbed !== head.run.testbed;
  const epochs = !machines && base.run.epoch !== head.run.epoch;
  return (
    <div class="notices">
      <Notice tone={how === 'paired' ? 'calm' : 'unsure'}>
        <strong>
          {how === 'paired' ? 'Paired' : how === 'common base' ? 'By way of a common base' : 'Not paired'}
        </strong>
        : {howMeans[how]}.
      </Notice>
      {machines ? <Notice>The testbeds differ: the ratio tells the machines apart, not the programs.</Notice> : null}
      {epochs ? (
        <Notice>
          The testbed changed between the two (epoch #{base.run.epoch} and #{head.run.epoch}): its change is part of the
          ratio.
        </Notice>
      ) : null}
      {base.run.id === head.run.id ? <Notice>Both sides are the same run.</Notice> : null}
    </div>
  );
}

function Result({ base, head, repository }: { base: Side; head: Side; repository: string }) {
  const [text, setText] = useQuery('q');
  const [sort, setSort] = useQuery('sort', '-change');
  const rows = useMemo(() => compareRuns(base, head), [base, head]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) =>
    words.every((word) => `${row.suite}/${row.benchmark}`.toLowerCase().includes(word)),
  );
  const axis = axisOf(
    found.map((row) => ({ ...row, verdict: row.verdict || CALM })),
    rows[0]?.catch_limit || 0.03,
  );
  const columns = columnsOf(axis, repository);
  const sorted = sortRows(found, columns, sort);
  return (
    <>
      <div class="sides">
        <SideCard label="Base" side={base} />
        <SideCard label="Head" side={head} />
      </div>
      <HowFar how={rows[0]?.how ?? 'not paired'} base={base} head={head} />
      <div class="filters">
        <input
          type="search"
          data-search
          aria-label="Search"
          placeholder="Words of the name"
          value={text}
          onInput={(event) => setText(event.currentTarget.value, true)}
        />
        <span class="dim" aria-live="polite">
          {plural(found.length, 'benchmark')}
          {found.length > ROWS_MAX ? `; the first ${ROWS_MAX} are shown, files hold all` : ''}
        </span>
        <Exports rows={sorted} axis={axis} base={base} head={head} />
      </div>
      {found.length > 0 ? (
        <div class="compare">
          <Table
            caption="Benchmarks of both sides"
            columns={columns}
            rows={sorted.slice(0, ROWS_MAX)}
            keyOf={(row) => `${row.suite}/${row.benchmark}`}
            sort={sort}
            setSort={setSort}
          />
        </div>
      ) : (
        <Empty title="No benchmark fits.">
          <p class="dim">Neither side has a figure of such a name.</p>
        </Empty>
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
  const { data, error, again } = useData(key, async (signal) => {
    const [one, two] = await Promise.all([
      sideOf(repository.name, base, signal),
      sideOf(repository.name, head, signal),
    ]);
    return { base: one, head: two };
  });
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
        <Empty title="Name two sides.">
          <p class="dim">
            Each is the number of a run, a whole hash, a branch or a baseline; @testbed behind it chooses the testbed,
            as in main@h100. The address of the answer can be shared.
          </p>
        </Empty>
      ) : null}
      {error ? <ErrorBox error={error} again={again} /> : null}
      {base && head && !data && !error && (key || !repository.known) ? <Loading lines={14} /> : null}
      {data ? <Result base={data.base} head={data.head} repository={data.head.run.repository} /> : null}
    </div>
  );
}
