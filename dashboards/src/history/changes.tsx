// SPDX-License-Identifier: Apache-2.0
// Changes of level of the lines shown, and what else the server noticed about them.
import { bisectAction } from '../bisect/actions';
import { formatChange, plural } from '../lib/format';
import type { BenchmarkHistory, HistoryChange, Stop, Track } from '../lib/history';
import type { HistoryData } from '../lib/history_load';
import { Link } from '../lib/router';
import { Actions } from '../ui/ask';
import { Badge, Hash, Notice, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type { Model } from './model';

type ChangeRow = HistoryChange & {
  between: string[];
  track: Track;
  suite: string;
  benchmark: string;
  at: string;
  accepted: boolean;
};

/** The commits that have a figure from the one before the change to the one after it. */
function between(epoch: BenchmarkHistory, change: HistoryChange): string[] {
  const commits = epoch.points.map((point) => point.commit);
  return commits.slice(commits.indexOf(change.commit_before), commits.indexOf(change.commit_after) + 1);
}

function changesOf(data: HistoryData, stops: Map<string, Stop>): ChangeRow[] {
  return data.tracks
    .flatMap((track) =>
      track.epochs.flatMap((epoch) =>
        epoch.changes.map((change) => ({
          ...change,
          between: between(epoch, change),
          track,
          suite: epoch.suite,
          benchmark: epoch.benchmark,
          at: stops.get(change.commit_after)?.finished_at ?? '',
          accepted: data.accepted.some((one) => one.run === change.run_after && one.revoked_at === null),
        })),
      ),
    )
    .sort((a, b) => b.run_after - a.run_after);
}

const changeColumns = (repository: string): Column<ChangeRow>[] => [
  {
    name: 'Change',
    lead: true,
    cell: (row) => <Badge name={row.ratio > 1 ? 'regressed' : 'improved'} note={formatChange(row.ratio)} />,
  },
  {
    name: 'Since',
    lead: true,
    cell: (row) => (
      <Link to={`/runs/${row.run_after}`}>
        Run #{row.run_after} <Hash value={row.commit_after} plain />
      </Link>
    ),
  },
  { name: 'Benchmark', cell: (row) => row.benchmark },
  { name: 'Testbed', cell: (row) => row.track.testbed },
  { name: 'p', numeric: true, cell: (row) => (row.p < 1e-4 ? '< 0.0001' : row.p.toFixed(4)) },
  { name: 'When', cell: (row) => <Time at={row.at} /> },
  { name: 'Accepted', cell: (row) => (row.accepted ? '✓ accepted' : '–') },
  {
    name: 'Compare',
    cell: (row) => <Link to={`/compare?base=${row.run_before}&head=${row.run_after}`}>before and after</Link>,
  },
  {
    name: 'Actions',
    role: 'trigger',
    cell: (row) =>
      row.ratio > 1 && (
        <Actions
          actions={[
            bisectAction({
              repository,
              suite: row.suite,
              benchmark: row.benchmark,
              until: 'regressed',
              commits: row.between,
            }),
          ]}
          changed={() => undefined}
        />
      ),
  },
];

export function Changes({ data, model }: { data: HistoryData; model: Model }) {
  const rows = changesOf(data, new Map(model.stops.map((stop) => [stop.commit, stop])));
  return (
    <Section
      title="Changes of level"
      note={rows.length > 0 ? `${plural(rows.length, 'change')}, newest first` : undefined}
    >
      {rows.length > 0 ? (
        <Table
          caption="Changes of level, newest first"
          columns={changeColumns(data.tracks[0]!.epochs[0]!.repository)}
          rows={rows.slice(0, 100)}
          keyOf={(row) => `${row.benchmark} ${row.track.testbed} ${row.run_after}`}
        />
      ) : (
        <p class="dim">No change of level within an epoch</p>
      )}
    </Section>
  );
}

/** Only an interval that leaves no change out says anything. */
function toneOf(anchor: { ratio_low: number | null; ratio_high: number | null }): 'slower' | 'faster' | 'calm' {
  if (anchor.ratio_low !== null && anchor.ratio_low > 1) return 'slower';
  return anchor.ratio_high !== null && anchor.ratio_high < 1 ? 'faster' : 'calm';
}

export function Notices({ data }: { data: HistoryData }) {
  const newest = data.tracks.map((track) => track.epochs[track.epochs.length - 1]!);
  return (
    <div class="notices">
      {newest.map((epoch) => (
        <>
          {epoch.creep ? (
            <Notice tone="slower">
              ▲ {epoch.benchmark} is creeping: {formatChange(epoch.creep.ratio)} over{' '}
              {plural(epoch.creep.commits, 'commit')}, each too small for a single run to detect.
            </Notice>
          ) : null}
          {epoch.anchor ? (
            <Notice tone={toneOf(epoch.anchor)}>
              ⚓ {epoch.benchmark}: {epoch.anchor.text}
            </Notice>
          ) : null}
          {epoch.anchor_note ? <Notice>{epoch.anchor_note}</Notice> : null}
          {epoch.older_left_out ? (
            <Notice>
              {epoch.benchmark}: only the newest {epoch.points.length} commits are shown.
            </Notice>
          ) : null}
        </>
      ))}
    </div>
  );
}
