// SPDX-License-Identifier: Apache-2.0
// Runs of forks waiting for approval for approval, and the repositories that are watched.
import { post } from '../lib/api';
import { Link } from '../lib/router';
import type { Run } from '../lib/types';
import { approveAction, refuseAction } from '../run/actions';
import { Actions, type Action } from '../ui/ask';
import { Empty, Hash, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type { Repository } from './types';

const heldColumns = (changed: () => void): Column<Run>[] => [
  {
    name: 'Subject',
    lead: true,
    cell: (run) => (
      <Link to={`/runs/${run.id}`} class="subject">
        {run.subject || `Run #${run.id}`}
      </Link>
    ),
  },
  {
    name: 'Pull request',
    cell: (run) =>
      run.pull_request ? (
        <span class="wrap">
          #{run.pull_request.number} of {run.pull_request.head_repository || 'a fork'}
        </span>
      ) : (
        '–'
      ),
  },
  { name: 'By', cell: (run) => <span class="wrap">{run.pull_request?.sender || run.author || '–'}</span> },
  { name: 'Repository', cell: (run) => run.repository },
  { name: 'Commit', cell: (run) => <Hash value={run.commit} /> },
  { name: 'Requested', cell: (run) => <Time at={run.created_at} age /> },
  {
    name: 'Actions',
    role: 'trigger',
    cell: (run) => <Actions actions={[approveAction(run), refuseAction(run)]} changed={changed} />,
  },
];

export function Held({ runs, changed }: { runs: Run[]; changed: () => void }) {
  return (
    <Section
      title="Runs of forks waiting for approval"
      note="nothing from a fork is built or measured before its commit is approved"
      id="held"
    >
      {runs.length > 0 ? (
        <Table caption="Held runs" columns={heldColumns(changed)} rows={runs} keyOf={(run) => run.id} />
      ) : (
        <p class="dim">No pending runs</p>
      )}
    </Section>
  );
}

const watchAction: Action = {
  label: 'Add repository',
  role: 'admin',
  explain: 'Runners fetch its commits from this URL.',
  fields: [
    { name: 'name', label: 'Name', hint: 'attention-kernels' },
    { name: 'url', label: 'URL', hint: 'https://git.example.org/attention-kernels.git' },
    { name: 'default_branch', label: 'Default branch', value: 'main' },
    { name: 'full_name', label: 'Name on the forge (owner/name), for commit statuses', optional: true },
  ],
  run: async (values) => void (await post('/api/v1/repositories', values)),
};

const repositoryColumns: Column<Repository>[] = [
  {
    name: 'Repository',
    lead: true,
    cell: (row) => <Link to={`/runs?repository=${encodeURIComponent(row.name)}`}>{row.name}</Link>,
  },
  { name: 'URL', cell: (row) => <code class="wrap">{row.url}</code> },
  { name: 'Default branch', cell: (row) => row.default_branch },
  { name: 'On the forge', cell: (row) => row.full_name || '–' },
  {
    name: 'Manifest',
    cell: (row) =>
      row.manifest_sha256 ? (
        <>
          registered, <Hash value={row.manifest_sha256} plain />
        </>
      ) : (
        'from each commit'
      ),
  },
];

export function Repositories({ repositories, changed }: { repositories: Repository[]; changed: () => void }) {
  return (
    <Section title="Repositories" note={<Actions actions={[watchAction]} changed={changed} />} id="repositories">
      {repositories.length > 0 ? (
        <Table caption="Repositories" columns={repositoryColumns} rows={repositories} keyOf={(row) => row.id} />
      ) : (
        <Empty title="No repositories yet">
          <p class="dim">Add one, then trigger a run.</p>
        </Empty>
      )}
    </Section>
  );
}
