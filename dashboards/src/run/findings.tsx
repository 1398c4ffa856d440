// SPDX-License-Identifier: Apache-2.0
// What several benchmarks say together: regions that moved, and workloads.
import { axisOf } from '../lib/axis';
import { formatChange, formatInterval } from '../lib/format';
import type { Region, Run, Workload } from '../lib/types';
import { Badge, Section } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import { ForestRow } from '../ui/forest';

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
  { name: 'Changed', numeric: true, cell: (one) => `${one.moved} of ${one.members}` },
  { name: 'Changed elsewhere', numeric: true, cell: (one) => one.others_moved },
  { name: 'Median change', numeric: true, cell: (one) => formatChange(one.median_ratio) },
];

export function Regions({ run }: { run: Run }) {
  if (!run.regions?.length) return null;
  return (
    <Section title="Regions" note="parts of a suite that changed together">
      <Table caption="Regions" columns={regionColumns} rows={run.regions} keyOf={(one) => one.suite + one.text} />
    </Section>
  );
}

const listed = (lines: string[]) => (lines.length ? lines.map((line) => <div key={line}>{line}</div>) : '–');

export function Workloads({ run }: { run: Run }) {
  const rows = run.workloads ?? [];
  const { band } = run;
  if (rows.length === 0 || !band) return null;
  const estimate = (one: Workload) => ({ ratio: one.ratio, low: one.low, high: one.high, verdict: one.verdict });
  const axis = axisOf(rows.map(estimate), band.catch_limit);
  const columns: Column<Workload>[] = [
    { name: 'Verdict', lead: true, cell: (one) => <Badge name={one.verdict} /> },
    { name: 'Workload', lead: true, cell: (one) => one.name },
    {
      name: 'Total time',
      lead: true,
      cell: (one) => (
        <div class="forest-cell">
          <ForestRow axis={axis} row={estimate(one)} tolerate={band.tolerate} catchLimit={band.catch_limit} />
        </div>
      ),
    },
    { name: 'Change', numeric: true, cell: (one) => formatChange(one.ratio) },
    { name: '99 % interval', numeric: true, cell: (one) => formatInterval(one.low, one.high) },
    { name: 'Gains', cell: (one) => listed(one.gains) },
    { name: 'Losses', cell: (one) => listed(one.losses) },
  ];
  return (
    <Section title="Workloads" note="the effect on production, by how often it runs each benchmark">
      <Table caption="Workloads" columns={columns} rows={rows} keyOf={(one) => one.name} />
    </Section>
  );
}
