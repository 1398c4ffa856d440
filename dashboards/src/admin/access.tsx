// SPDX-License-Identifier: Apache-2.0
// Who may do what, and who did what: tokens and the audit log.
import { post } from '../lib/api';
import { plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import { Actions, type Action } from '../ui/ask';
import { Copyable, Pages, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type { LoggedAction, Token } from './types';

const revokeAction = (row: Token): Action => ({
  label: 'Revoke',
  title: `Revoke the token ${row.name}`,
  role: 'admin',
  explain: 'Requests with this token are refused from now on, and its sessions end. This cannot be undone.',
  fields: [{ name: 'reason', label: 'Why' }],
  run: async ({ reason }) => void (await post(`/api/v1/tokens/${encodeURIComponent(row.name)}/revoke`, { reason })),
});

const tokenColumns = (own: string, changed: () => void): Column<Token>[] => [
  { name: 'Token', lead: true, cell: (row) => <strong class="wrap">{row.name}</strong> },
  { name: 'Role', cell: (row) => row.role },
  { name: 'Created', cell: (row) => <Time at={row.created_at} /> },
  { name: 'Last used', cell: (row) => <Time at={row.last_used_at} age /> },
  {
    name: 'State',
    cell: (row) =>
      row.revoked_at ? (
        <span class="dim">
          revoked <Time at={row.revoked_at} age />
        </span>
      ) : row.name === own ? (
        'yours'
      ) : (
        'valid'
      ),
  },
  {
    name: 'Actions',
    role: 'admin',
    cell: (row) =>
      row.revoked_at || row.name === own ? null : <Actions actions={[revokeAction(row)]} changed={changed} />,
  },
];

export function Tokens({ tokens, own, changed }: { tokens: Token[]; own: string; changed: () => void }) {
  return (
    <Section title="Tokens" note="created on the server's machine, where the token is printed once" id="tokens">
      <Table
        caption="Tokens, newest first"
        columns={tokenColumns(own, changed)}
        rows={tokens}
        keyOf={(row) => row.name}
      />
      <Copyable
        label="the command that creates a token"
        text="kernelgate token create --db DATA/kernelgate.sqlite --name NAME --role trigger"
      />
    </Section>
  );
}

/** Where "run 12" leads. */
function Subject({ text }: { text: string }) {
  const found = /^(run|bisection) (\d+)$/.exec(text);
  return found ? <Link to={`/${found[1]}s/${found[2]}`}>{text}</Link> : <>{text || '–'}</>;
}

const entryColumns: Column<LoggedAction>[] = [
  { name: 'Action', lead: true, cell: (row) => <code>{row.action}</code> },
  { name: 'Subject', cell: (row) => <Subject text={row.subject} /> },
  { name: 'Actor', cell: (row) => row.actor },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'When', cell: (row) => <Time at={row.at} /> },
];

export function AuditLog({ entries, next }: { entries: LoggedAction[]; next: string | null }) {
  const [actor, setActor] = useQuery('actor');
  const [action, setAction] = useQuery('action');
  const [older, setOlder] = useQuery('before');
  return (
    <Section title="Audit log" note={`${plural(entries.length, 'entry', 'entries')}, newest first`} id="audit">
      <div class="filters">
        <input
          type="search"
          data-search
          aria-label="Action"
          placeholder="Action (run.cancel) or group (run)"
          value={action}
          onChange={(event) => setAction(event.currentTarget.value)}
        />
        <label>
          Actor
          <input placeholder="anyone" value={actor} onChange={(event) => setActor(event.currentTarget.value)} />
        </label>
      </div>
      {entries.length > 0 ? (
        <Table caption="Audit log, newest first" columns={entryColumns} rows={entries} keyOf={(row) => row.id} />
      ) : (
        <p class="dim">No matching entries</p>
      )}
      <Pages older={older} next={next} go={setOlder} />
    </Section>
  );
}
