// SPDX-License-Identifier: Apache-2.0
// Why a benchmark moved, as far as the machine can tell: its device code, and what the profiler counted.
import { codeChange, counterRows, kernelName, type Counted } from '../lib/counters';
import { getJson } from '../lib/api';
import { useData } from '../lib/data';
import { plural } from '../lib/format';
import type { Comparison, Run } from '../lib/types';
import { ErrorBox } from '../ui/parts';
import { CounterTable } from './profiles';

export function CodeChanges({ lines }: { lines: string[] }) {
  return (
    <ul class="code-changes">
      {lines.map(codeChange).map(({ kernel, what }) => (
        <li key={kernel + what.join()}>
          {kernel ? <code class="wrap">{kernel}</code> : null}
          <ul class="parts">
            {what.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const ROWS_FIRST = 10;

/** The counters of both sides with units; the report's own lines where the server keeps no more. */
export function CounterChanges({ run, one }: { run: Run; one: Comparison }) {
  const path = `/api/v1/runs/${run.id}/counters`;
  const { data, error, again } = useData(path, (signal) => getJson<{ counters: Counted[] }>(path, signal));
  if (error) return <ErrorBox error={error} again={again} />;
  if (!data) return <div class="counters-wait" aria-busy="true" />;
  const of = (side: string) =>
    data.counters.find(
      (counted) =>
        counted.suite === one.suite && counted.profile.benchmark === one.benchmark && counted.profile.side === side,
    )?.profile;
  const [base, head] = [of('base'), of('head')];
  if (!base || !head)
    return (
      <ul class="lines">
        {(one.counter_changes ?? []).map((line) => (
          <li key={line}>{line.replace(' -> ', ' → ')}</li>
        ))}
      </ul>
    );
  const rows = counterRows(base, head);
  return (
    <>
      <p class="dim small">
        Nsight Compute, in <code>{kernelName(head.kernel)}</code>
      </p>
      <CounterTable rows={rows.slice(0, ROWS_FIRST)} />
      {rows.length > ROWS_FIRST ? (
        <details>
          <summary>The other {plural(rows.length - ROWS_FIRST, 'counter')}</summary>
          <CounterTable rows={rows.slice(ROWS_FIRST)} />
        </details>
      ) : null}
    </>
  );
}
