// SPDX-License-Identifier: Apache-2.0
// What administrators look after: held runs of forks, repositories, tokens, what forges were told, and the log of acts.
import { getJson, post, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import { may, useCaller } from '../lib/session';
import type { Run } from '../lib/types';
import { approveAct, refuseAct } from '../run/acts';
import { Acts, type Act } from '../ui/ask';
import { Badge, Copyable, Empty, ErrorBox, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

interface Repository {
  id: number;
  name: string;
  url: string;
  default_branch: string;
  manifest_sha256: string;
  full_name: string;
}

interface Message {
  id: number;
  run: number;
  target: string;
  phase: string;
  status: string;
  attempts: number;
  next_at: string;
  error: string;
  created_at: string;
}

interface Delivery {
  id: number;
  delivery: string;
  event: string;
  action: string;
  repository: string;
  sender: string;
  outcome: string;
  status: number;
  detail: string;
  run: number | null;
  seen: number;
  received_at: string;
}

interface LoggedAct {
  id: number;
  at: string;
  actor: string;
  act: string;
  subject: string;
  detail: string;
}

const heldColumns = (changed: () => void): Column<Run>[] => [
  { name: 'Subject', lead: true, cell: (run) => <Link to={`/runs/${run.id}`} class="subject">{run.subject || `Run #${run.id}`}</Link> },
  { name: 'Pull request', cell: (run) => (run.pull_request ? `#${run.pull_request.number} of ${run.pull_request.head_repository || 'a fork'}` : '–') },
  { name: 'By', cell: (run) => run.pull_request?.sender || run.author || '–' },
  { name: 'Repository', cell: (run) => run.repository },
  { name: 'Commit', cell: (run) => <Hash value={run.commit} /> },
  { name: 'Asked', cell: (run) => <Time at={run.created_at} age /> },
  { name: 'Act', cell: (run) => <Acts acts={[approveAct(run), refuseAct(run)]} changed={changed} /> },
];

function Held() {
  const path = url('/api/v1/runs', { state: 'held', limit: 100 });
  const { data, error, again } = useData(path, (signal) => getJson<{ runs: Run[] }>(path, signal));
  useRunEvents(again);
  return (
    <Section title="Runs of forks that wait" note="nothing of a fork is built or measured before somebody approved this commit" id="held">
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={2} /> : null}
      {data && data.runs.length === 0 ? <p class="dim">None waits.</p> : null}
      {data && data.runs.length > 0 ? <Table caption="Held runs" columns={heldColumns(again)} rows={data.runs} keyOf={(run) => run.id} /> : null}
    </Section>
  );
}

const watchAct: Act = {
  label: 'Watch a repository', role: 'admin', explain: 'Runners fetch it from this URL when a commit of it is triggered.',
  fields: [
    { name: 'name', label: 'Name', hint: 'attention-kernels' },
    { name: 'url', label: 'URL', hint: 'https://git.example.org/attention-kernels.git' },
    { name: 'default_branch', label: 'Default branch', value: 'main' },
    { name: 'full_name', label: 'Name on the forge (owner/name), for its statuses', optional: true },
  ],
  run: async (values) => void (await post('/api/v1/repositories', values)),
};

const repositoryColumns: Column<Repository>[] = [
  { name: 'Repository', lead: true, cell: (row) => <Link to={`/runs?repository=${encodeURIComponent(row.name)}`}>{row.name}</Link> },
  { name: 'URL', cell: (row) => <code class="wrap">{row.url}</code> },
  { name: 'Default branch', cell: (row) => row.default_branch },
  { name: 'On the forge', cell: (row) => row.full_name || '–' },
  { name: 'Manifest', cell: (row) => (row.manifest_sha256 ? <>registered, <Hash value={row.manifest_sha256} /></> : 'of each commit') },
];

function Repositories() {
  const path = url('/api/v1/repositories', { limit: 500 });
  const { data, error, again } = useData(path, (signal) => getJson<{ repositories: Repository[] }>(path, signal));
  return (
    <Section title="Repositories" note={<Acts acts={[watchAct]} changed={again} />} id="repositories">
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={3} /> : null}
      {data && data.repositories.length === 0 ? <Empty title="No repository is watched."><p class="dim">Watch one, then trigger a commit of it.</p></Empty> : null}
      {data && data.repositories.length > 0 ? <Table caption="Repositories" columns={repositoryColumns} rows={data.repositories} keyOf={(row) => row.id} /> : null}
    </Section>
  );
}

function Tokens() {
  return (
    <Section title="Tokens" note="made, listed and revoked beside the store; a token's text is printed once" id="tokens">
      <Copyable label="the command that makes a token" text="kernelgate token create --db DATA/kernelgate.sqlite --name NAME --role trigger" />
      <Copyable label="the command that lists tokens" text="kernelgate token list --db DATA/kernelgate.sqlite" />
    </Section>
  );
}

const again_act = (row: Message): Act => ({
  label: 'Try again', title: `Try message ${row.id} again`, role: 'admin', explain: `${row.target} is told of run ${row.run} once more.`,
  run: async () => void (await post(`/api/v1/outbox/${row.id}/retry`)),
});

