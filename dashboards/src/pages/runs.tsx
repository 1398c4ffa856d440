// SPDX-License-Identifier: Apache-2.0
// The list of runs, newest first, filtered by the URL, brought up to date by events.
import { getJson, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { formatChange, shortHash } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import type { Run } from '../lib/types';
import { isFinished, outcomeOf } from '../lib/verdict';
import { TestbedChoice, useRepositories } from '../ui/choose';
import { Badge, Empty, ErrorBox, Hash, Loading, Pages, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

const outcomes = ['', 'passed', 'regressed', 'broken', 'build_failed', 'undecided', 'infrastructure', 'unfinished'];

const columns: Column<Run>[] = [
  {
    name: 'Outcome',
    lead: true,
    cell: (run) => <Badge name={outcomeOf(run)} note={isFinished(run) ? undefined : run.progress} />,
  },
  {
    name: 'Commit',
    lead: true,
    cell: (run) => (
      <>
        <Link to={`/runs/${run.id}`} class="subject">
          {run.subject || 'Commit not fetched yet'}
        </Link>
        <span class="byline">
          <Hash value={run.commit} plain /> {run.author.replace(/\s*<.*/, '')}
        </span>
      </>
    ),
  },
  {
    name: 'Largest change',
    numeric: true,
    cell: (run) => (run.largest_ratio ? <span class="strong">{formatChange(run.largest_ratio)}</span> : null),
  },
  { name: 'Branch', cell: (run) => run.branch || null },
  { name: 'Repository', cell: (run) => run.repository },
  { name: 'Testbed', cell: (run) => run.testbed || null },
  { name: 'Created', cell: (run) => <Time at={run.created_at} age /> },
  {
    name: 'Run',
    numeric: true,
    cell: (run) => (
      <Link to={`/runs/${run.id}`} aria-label={`Run ${run.id}`}>
        #{run.id}
      </Link>
    ),
  },
];

export default function RunsPage() {
  const [repository, setRepository] = useQuery('repository');
  const [outcome, setOutcome] = useQuery('outcome');
  const [branch, setBranch] = useQuery('branch');
  const [commit, setCommit] = useQuery('commit');
  const [testbed, setTestbed] = useQuery('testbed');
  const [older, setOlder] = useQuery('before');
  const filter = outcome === 'unfinished' ? { state: outcome } : { conclusion: outcome };
  const path = url('/api/v1/runs', { repository, branch, commit, testbed, before: older, limit: 50, ...filter });
  const { data, error, again } = useData(path, (signal) => getJson<{ runs: Run[]; next: string | null }>(path, signal));
  const repositories = useRepositories();
  useRunEvents(again, repository);
  const choose = (set: (value: string) => void) => (event: Event) => set((event.target as HTMLSelectElement).value);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Runs</h1>
      </div>
      <div class="filters">
        <input
          type="search"
          data-search
          aria-label="Branch"
          placeholder="Branch (full name)"
          value={branch}
          onChange={(event) => setBranch(event.currentTarget.value)}
        />
        <label>
          Outcome
          <select value={outcome} onChange={choose(setOutcome)}>
            {outcomes.map((one) => (
              <option key={one} value={one}>
                {one ? one.replace('_', ' ') : 'any'}
              </option>
            ))}
          </select>
        </label>
        <label>
          Repository
          <select value={repository} onChange={choose(setRepository)}>
            <option value="">any</option>
            {repositories.all.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <TestbedChoice value={testbed} set={setTestbed} />
        {commit ? (
          <button type="button" class="chip" onClick={() => setCommit('')} aria-label="Show the runs of every commit">
            Commit {shortHash(commit)} ×
          </button>
        ) : null}
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={12} /> : null}
      {data && data.runs.length > 0 ? (
        <Table caption="Runs, newest first" columns={columns} rows={data.runs} keyOf={(run) => run.id} />
      ) : null}
      {data && data.runs.length === 0 ? (
        <Empty title="No matching runs">
          <p class="dim">
            Push to a repository with the hook installed, or run <code>kernelgate trigger</code>.
          </p>
        </Empty>
      ) : null}
      <Pages older={older} next={data?.next} go={setOlder} />
    </div>
  );
}
