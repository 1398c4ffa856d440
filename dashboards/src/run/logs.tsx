// SPDX-License-Identifier: Apache-2.0
// Logs of a run, opened in place, its check cases, and its files.
import { useState } from 'preact/hooks';
import { getAll, getJson, getText } from '../lib/api';
import { useData } from '../lib/data';
import { formatBytes, plural } from '../lib/format';
import type { CheckCase, LogInfo, Run } from '../lib/types';
import { isFinished } from '../lib/verdict';
import { Badge, ErrorBox, Section } from '../ui/parts';
import { Table, type Column } from '../ui/table';

/** Colours and other commands of terminals, and marks that turn the direction of text, are left out. */
export function plainLog(text: string): string {
  return text
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/g, '�');
}

function LogText({ path }: { path: string }) {
  const { data, error, again } = useData(path, (signal) => getText(path, signal));
  if (error) return <ErrorBox error={error} again={again} />;
  return <pre tabIndex={0}>{data === undefined ? ' ' : plainLog(data)}</pre>;
}

function Log({ run, log }: { run: Run; log: LogInfo }) {
  // What the compiler said is what a person came for.
  const [open, setOpen] = useState(run.conclusion === 'build_failed' && log.name === 'build-head');
  const path = `/api/v1/runs/${run.id}/logs/${encodeURIComponent(log.name)}`;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {log.name}{' '}
        <span class="dim">
          {formatBytes(log.bytes)}
          {log.original_bytes > log.bytes ? ` of ${formatBytes(log.original_bytes)}` : ''}
        </span>
      </summary>
      {open ? <LogText path={path} /> : null}
      <a href={path}>Raw log</a>
    </details>
  );
}

export interface Records {
  checks: CheckCase[];
  logs: LogInfo[];
}

/** Both at once, so that neither moves the other once it is shown. */
export function useRecords(run: Run | undefined): Records | undefined {
  const path = run ? `/api/v1/runs/${run.id}` : '';
  return useData(path && `${path} records`, async (signal) => {
    const [checks, { logs }] = await Promise.all([
      getAll<CheckCase>(`${path}/checks`, 'checks', {}, signal),
      getJson<{ logs: LogInfo[] }>(`${path}/logs`, signal),
    ]);
    return { checks, logs };
  }).data;
}

export function Logs({ run, logs }: { run: Run; logs: LogInfo[] }) {
  if (logs.length === 0 && !isFinished(run)) return null;
  return (
    <Section title="Logs and files">
      <div class="logs">
        {logs.map((log) => (
          <Log key={log.name} run={run} log={log} />
        ))}
      </div>
      <p>
        {isFinished(run) && run.state === 'done' ? (
          <>
            <a href={`/api/v1/runs/${run.id}/bundle`}>Bundle</a>{' '}
            <span class="dim">
              all samples and evidence, for <code>kernelgate replay</code>
            </span>{' '}
            ·{' '}
          </>
        ) : null}
        <a href={`/api/v1/runs/${run.id}`}>JSON</a>
        {run.comparisons.length > 0 ? (
          <>
            {' '}
            · <a href={`/plot/runs/${run.id}.svg`}>Plot as SVG</a>
          </>
        ) : null}
      </p>
    </Section>
  );
}

const figure = (value: number | null) => {
  if (value === null) return 'not finite';
  return value === 0 ? '0' : Math.abs(value) < 1e-3 ? value.toExponential(2).replace('-', '−') : value.toPrecision(3);
};
const columns: Column<CheckCase>[] = [
  {
    name: 'Result',
    lead: true,
    cell: (one) => (
      <Badge
        name={one.passed ? 'passed' : 'broken'}
        note={one.passed ? undefined : one.error_class.replace('_', ' ')}
      />
    ),
  },
  { name: 'Case', lead: true, cell: (one) => <code>{one.name}</code> },
  { name: 'Side', cell: (one) => one.side },
  { name: 'Shape', cell: (one) => one.shape || '–' },
  { name: 'Relative error', numeric: true, cell: (one) => figure(one.rel_err) },
  { name: 'Bound', numeric: true, cell: (one) => figure(one.bound) },
  { name: 'Largest error', numeric: true, cell: (one) => figure(one.max_abs_err) },
  { name: 'First bad index', numeric: true, cell: (one) => (one.first_bad < 0 ? '–' : one.first_bad) },
  { name: 'Message', cell: (one) => one.text || '–' },
];

/** How near the cases that passed came to their bounds. */
function nearest(passed: CheckCase[]): string {
  const share = (one: CheckCase) => (one.bound && one.rel_err !== null ? one.rel_err / one.bound : 0);
  const worst = passed.reduce((found, one) => (share(one) > share(found) ? one : found));
  const text =
    share(worst) > 0
      ? `; closest to its bound: ${worst.name}, ${worst.side}, ${(share(worst) * 100).toPrecision(2)} % of it`
      : '';
  return `${passed.length} passed${text}`;
}

export function Checks({ cases }: { cases: CheckCase[] }) {
  if (cases.length === 0) return null;
  const failed = cases.filter((one) => !one.passed).length;
  const table = (caption: string, rows: CheckCase[]) => (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={(one) => `${one.suite} ${one.side} ${one.name} ${one.seed}`}
    />
  );
  const passed = cases.filter((one) => one.passed);
  return (
    <Section
      title="Checks"
      note={`${plural(cases.length, 'case')}, ${failed === 0 ? 'all passed' : `${failed} failed`}`}
    >
      {failed > 0
        ? table(
            'Failed checks',
            cases.filter((one) => !one.passed),
          )
        : null}
      {passed.length > 0 ? (
        <details class="passed-checks">
          <summary>{nearest(passed)}</summary>
          {table('Passed checks', passed)}
        </details>
      ) : null}
    </Section>
  );
}
