// SPDX-License-Identifier: Apache-2.0
// What administrators look after: held runs of forks, repositories, tokens, notifications, webhooks and the audit log.
import { useRef } from 'preact/hooks';
import { AuditLog, Tokens } from '../admin/access';
import { Deliveries, Outbox } from '../admin/messages';
import { Held, Repositories } from '../admin/repositories';
import type { Delivery, LoggedAction, Message, Repository, Token } from '../admin/types';
import { getJson, url } from '../lib/api';
import { useData, useRunEvents } from '../lib/data';
import { usePlace } from '../lib/router';
import { may, useCaller } from '../lib/session';
import type { Run } from '../lib/types';
import { Empty, ErrorBox, Loading } from '../ui/parts';

interface ForAll {
  runs: Run[];
  repositories: Repository[];
}

interface ForAdministrators {
  tokens: Token[];
  messages: Message[];
  deliveries: Delivery[];
  actions: LoggedAction[];
  next: string | null;
}

/** Everything at once, so that nothing moves once it is shown. */
async function load(
  admin: boolean,
  filters: Record<string, string>,
  signal: AbortSignal,
): Promise<{ all: ForAll; more: ForAdministrators | null }> {
  const get = <T,>(path: string, query: Record<string, string | number>) =>
    getJson<T>(url(`/api/v1/${path}`, query), signal);
  const { messages, ...audit } = filters;
  const [held, known, ...rest] = await Promise.all([
    get<{ runs: Run[] }>('runs', { state: 'held', limit: 100 }),
    get<{ repositories: Repository[] }>('repositories', { limit: 500 }),
    ...(admin
      ? [
          get<object>('tokens', { limit: 500 }),
          get<object>('outbox', { status: messages ?? '', limit: 20 }),
          get<object>('deliveries', { limit: 20 }),
          get<object>('audit', { ...audit, limit: 30 }),
        ]
      : []),
  ]);
  return { all: { ...held, ...known }, more: admin ? (Object.assign({}, ...rest) as ForAdministrators) : null };
}

export default function AdminPage() {
  const caller = useCaller();
  const admin = may(caller, 'admin');
  const { query } = usePlace();
  const filters = Object.fromEntries(
    ['messages', 'actor', 'action', 'before'].map((name) => [name, query.get(name) ?? '']),
  );
  const { data, error, again } = useData(
    caller === undefined ? '' : `admin ${admin} ${JSON.stringify(filters)}`,
    (signal) => load(admin, filters, signal),
  );
  const kept = useRef<typeof data>();
  if (data) kept.current = data;
  const shown = data ?? (error ? undefined : kept.current);
  useRunEvents(again);
  return (
    <div class="page">
      <div class="page-head">
        <h1>Admin</h1>
      </div>
      {error ? <ErrorBox error={error} again={again} /> : null}
      {!shown && !error ? <Loading lines={14} /> : null}
      {shown ? (
        <>
          <Held runs={shown.all.runs} changed={again} />
          <Repositories repositories={shown.all.repositories} changed={again} />
        </>
      ) : null}
      {shown?.more ? (
        <>
          <Tokens tokens={shown.more.tokens} own={caller?.name ?? ''} changed={again} />
          <Outbox messages={shown.more.messages} changed={again} />
          <Deliveries deliveries={shown.more.deliveries} changed={again} />
          <AuditLog entries={shown.more.actions} next={shown.more.next} />
        </>
      ) : null}
      {shown && !shown.more ? (
        <Empty title="Administrators see more here">
          <p class="dim">Log in with a token of role admin to see tokens, notifications, webhooks and the audit log.</p>
        </Empty>
      ) : null}
    </div>
  );
}
