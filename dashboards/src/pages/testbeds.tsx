// SPDX-License-Identifier: Apache-2.0
// Testbeds: what they are, when a fact changed and which, and the smallest change that can be detected there.
import { getAll, getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatNs, formatPercent, plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import type { Comparison, Run } from '../lib/types';
import type { Calibration, CalibratedBenchmark, Epoch } from '../lib/types_stored';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { Empty, ErrorBox, Facts, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

const facts: [keyof Epoch, string][] = [
  ['gpu_model', 'GPU'],
  ['compute_capability', 'Compute capability'],
  ['driver', 'Driver'],
  ['toolkit', 'Toolkit'],
  ['power_limit', 'Power limit'],
  ['mig_mode', 'MIG'],
  ['host_cpu', 'Host'],
];

interface EpochRow {
  epoch: Epoch;
  changed: string[];
}

/** Newest first, each with what it changed of the one before. */
function withChanges(epochs: readonly Epoch[]): EpochRow[] {
  return epochs.map((epoch, i) => {
    const before = epochs[i + 1];
    if (!before) return { epoch, changed: [] };
    return {
      epoch,
      changed: facts
        .filter(([name]) => epoch[name] !== before[name])
        .map(([name, label]) => `${label} ${before[name] || '–'} → ${epoch[name] || '–'}`),
    };
  });
}

const epochColumns: Column<EpochRow>[] = [
  {
    name: 'Epoch',
    lead: true,
    cell: (row) => (
      <>
        #{row.epoch.id} {row.epoch.over ? <span class="dim">ended</span> : 'current'}
      </>
    ),
  },
  { name: 'Since', cell: (row) => <Time at={row.epoch.since} /> },
  {
    name: 'What changed',
    cell: (row) => (row.changed.length > 0 ? row.changed.join('; ') : <span class="dim">first epoch</span>),
  },
];

interface Limits {
  source: { calibration?: Calibration; run?: Run };
  rows: LimitRow[];
}
interface LimitRow {
  benchmark: string;
  suite: string;
  noise: number | null;
  detectable: number | null;
  median_ns: number | null;
  falseAlarms: string;
}

const fromCalibration = (one: CalibratedBenchmark): LimitRow => ({
  suite: one.suite,
  benchmark: one.benchmark,
  noise: one.noise,
  detectable: one.detectable,
  median_ns: null,
  falseAlarms: `${one.regressed} of ${one.trials}`,
});
const fromRun = (one: Comparison): LimitRow => ({
  suite: one.suite,
  benchmark: one.benchmark,
  noise: one.pair_sd,
  detectable: one.minimum_detectable,
  median_ns: one.head_median_ns,
  falseAlarms: '–',
});

/** By the last calibration; where there was none, as the newest run on this testbed saw it. */
async function limitsOf(repository: string, epoch: Epoch, signal: AbortSignal): Promise<Limits> {
  const { calibration } = await getJson<{ calibration: Calibration | null }>(
    url('/api/v1/calibration', { repository, epoch: epoch.id }),
    signal,
  );
  if (calibration)
    return {
      source: { calibration },
      rows: calibration.benchmarks.filter((one) => one.injected === 0).map(fromCalibration),
    };
  const { runs } = await getJson<{ runs: Run[] }>(
    url('/api/v1/runs', { repository, state: 'done', limit: 100 }),
    signal,
  );
  const run = runs.find(
    (one) => one.epoch === epoch.id && (one.conclusion === 'passed' || one.conclusion === 'regressed'),
  );
  if (!run) return { source: {}, rows: [] };
  const comparisons = await getAll<Comparison>(`/api/v1/runs/${run.id}/comparisons`, 'comparisons', {}, signal, 8);
  return { source: { run }, rows: comparisons.filter((one) => one.minimum_detectable !== null).map(fromRun) };
}

const limitColumns = (repository: string): Column<LimitRow>[] => [
  {
    name: 'Benchmark',
    lead: true,
    sort: 'name',
    by: (row) => row.benchmark,
    cell: (row) => (
      <Link to={url('/history', { repository, b: `${row.suite}/${row.benchmark}` })}>{row.benchmark}</Link>
    ),
  },
  {
    name: 'Noise per pair',
    numeric: true,
    sort: 'noise',
    by: (row) => row.noise ?? -1,
    cell: (row) => (row.noise === null ? '–' : formatChange(1 + row.noise).slice(1)),
  },
  {
    name: 'Smallest detectable change',
    numeric: true,
    sort: 'detectable',
    by: (row) => row.detectable ?? -1,
    cell: (row) => (row.detectable === null ? '–' : formatPercent(row.detectable).slice(1)),
  },
  {
    name: 'Time',
    numeric: true,
    sort: 'time',
    by: (row) => row.median_ns ?? -1,
    cell: (row) => formatNs(row.median_ns),
  },
  { name: 'False alarms', numeric: true, cell: (row) => row.falseAlarms },
];

function LimitsOf({ repository, epoch }: { repository: string; epoch: Epoch }) {
  const [sort, setSort] = useQuery('sort', '-detectable');
  const { data, error, again } = useData(`limits ${repository} ${epoch.id}`, (signal) =>
    limitsOf(repository, epoch, signal),
  );
  const { calibration, run } = data?.source ?? {};
  const note = calibration ? (
    <>
      calibrated <Time at={calibration.calibrated_at} age /> at <Hash value={calibration.commit} />
    </>
  ) : run ? (
    <>
      not calibrated; figures of <Link to={`/runs/${run.id}`}>run #{run.id}</Link>
    </>
  ) : null;
  return (
    <Section title={`Sensitivity of ${epoch.testbed}`} note={note}>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={8} /> : null}
      {data && data.rows.length > 0 ? (
        <Table
          caption="Noise and smallest detectable change"
          columns={limitColumns(repository)}
          rows={data.rows}
          keyOf={(row) => `${row.suite}/${row.benchmark}`}
          sort={sort}
          setSort={setSort}
        />
      ) : null}
      {data && data.rows.length === 0 ? (
        <Empty title={`No data for ${repository} in this epoch`}>
          <p class="dim">
            Run <code>kernelgate calibrate</code> on the testbed, or measure a commit.
          </p>
        </Empty>
      ) : null}
    </Section>
  );
}

export default function TestbedsPage() {
  const repository = useRepository();
  const [chosen, choose] = useQuery('testbed');
  const { data, error, again } = useData('epochs', (signal) =>
    getAll<Epoch>('/api/v1/epochs', 'epochs', {}, signal, 4),
  );
  const names = [...new Set((data ?? []).map((epoch) => epoch.testbed))].sort();
  const name = names.includes(chosen) ? chosen : names[0];
  const epochs = (data ?? []).filter((epoch) => epoch.testbed === name);
  const present = epochs[0];
  return (
    <div class="page">
      <div class="page-head">
        <h1>Testbeds</h1>
      </div>
      <div class="filters">
        <div class="chips" role="group" aria-label="Testbed">
          {names.map((one) => (
            <button key={one} type="button" class="chip" aria-pressed={one === name} onClick={() => choose(one)}>
              {one}
            </button>
          ))}
        </div>
        <RepositoryChoice chosen={repository} />
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={12} /> : null}
      {data && !present ? (
        <Empty title="No testbeds yet">
          <p class="dim">
            A runner registers its testbed when it claims its first run: <code>kernelgate runner</code>.
          </p>
        </Empty>
      ) : null}
      {present ? (
        <>
          <Facts
            rows={facts.filter(([field]) => present[field]).map(([field, label]) => [label, String(present[field])])}
          />
          <Section
            title="Epochs"
            note={`${plural(epochs.length, 'epoch')}; times of different epochs are not comparable`}
          >
            <Table
              caption="Epochs, newest first"
              columns={epochColumns}
              rows={withChanges(epochs)}
              keyOf={(row) => row.epoch.id}
            />
          </Section>
          {repository.name ? <LimitsOf key={present.id} repository={repository.name} epoch={present} /> : null}
        </>
      ) : null}
    </div>
  );
}
