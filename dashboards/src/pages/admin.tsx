// SPDX-License-Identifier: Apache-2.0
// What administrators look after: held runs of forks, repositories, tokens, what forges were told, and the audit log.
import { useRef } from 'preact/hooks';
import { getJson, post, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { plural } from '../lib/format';
import { Link, usePlace, useQuery } from '../lib/router';
import { may, useCaller } from '../lib/session';
import type { Run } from '../lib/types';
import { approveAct, refuseAct } from '../run/acts';
import { Acts, type Act } from '../ui/ask';
import { Badge, Copyable, Empty, ErrorBox, Hash, Loading, Pages, Section, Time } from '../ui/parts';
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

interface LoggedAction {
  id: number;
  at: string;
  actor: string;
  act: string;
  subject: string;
  detail: string;
}

interface Token {
  name: string;
  role: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

const heldColumns = (changed: () => void): Column<Run>[] => [
  { name: 'Subject', lead: true, cell: (run) => <Link to={`/runs/${run.id}`} class="subject">{run.subject || `Run #${run.id}`}</Link> },
  { name: 'Pull request', cell: (run) => (run.pull_request ? <span class="wrap">#{run.pull_request.number} of {run.pull_request.head_repository || 'a fork'}</span> : '–') },
  { name: 'By', cell: (run) => <span class="wrap">{run.pull_request?.sender || run.author || '–'}</span> },
  { name: 'Repository', cell: (run) => run.repository },
  { name: 'Commit', cell: (run) => <Hash value={run.commit} /> },
  { name: 'Asked', cell: (run) => <Time at={run.created_at} age /> },
  { name: 'Acts', role: 'trigger', cell: (run) => <Acts acts={[approveAct(run), refuseAct(run)]} changed={changed} /> },
];

function Held({ runs, changed }: { runs: Run[]; changed: () => void }) {
  return (
    <Section title="Runs of forks that wait" note="nothing of a fork is built or measured before somebody approved this commit" id="held">
      {runs.length > 0 ? <Table caption="Held runs" columns={heldColumns(changed)} rows={runs} keyOf={(run) => run.id} /> : <p class="dim">None waits.</p>}
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

function Repositories({ repositories, changed }: { repositories: Repository[]; changed: () => void }) {
  return (
    <Section title="Repositories" note={<Acts acts={[watchAct]} changed={changed} />} id="repositories">
      {repositories.length > 0
        ? <Table caption="Repositories" columns={repositoryColumns} rows={repositories} keyOf={(row) => row.id} />
        : <Empty title="No repository is watched."><p class="dim">Watch one, then trigger a commit of it.</p></Empty>}
    </Section>
  );
}

const revokeAct = (row: Token): Act => ({
  label: 'Revoke', title: `Revoke the token ${row.name}`, role: 'admin', explain: 'Whoever uses it is refused from now on, and its logins end. It cannot be revoked.',
  fields: [{ name: 'reason', label: 'Why' }],
  run: async ({ reason }) => void (await post(`/api/v1/tokens/${encodeURIComponent(row.name)}/revoke`, { reason })),
});

const tokenColumns = (own: string, changed: () => void): Column<Token>[] => [
  { name: 'Token', lead: true, cell: (row) => <strong class="wrap">{row.name}</strong> },
  { name: 'Role', cell: (row) => row.role },
  { name: 'Made', cell: (row) => <Time at={row.created_at} /> },
  { name: 'Last used', cell: (row) => <Time at={row.last_used_at} age /> },
  { name: 'State', cell: (row) => (row.revoked_at ? <span class="dim">revoked <Time at={row.revoked_at} age /></span> : row.name === own ? 'yours' : 'valid') },
  { name: 'Acts', role: 'admin', cell: (row) => (row.revoked_at || row.name === own ? null : <Acts acts={[revokeAct(row)]} changed={changed} />) },
];

function Tokens({ tokens, own, changed }: { tokens: Token[]; own: string; changed: () => void }) {
  return (
    <Section title="Tokens" note="made beside the store, where the text is printed once" id="tokens">
      <Table caption="Tokens, newest first" columns={tokenColumns(own, changed)} rows={tokens} keyOf={(row) => row.name} />
      <Copyable label="the command that makes a token" text="kernelgate token create --db DATA/kernelgate.sqlite --name NAME --role trigger" />
    </Section>
  );
}

const tryAgain = (row: Message): Act => ({
  label: 'Try again', title: `Try message ${row.id} again`, role: 'admin', explain: `${row.target} is told of run ${row.run} once more.`,
  run: async () => void (await post(`/api/v1/outbox/${row.id}/retry`)),
});

const messageColumns = (changed: () => void): Column<Message>[] => [
  { name: 'Message', lead: true, cell: (row) => <><Badge name={row.status} /> {row.target}</> },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run} {row.phase}</Link> },
  { name: 'Attempts', numeric: true, cell: (row) => row.attempts },
  { name: 'Last fault', cell: (row) => row.error || '–' },
  { name: 'Written', cell: (row) => <Time at={row.created_at} age /> },
  { name: 'Acts', role: 'admin', cell: (row) => (row.status === 'gave_up' ? <Acts acts={[tryAgain(row)]} changed={changed} /> : null) },
];

function Outbox({ messages, changed }: { messages: Message[]; changed: () => void }) {
  const [status, setStatus] = useQuery('messages');
  return (
    <Section title="Told to forges and others" id="outbox" note={(
      <label>Status <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
        {['', 'pending', 'delivered', 'obsolete', 'gave_up'].map((one) => <option key={one} value={one}>{one ? one.replace('_', ' ') : 'any'}</option>)}
      </select></label>
    )}>
      {messages.length > 0 ? <Table caption="Messages, newest first" columns={messageColumns(changed)} rows={messages} keyOf={(row) => row.id} /> : <p class="dim">No message.</p>}
    </Section>
  );
}

const comeAgain = (row: Delivery): Act => ({
  label: 'Take again', title: `Take webhook ${row.id} again`, role: 'admin', explain: 'What was refused is looked at as if it came just now. Fix the cause first.',
  run: async () => void (await post(`/api/v1/deliveries/${row.id}/retry`)),
});

const deliveryColumns = (changed: () => void): Column<Delivery>[] => [
  { name: 'Webhook', lead: true, cell: (row) => <><strong>{row.event}{row.action ? `.${row.action}` : ''}</strong> {row.outcome.replace('_', ' ')}</> },
  { name: 'Repository', cell: (row) => row.repository || '–' },
  { name: 'Sender', cell: (row) => row.sender || '–' },
  { name: 'Run', cell: (row) => (row.run ? <Link to={`/runs/${row.run}`}>#{row.run}</Link> : '–') },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'Seen', numeric: true, cell: (row) => row.seen },
  { name: 'Received', cell: (row) => <Time at={row.received_at} age /> },
  { name: 'Payload', cell: (row) => <a href={`/api/v1/deliveries/${row.id}/payload`}>JSON</a> },
  { name: 'Acts', role: 'admin', cell: (row) => (row.outcome === 'refused' ? <Acts acts={[comeAgain(row)]} changed={changed} /> : null) },
];

function Deliveries({ deliveries, changed }: { deliveries: Delivery[]; changed: () => void }) {
  return (
    <Section title="Webhooks" note="of the last 30 days" id="deliveries">
      {deliveries.length > 0 ? <Table caption="Webhooks, newest first" columns={deliveryColumns(changed)} rows={deliveries} keyOf={(row) => row.id} /> : <p class="dim">None came.</p>}
    </Section>
  );
}

/** Where "run 12" leads. */
function Subject({ text }: { text: string }) {
  const found = /^(run|bisection) (\d+)$/.exec(text);
  return found ? <Link to={`/${found[1]}s/${found[2]}`}>{text}</Link> : <>{text || '–'}</>;
}

const actColumns: Column<LoggedAction>[] = [
  { name: 'Act', lead: true, cell: (row) => <code>{row.act}</code> },
  { name: 'To', cell: (row) => <Subject text={row.subject} /> },
  { name: 'By', cell: (row) => row.actor },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'When', cell: (row) => <Time at={row.at} /> },
];

function Log({ acts, next }: { acts: LoggedAction[]; next: string | null }) {
  const [actor, setActor] = useQuery('actor');
  const [act, setAct] = useQuery('act');
  const [older, setOlder] = useQuery('before');
  return (
    <Section title="Audit log" note={`${plural(acts.length, 'act')}, newest first`} id="acts">
      <div class="filters">
        <input type="search" data-search aria-label="Act" placeholder="Act, as run.cancel, or a family, as run" value={act} onChange={(event) => setAct(event.currentTarget.value)} />
        <label>By<input placeholder="anybody" value={actor} onChange={(event) => setActor(event.currentTarget.value)} /></label>
      </div>
      {acts.length > 0 ? <Table caption="Acts, newest first" columns={actColumns} rows={acts} keyOf={(row) => row.id} /> : <p class="dim">No act fits.</p>}
      <Pages older={older} next={next} go={setOlder} />
    </Section>
  );
}

interface ForAll {
  runs: Run[];
  repositories: Repository[];
}

interface ForAdministrators {
  tokens: Token[];
  messages: Message[];
  deliveries: Delivery[];
  acts: LoggedAction[];
  next: string | null;
}

/** Everything at once, so that nothing moves once it is shown. */
async function load(admin: boolean, filters: Record<string, string>, signal: AbortSignal): Promise<{ all: ForAll; more: ForAdministrators | null }> {
  const get = <T,>(path: string, query: Record<string, string | number>) => getJson<T>(url(`/api/v1/${path}`, query), signal);
  const { messages, ...acts } = filters;
  const [held, known, ...rest] = await Promise.all([
    get<{ runs: Run[] }>('runs', { state: 'held', limit: 100 }),
    get<{ repositories: Repository[] }>('repositories', { limit: 500 }),
    ...(admin ? [get<object>('tokens', { limit: 500 }), get<object>('outbox', { status: messages ?? '', limit: 50 }), get<object>('deliveries', { limit: 50 }), get<object>('acts', { ...acts, limit: 100 })] : []),
  ]);
  return { all: { ...held, ...known }, more: admin ? Object.assign({}, ...rest) as ForAdministrators : null };
}

export default function AdminPage() {
  const caller = useCaller();
  const admin = may(caller, 'admin');
  const { query } = usePlace();
  const filters = Object.fromEntries(['messages', 'actor', 'act', 'before'].map((name) => [name, query.get(name) ?? '']));
  const { data, error, again } = useData(caller === undefined ? '' : `admin ${admin} ${JSON.stringify(filters)}`, (signal) => load(admin, filters, signal));
  const kept = useRef<typeof data>();
  if (data) kept.current = data;
  const shown = data ?? (error ? undefined : kept.current);
  useRunEvents(again);
  return (
    <div class="page">
      <div class="page-head"><h1>Admin</h1></div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!shown && !error ? <Loading lines={14} /> : null}
      {shown ? <><Held runs={shown.all.runs} changed={again} /><Repositories repositories={shown.all.repositories} changed={again} /></> : null}
      {shown?.more ? <><Tokens tokens={shown.more.tokens} own={caller?.name ?? ''} changed={again} /><Outbox messages={shown.more.messages} changed={again} /><Deliveries deliveries={shown.more.deliveries} changed={again} /><Log acts={shown.more.acts} next={shown.more.next} /></> : null}
      {shown && !shown.more ? (
        <Empty title="More is shown to administrators."><p class="dim">Log in with a token of role admin: tokens, what forges were told, webhooks, and the log of acts.</p></Empty>
      ) : null}
    </div>
  );
}