const messageColumns = (changed: () => void): Column<Message>[] => [
  { name: 'Message', lead: true, cell: (row) => <><Badge name={row.status} /> {row.target}</> },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run} {row.phase}</Link> },
  { name: 'Attempts', numeric: true, cell: (row) => row.attempts },
  { name: 'Last fault', cell: (row) => row.error || '–' },
  { name: 'Written', cell: (row) => <Time at={row.created_at} age /> },
  { name: 'Act', cell: (row) => (row.status === 'gave_up' ? <Acts acts={[again_act(row)]} changed={changed} /> : null) },
];

function Outbox() {
  const [status, setStatus] = useQuery('messages');
  const path = url('/api/v1/outbox', { status, limit: 50 });
  const { data, error, again } = useData(path, (signal) => getJson<{ messages: Message[] }>(path, signal));
  return (
    <Section title="Told to forges and others" id="outbox" note={(
      <label>Status <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
        {['', 'pending', 'delivered', 'obsolete', 'gave_up'].map((one) => <option key={one} value={one}>{one ? one.replace('_', ' ') : 'any'}</option>)}
      </select></label>
    )}>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={3} /> : null}
      {data && data.messages.length === 0 ? <p class="dim">No message.</p> : null}
      {data && data.messages.length > 0 ? <Table caption="Messages, newest first" columns={messageColumns(again)} rows={data.messages} keyOf={(row) => row.id} /> : null}
    </Section>
  );
}

const deliveryColumns: Column<Delivery>[] = [
  { name: 'Webhook', lead: true, cell: (row) => <><strong>{row.event}{row.action ? `.${row.action}` : ''}</strong> {row.outcome.replace('_', ' ')}</> },
  { name: 'Repository', cell: (row) => row.repository || '–' },
  { name: 'Sender', cell: (row) => row.sender || '–' },
  { name: 'Run', cell: (row) => (row.run ? <Link to={`/runs/${row.run}`}>#{row.run}</Link> : '–') },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'Seen', numeric: true, cell: (row) => row.seen },
  { name: 'Received', cell: (row) => <Time at={row.received_at} age /> },
  { name: 'Payload', cell: (row) => <a href={`/api/v1/deliveries/${row.id}/payload`}>JSON</a> },
];

function Deliveries() {
  const path = url('/api/v1/deliveries', { limit: 50 });
  const { data, error, again } = useData(path, (signal) => getJson<{ deliveries: Delivery[] }>(path, signal));
  return (
    <Section title="Webhooks" note="of the last 30 days" id="deliveries">
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={3} /> : null}
      {data && data.deliveries.length === 0 ? <p class="dim">None came.</p> : null}
      {data && data.deliveries.length > 0 ? <Table caption="Webhooks, newest first" columns={deliveryColumns} rows={data.deliveries} keyOf={(row) => row.id} /> : null}
    </Section>
  );
}

/** Where "run 12" leads. */
function Subject({ text }: { text: string }) {
  const found = /^(run|bisection) (\d+)$/.exec(text);
  return found ? <Link to={`/${found[1]}s/${found[2]}`}>{text}</Link> : <>{text || '–'}</>;
}

const actColumns: Column<LoggedAct>[] = [
  { name: 'Act', lead: true, cell: (row) => <code>{row.act}</code> },
  { name: 'To', cell: (row) => <Subject text={row.subject} /> },
  { name: 'By', cell: (row) => row.actor },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'When', cell: (row) => <Time at={row.at} /> },
];

function Log() {
  const [actor, setActor] = useQuery('actor');
  const [act, setAct] = useQuery('act');
  const [older, setOlder] = useQuery('before');
  const path = url('/api/v1/acts', { actor, act, before: older, limit: 100 });
  const { data, error, again } = useData(path, (signal) => getJson<{ acts: LoggedAct[]; next: string | null }>(path, signal));
  return (
    <Section title="Log of acts" note={data ? `${plural(data.acts.length, 'act')}, newest first` : 'who did what, to which thing, and why'} id="acts">
      <div class="filters">
        <input type="search" data-search aria-label="Act" placeholder="Act, as run.cancel, or a family, as run" value={act} onChange={(event) => setAct(event.currentTarget.value)} />
        <label>By<input placeholder="anybody" value={actor} onChange={(event) => setActor(event.currentTarget.value)} /></label>
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!data && !error ? <Loading lines={8} /> : null}
      {data && data.acts.length === 0 ? <p class="dim">No act fits.</p> : null}
      {data && data.acts.length > 0 ? <Table caption="Acts, newest first" columns={actColumns} rows={data.acts} keyOf={(row) => row.id} /> : null}
      <div class="acts">
        {older ? <button type="button" onClick={() => setOlder('')}>Newest</button> : null}
        {data?.next ? <button type="button" onClick={() => setOlder(String(data.next))}>Older</button> : null}
      </div>
    </Section>
  );
}

export default function AdminPage() {
  const caller = useCaller();
  const admin = may(caller, 'admin');
  return (
    <div class="page">
      <div class="page-head"><h1>Admin</h1></div>
      <Held />
      <Repositories />
      <Tokens />
      {admin ? <><Outbox /><Deliveries /><Log /></> : (
        <Empty title="More is shown to administrators."><p class="dim">Log in with a token of role admin: what forges were told, webhooks, and the log of acts.</p></Empty>
      )}
    </div>
  );
}
