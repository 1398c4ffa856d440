// SPDX-License-Identifier: Apache-2.0
// Profiles that people asked for: what waits, what the counters say, or why there are none.
import { post } from '../lib/api';
import { counterRows, kernelName, type CountedKernel, type CounterRow } from '../lib/counters';
import { plural } from '../lib/format';
import type { Comparison, Run } from '../lib/types';
import { rankIn } from '../lib/verdict';
import type { Action } from '../ui/ask';
import { Badge, Section, Time } from '../ui/parts';
import type { Profile } from '../lib/wire';

export type { Profile } from '../lib/wire';

/** What needs one most comes first. */
export function profileAction(run: Run): Action {
  const rows = [...run.comparisons].sort(
    (a, b) => rankIn(run.verdicts, a.verdict) - rankIn(run.verdicts, b.verdict) || (b.ratio ?? 0) - (a.ratio ?? 0),
  );
  const nameOf = ({ suite, benchmark }: Comparison) => `${suite}: ${benchmark}`;
  return {
    label: 'Profile',
    title: `Profile a benchmark of run ${run.id}`,
    role: 'trigger',
    explain:
      `A runner of ${run.testbed || 'the testbed'} builds base and head and profiles them with Nsight Compute ` +
      'before its next run. This run and its verdict do not change.',
    fields: [{ name: 'which', label: 'Benchmark', options: rows.map(nameOf) }],
    run: async ({ which }) => {
      const chosen = rows.find((row) => nameOf(row) === which);
      await post(`/api/v1/runs/${run.id}/profiles`, { suite: chosen?.suite ?? '', benchmark: chosen?.benchmark ?? '' });
    },
  };
}

export function CounterTable({ rows }: { rows: CounterRow[] }) {
  return (
    <table class="table compact">
      <thead>
        <tr>
          <th scope="col">Counter</th>
          <th scope="col" class="number">
            Base
          </th>
          <th scope="col" class="number">
            Head
          </th>
          <th scope="col" class="number">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.metric}>
            <td data-column="Counter" class="lead counter-name" title={row.metric}>
              {row.name}
            </td>
            <td data-column="Base" class="number">
              {row.base}
            </td>
            <td data-column="Head" class="number">
              {row.head}
            </td>
            <td data-column="Change" class="number">
              {row.change}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Counters({ base, head }: { base: CountedKernel; head: CountedKernel }) {
  const rows = counterRows(base, head);
  return (
    <details>
      <summary>
        All {plural(rows.length, 'counter')} of <code>{kernelName(head.kernel)}</code>
      </summary>
      <div class="counters" tabIndex={0} role="group" aria-label="Counters of both sides">
        <CounterTable rows={rows} />
      </div>
    </details>
  );
}

const lookNames: Record<string, string> = { failed: 'no_profile', done: 'profiled' };

export function Profiles({ profiles }: { profiles: Profile[] }) {
  if (profiles.length === 0) return null;
  return (
    <Section title="Profiles" note="requested by hand, taken by a runner of the run's testbed">
      <ul class="profiles">
        {profiles.map((one) => (
          <li key={one.id}>
            <p class="profile-head">
              <Badge name={lookNames[one.state] ?? one.state} /> <strong class="wrap">{one.benchmark}</strong>{' '}
              <span class="dim">
                requested by {one.actor}, <Time at={one.created_at} age />
                {one.runner ? `; ${one.runner}` : ''}
              </span>
            </p>
            {one.text ? <p class="wrap">{one.text}</p> : null}
            {one.state === 'done' && one.changes.length === 0 ? <p>No counter changed by 5 % or more.</p> : null}
            {one.changes.length > 0 ? (
              <ul class="lines">
                {one.changes.map((line) => (
                  <li key={line}>{line.replace(' -> ', ' → ')}</li>
                ))}
              </ul>
            ) : null}
            {one.base && one.head ? <Counters base={one.base} head={one.head} /> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}
