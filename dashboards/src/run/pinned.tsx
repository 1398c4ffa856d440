// SPDX-License-Identifier: Apache-2.0
// Base and head chose different configurations: what both took with the same one, beside the sentence that follows.
import { formatChange, formatInterval } from '../lib/format';
import type { Comparison, PinnedResult } from '../lib/types';
import { axisOf, type Estimate } from '../lib/axis';
import { ForestAxis, ForestRow } from '../ui/forest';
import { Badge } from '../ui/parts';

interface PinnedRow {
  key: string;
  base: string;
  head: string;
  what: string;
  pairs: number;
  failure: string;
  estimate: Estimate;
}

function rowOf(one: PinnedResult): PinnedRow {
  const whose = one.pinned === 'head' ? "base's" : "head's";
  return {
    key: `${one.pinned} ${one.configuration}`,
    base: one.configuration,
    head: one.configuration,
    what: `${whose} choice on both sides`,
    pairs: one.pairs ?? 0,
    failure: one.failure ?? '',
    estimate: {
      ratio: one.ratio ?? null,
      low: one.ratio_low ?? null,
      high: one.ratio_high ?? null,
      verdict: one.verdict ?? 'undecided',
    },
  };
}

/** The verdict's own row first: what each side chose by itself. */
export function pinnedRows(one: Comparison): PinnedRow[] {
  return [
    {
      key: 'free',
      base: one.base_configuration ?? '',
      head: one.head_configuration ?? '',
      what: 'own choice on each side (the verdict)',
      pairs: one.pairs,
      failure: '',
      estimate: { ratio: one.ratio, low: one.ratio_low, high: one.ratio_high, verdict: one.verdict },
    },
    ...(one.pinned ?? []).map(rowOf),
  ];
}

export function Pinned({ one }: { one: Comparison }) {
  const rows = pinnedRows(one);
  const axis = axisOf(
    rows.map((row) => row.estimate),
    one.catch_limit,
  );
  return (
    <table class="table compact pinned">
      <caption class="visually-hidden">
        Head against base with the configurations that each chose, and with the same one
      </caption>
      <thead>
        <tr>
          <th scope="col">Configurations</th>
          <th scope="col">Verdict</th>
          <th scope="col" class="forest-cell">
            <span class="visually-hidden">Change and interval on one axis</span>
            <ForestAxis axis={axis} />
          </th>
          <th scope="col" class="number">
            Change
          </th>
          <th scope="col" class="number">
            99 % interval
          </th>
          <th scope="col" class="number">
            Pairs
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <td data-column="Configurations" class="lead">
              <strong>{row.what}</strong>
              <div class="wrap">
                <code>{row.base === row.head ? row.base : `${row.base} → ${row.head}`}</code>
              </div>
            </td>
            {row.failure ? (
              <td class="lead wrap" data-column="Verdict" colSpan={5}>
                Not measured: {row.failure}
              </td>
            ) : (
              <>
                <td data-column="Verdict">
                  <Badge name={row.estimate.verdict} />
                </td>
                <td data-column="Change on the axis" class="lead forest-cell">
                  <ForestRow axis={axis} row={row.estimate} tolerate={one.tolerate} catchLimit={one.catch_limit} />
                </td>
                <td data-column="Change" class="number strong">
                  {formatChange(row.estimate.ratio)}
                </td>
                <td data-column="99 % interval" class="number">
                  {formatInterval(row.estimate.low, row.estimate.high)}
                </td>
                <td data-column="Pairs" class="number">
                  {row.pairs}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
