// SPDX-License-Identifier: Apache-2.0
// What several benchmarks say together: regions that moved, and workloads.
import { formatChange, formatInterval } from '../lib/format';
import type { Region, Run, Workload } from '../lib/types';
import { Badge, Section } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import { axisOf, ForestRow } from '../ui/forest';

const regionColumns: Column<Region>[] = [
  { name: 'Verdict', lead: true, cell: (one) => <Badge name={one.verdict} /> },
  {
    name: 'Region',
    lead: true,
    cell: (one) => (
      <code>
        {one.suite}: {one.text}
      </code>
    ),
  },
  { name: 'Moved in it', numeric: true, cell: (one) => `${one.moved} of ${one.members}` },
  { name: 'Moved elsewhere', numeric: true, cell: (one) => one.others_moved },
  { name: 'Median change', numeric: true, cell: (one) => formatChange(one.median_ratio) },
];

export function Regions({ run }: { run: Run }) {
  if (!run.regions?.length) return null;
  return (
    <Section title="Regions" note="parts of a suite that moved together">
      <Table caption="Regions" columns={regionColumns} rows={run.regions} keyOf={(one) => one.suite + one.text} />
    </Section>
  );
}

const listed = (lines: string[]) => (lines.length ? lines.map((line) => <div key={line}>{line}</div>) : '–');

export function Workloads({ run }: { run: Run }) {
  const rows = run.workloads ?? [];
  if (rows.length === 0) return null;
  const [tolerate, catchLimit] = [run.comparisons[0]?.tolerate || 0.01, run.comparisons[0]?.catch_limit || 0.03];
  const estimate = (one: Workload) => ({ ratio: one.ratio, low: one.low, high: one.high, verdict: one.verdict });
  const axis = axisOf(rows.map(estimate), catchLimit);
  const columns: Column<Workload>[] = [
    { name: 'Verdict', lead: true, cell: (one) => <Badge name={one.verdict} /> },
    { name: 'Workload', lead: true, cell: (one) => one.name },
    {
      name: 'Time of all of it',
      lead: true,
      cell: (one) => (
        <div class="forest-cell">
          <ForestRow axis={axis} row={estimate(one)} tolerate={tolerate} catchLimit={catchLimit} />
        </div>
      ),
    },
    { name: 'Change', numeric: true, cell: (one) => formatChange(one.ratio) },
    { name: '99 % interval', numeric: true, cell: (one) => formatInterval(one.low, one.high) },
    { name: 'Gains', cell: (one) => listed(one.gains) },
    { name: 'Losses', cell: (one) => listed(one.losses) },
  ];
  return (
    <Section title="Workloads" note="what it means for what production runs">
      <Table caption="Workloads" columns={columns} rows={rows} keyOf={(one) => one.name} />
    </Section>
  );
}
