// SPDX-License-Identifier: Apache-2.0
// The parts of the overview: what needs a person first.
import { url } from '../lib/api';
import { axisOf } from '../lib/axis';
import { useNow } from '../lib/data';
import { formatChange, formatInterval, formatSeconds, plural } from '../lib/format';
import { Link } from '../lib/router';
import { isFinished, lookOf, stageOf } from '../lib/verdict';
import { Commit } from '../ui/commit';
import { ForestRow } from '../ui/forest';
import { Badge, Breakable, Dot, Empty, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type {
  BranchState,
  BrokenKernel,
  GpuSeen,
  OpenRegression,
  Overview,
  RecentRun,
  RunnerSeen,
  RunningRun,
} from './types';

interface StatesProps {
  states: BranchState[];
  recent: RecentRun[];
  repositories: string[];
}

/** Each repository on each testbed: what its default branch stands at, and the newest runs of what is on it. */
export function States({ states, recent, repositories }: StatesProps) {
  const cells = states.map((state) => ({
    ...state,
    runs: recent.filter((run) => run.repository === state.repository && run.testbed === state.testbed),
  }));
  const silent = repositories.filter((name) => !cells.some((cell) => cell.repository === name));
  return (
    <Section title="Current state" note="default branch, by repository and testbed">
      <div class="cells">
        {cells.map((cell) => {
          const newest = cell.runs[0]!;
          return (
            <article class="card cell" key={cell.repository + cell.testbed}>
              <header>
                <Link to={`/runs?repository=${encodeURIComponent(cell.repository)}`} class="cell-name">
                  {cell.repository}
                </Link>
                <span class="dim">{cell.testbed}</span>
              </header>
              <Link to={`/runs/${newest.run}`} class="cell-newest" data-row>
                <Badge name={cell.conclusion} />
                <span class="subject">{newest.subject}</span>
              </Link>
              {cell.regressions + cell.broken > 0 ? (
                <p class="dim">
                  {[
                    cell.regressions > 0 ? plural(cell.regressions, 'open regression') : '',
                    cell.broken > 0 ? plural(cell.broken, 'broken kernel') : '',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </p>
              ) : null}
              <footer>
                <span class="strip">
                  {[...cell.runs].reverse().map((run) => (
                    <Link
                      key={run.run}
                      to={`/runs/${run.run}`}
                      aria-label={`Run ${run.run}: ${lookOf(run.conclusion).word}`}
                    >
                      <Dot name={run.conclusion} />
                    </Link>
                  ))}
                </span>
                <Time at={newest.finished_at} age />
              </footer>
            </article>
          );
        })}
        {silent.map((name) => (
          <article class="card cell" key={name}>
            <header>
              <span class="cell-name">{name}</span>
            </header>
            <p class="dim">
              The default branch has not been measured yet. Push with the hook installed, or run{' '}
              <code>kernelgate trigger</code>.
            </p>
          </article>
        ))}
      </div>
    </Section>
  );
}

export function Regressions({ rows }: { rows: OpenRegression[] }) {
  if (rows.length === 0)
    return (
      <Section title="Open regressions">
        <Empty title="No open regressions" />
      </Section>
    );
  const estimate = (one: OpenRegression) => ({
    ratio: one.ratio,
    low: one.ratio_low,
    high: one.ratio_high,
    verdict: 'regressed',
  });
  const axis = axisOf(rows.map(estimate), rows[0]!.catch_limit);
  const columns: Column<OpenRegression>[] = [
    {
      name: 'Benchmark',
      lead: true,
      cell: (one) => (
        <Link to={`/runs/${one.run}?open=${encodeURIComponent(`${one.suite}/${one.benchmark}`)}`} class="mono">
          <Breakable text={one.benchmark} />
        </Link>
      ),
    },
    {
      name: 'Interval',
      lead: true,
      cell: (one) => (
        <div class="forest-cell">
          <ForestRow axis={axis} row={estimate(one)} tolerate={one.tolerate} catchLimit={one.catch_limit} />
        </div>
      ),
    },
    {
      name: 'Change',
      numeric: true,
      cell: (one) => (
        <span title={formatInterval(one.ratio_low, one.ratio_high)} class="strong">
          {formatChange(one.ratio)}
        </span>
      ),
    },
    {
      name: 'Since commit',
      lead: true,
      cell: (one) => (
        <>
          <Commit repository={one.repository} hash={one.commit} /> <span class="subject-inline">{one.subject}</span>
        </>
      ),
    },
    {
      name: 'Next',
      cell: (one) => (
        <Link to={url('/history', { repository: one.repository, b: `${one.suite}/${one.benchmark}` })}>History</Link>
      ),
    },
    { name: 'Author', cell: (one) => <span class="clip">{one.author.replace(/\s*<.*/, '') || '–'}</span> },
    { name: 'Opened', cell: (one) => <Time at={one.found_at} age /> },
    { name: 'Where', cell: (one) => `${one.repository}, ${one.testbed}` },
  ];
  return (
    <Section title="Open regressions" note={`${plural(rows.length, 'benchmark')}; neither fixed nor accepted`}>
      <Table
        caption="Open regressions"
        columns={columns}
        rows={rows}
        keyOf={(one) => `${one.repository} ${one.testbed} ${one.suite} ${one.benchmark}`}
      />
    </Section>
  );
}

const brokenColumns: Column<BrokenKernel>[] = [
  { name: 'Verdict', lead: true, cell: (one) => <Badge name={one.verdict} /> },
  {
    name: 'Kernel',
    lead: true,
    cell: (one) => (
      <Link to={`/runs/${one.run}`} class="mono">
        <Breakable text={one.benchmark} />
      </Link>
    ),
  },
  { name: 'Error', lead: true, cell: (one) => <span class="subject">{one.reason}</span> },
  {
    name: 'Since commit',
    cell: (one) => (
      <>
        <Commit repository={one.repository} hash={one.commit} /> <span class="subject-inline">{one.subject}</span>
      </>
    ),
  },
  { name: 'Found', cell: (one) => <Time at={one.found_at} age /> },
  { name: 'Where', cell: (one) => `${one.repository}, ${one.testbed}` },
];

export function Broken({ rows }: { rows: BrokenKernel[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title="Broken kernels" note="on a default branch, by its latest verdict">
      <Table
        caption="Broken kernels"
        columns={brokenColumns}
        rows={rows}
        keyOf={(one) => `${one.run} ${one.suite} ${one.benchmark}`}
      />
    </Section>
  );
}

function timeLeft(one: RunningRun, now: number): string {
  if (one.expected_s === null || !one.run.started_at) return '';
  const left = one.expected_s - (now - Date.parse(one.run.started_at)) / 1000;
  return left > 0 ? `about ${formatSeconds(left)} left` : 'taking longer than usual';
}

export function Running({ rows, live }: { rows: RunningRun[]; live: boolean }) {
  const now = useNow(1000);
  const columns: Column<RunningRun>[] = [
    {
      name: 'Stage',
      lead: true,
      cell: ({ run }) => (
        <div class="stage">
          <Badge name={run.state} />
          <progress value={stageOf(run)} max={1} aria-label={`Stage: ${run.state}`} />
        </div>
      ),
    },
    {
      name: 'Commit',
      lead: true,
      cell: ({ run }) => (
        <Link to={`/runs/${run.id}`} class="subject">
          {run.subject || run.commit.slice(0, 10)}
        </Link>
      ),
    },
    { name: 'Pairs done', numeric: true, cell: (one) => one.pairs || '–' },
    { name: 'Progress', cell: ({ run }) => run.progress || '–' },
    { name: 'Time left', cell: (one) => timeLeft(one, now) || '–' },
    { name: 'Runner', cell: (one) => one.runner || 'not claimed' },
    { name: 'Repository', cell: ({ run }) => run.repository },
    { name: 'Run', numeric: true, cell: ({ run }) => `#${run.id}` },
  ];
  const note = <span class={live ? 'live' : 'dim'}>{live ? '● live' : 'reconnecting'}</span>;
  return (
    <Section title="In progress" note={note}>
      {rows.length === 0 ? (
        <p class="dim">No runs in progress</p>
      ) : (
        <Table
          caption="Runs in progress"
          columns={columns}
          rows={rows.filter(({ run }) => !isFinished(run))}
          keyOf={({ run }) => run.id}
        />
      )}
    </Section>
  );
}

function healthOf({ xid, throttled }: GpuSeen): string {
  if (xid.length) return `Xid ${xid.join(', ')}`;
  return throttled.length ? `throttled: ${throttled.join(', ')}` : 'no errors';
}

const runnerColumns: Column<RunnerSeen>[] = [
  { name: 'Runner', lead: true, cell: (one) => <strong>{one.name}</strong> },
  { name: 'Testbed', cell: (one) => one.testbed },
  { name: 'GPU', cell: (one) => one.gpu_model || 'CPU' },
  {
    name: 'Current run',
    cell: (one) =>
      isFinished(one) ? (
        <>
          idle since{' '}
          <Link to={`/runs/${one.run}`} data-row>
            #{one.run}
          </Link>
        </>
      ) : (
        <>
          <Badge name={one.state} /> <Link to={`/runs/${one.run}`}>#{one.run}</Link>
        </>
      ),
  },
  { name: 'Clock', numeric: true, cell: ({ gpu }) => (gpu?.sm_mhz ? `${Math.round(gpu.sm_mhz)} MHz` : '–') },
  {
    name: 'Temperature',
    numeric: true,
    cell: ({ gpu }) => (gpu?.temperature_c ? `${Math.round(gpu.temperature_c)} °C` : '–'),
  },
  { name: 'Health', cell: ({ gpu }) => (gpu ? healthOf(gpu) : '–') },
  { name: 'Last run started', cell: (one) => <Time at={one.started_at} age /> },
];

export function Runners({ rows }: { rows: RunnerSeen[] }) {
  return (
    <Section title="Runners" note="GPU figures are those of the last measured process">
      {rows.length === 0 ? (
        <Empty title="No runners yet">
          <p class="dim">
            Start one on the machine with the GPU: <code>kernelgate runner --server URL --token-file FILE</code>
          </p>
        </Empty>
      ) : (
        <Table caption="Runners" columns={runnerColumns} rows={rows} keyOf={(one) => one.name} />
      )}
    </Section>
  );
}

export function figuresOf(data: Overview): [string, string, string][] {
  const { spent } = data;
  const money = spent.cost === null ? '' : ` · ${spent.cost.toFixed(2)} at the runners' hourly prices`;
  return [
    ['Open regressions', String(data.regressions.length), data.regressions.length ? 'slower' : 'good'],
    ['Broken kernels', String(data.broken.length), data.broken.length ? 'broken' : 'good'],
    ['In progress', String(data.running.length), 'busy'],
    ['GPU time today', `${formatSeconds(spent.gpu_s_held)}`, `calm|${plural(spent.runs, 'run')}${money}`],
  ];
}
