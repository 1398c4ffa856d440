// SPDX-License-Identifier: Apache-2.0
// What the server sends to forges and others, and the webhooks that it receives.
import { post } from '../lib/api';
import { Link, useQuery } from '../lib/router';
import { Actions, type Action } from '../ui/ask';
import { Badge, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';
import type { Delivery, Message } from './types';

const tryAgain = (row: Message): Action => ({
  label: 'Retry',
  title: `Retry notification ${row.id}`,
  role: 'admin',
  explain: `Sends the state of run ${row.run} to ${row.target} again.`,
  run: async () => void (await post(`/api/v1/outbox/${row.id}/retry`)),
});

const messageColumns = (changed: () => void): Column<Message>[] => [
  {
    name: 'Notification',
    lead: true,
    cell: (row) => (
      <>
        <Badge name={row.status} /> {row.target}
      </>
    ),
  },
  {
    name: 'Run',
    cell: (row) => (
      <Link to={`/runs/${row.run}`}>
        #{row.run} {row.phase}
      </Link>
    ),
  },
  { name: 'Attempts', numeric: true, cell: (row) => row.attempts },
  { name: 'Last error', cell: (row) => row.error || '–' },
  { name: 'Created', cell: (row) => <Time at={row.created_at} age /> },
  {
    name: 'Actions',
    role: 'admin',
    cell: (row) => (row.status === 'gave_up' ? <Actions actions={[tryAgain(row)]} changed={changed} /> : null),
  },
];

export function Outbox({ messages, changed }: { messages: Message[]; changed: () => void }) {
  const [status, setStatus] = useQuery('messages');
  return (
    <Section
      title="Notifications"
      id="outbox"
      note={
        <label>
          Status{' '}
          <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            {['', 'pending', 'delivered', 'obsolete', 'gave_up'].map((one) => (
              <option key={one} value={one}>
                {one ? one.replace('_', ' ') : 'any'}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {messages.length > 0 ? (
        <Table
          caption="Notifications, newest first"
          columns={messageColumns(changed)}
          rows={messages}
          keyOf={(row) => row.id}
        />
      ) : (
        <p class="dim">No notifications</p>
      )}
    </Section>
  );
}

const comeAgain = (row: Delivery): Action => ({
  label: 'Process again',
  title: `Process webhook ${row.id} again`,
  role: 'admin',
  explain: 'The refused webhook is processed as if it had just arrived. Fix the cause first.',
  run: async () => void (await post(`/api/v1/deliveries/${row.id}/retry`)),
});

const deliveryColumns = (changed: () => void): Column<Delivery>[] => [
  {
    name: 'Webhook',
    lead: true,
    cell: (row) => (
      <>
        <strong>
          {row.event}
          {row.action ? `.${row.action}` : ''}
        </strong>{' '}
        {row.outcome.replace('_', ' ')}
      </>
    ),
  },
  { name: 'Repository', cell: (row) => row.repository || '–' },
  { name: 'Sender', cell: (row) => row.sender || '–' },
  { name: 'Run', cell: (row) => (row.run ? <Link to={`/runs/${row.run}`}>#{row.run}</Link> : '–') },
  { name: 'Detail', cell: (row) => row.detail || '–' },
  { name: 'Deliveries', numeric: true, cell: (row) => row.seen },
  { name: 'Received', cell: (row) => <Time at={row.received_at} age /> },
  { name: 'Payload', cell: (row) => <a href={`/api/v1/deliveries/${row.id}/payload`}>JSON</a> },
  {
    name: 'Actions',
    role: 'admin',
    cell: (row) => (row.outcome === 'refused' ? <Actions actions={[comeAgain(row)]} changed={changed} /> : null),
  },
];

export function Deliveries({ deliveries, changed }: { deliveries: Delivery[]; changed: () => void }) {
  return (
    <Section title="Webhooks" note="received in the last 30 days" id="deliveries">
      {deliveries.length > 0 ? (
        <Table
          caption="Webhooks, newest first"
          columns={deliveryColumns(changed)}
          rows={deliveries}
          keyOf={(row) => row.id}
        />
      ) : (
        <p class="dim">No webhooks</p>
      )}
    </Section>
  );
}
