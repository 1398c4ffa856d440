// SPDX-License-Identifier: Apache-2.0
// Baselines and accepted regressions, with the acts on them: promote, accept, take back. Each act asks for its reason,
// is confirmed, and stands in the log of acts.
import { useState } from 'preact/hooks';
import { ApiError, getAll, post } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatNs, plural } from '../lib/format';
import { Link, useQuery } from '../lib/router';
import type { Acknowledgement, Baseline } from '../lib/types_stored';
import { RepositoryChoice, useRepository } from '../ui/choose';
import { Dialog, Empty, ErrorBox, Hash, Loading, Section, Time } from '../ui/parts';
import { Table, type Column } from '../ui/table';

type Act = { kind: 'promote' } | { kind: 'accept' } | { kind: 'take back'; row: Acknowledgement };

const baselineColumns: Column<Baseline>[] = [
  { name: 'Baseline', lead: true, cell: (row) => <strong>{row.anchor ? '⚓ ' : ''}{row.name}</strong> },
  { name: 'State', cell: (row) => (row.replaced_at ? <span class="dim">replaced <Time at={row.replaced_at} age /></span> : 'present') },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run}</Link> },
  { name: 'Commit', cell: (row) => <Hash value={row.commit} /> },
  { name: 'Epoch', numeric: true, cell: (row) => `#${row.epoch}` },
  { name: 'Sessions', numeric: true, cell: (row) => row.sessions },
  { name: 'By', cell: (row) => row.who },
  { name: 'Reason', cell: (row) => row.reason },
  { name: 'Promoted', cell: (row) => <Time at={row.promoted_at} /> },
];

function stateOf(row: Acknowledgement) {
  if (row.taken_back_at) return <span class="dim">taken back by {row.taken_back_by}: {row.taken_back_reason}</span>;
  if (!row.expires_at) return <>until it is taken back</>;
  return new Date(row.expires_at).getTime() < Date.now() ? <span class="dim">expired</span> : <>until <Time at={row.expires_at} /></>;
}

const acceptedColumns = (takeBack: (row: Acknowledgement) => void): Column<Acknowledgement>[] => [
  { name: 'Benchmarks', lead: true, cell: (row) => <><code>{row.match}</code> <span class="dim">{plural(row.benchmarks.length, 'benchmark')}</span></> },
  {
    name: 'Largest', numeric: true,
    cell: (row) => {
      const worst = [...row.benchmarks].sort((a, b) => b.ratio - a.ratio)[0];
      return worst ? <span title={`${worst.benchmark}, ${formatNs(worst.head_median_ns)}`}>{formatChange(worst.ratio)}</span> : '–';
    },
  },
  { name: 'Run', cell: (row) => <Link to={`/runs/${row.run}`}>#{row.run}</Link> },
  { name: 'By', cell: (row) => row.who },
  { name: 'Reason', cell: (row) => row.reason },
  { name: 'Accepted', cell: (row) => <Time at={row.accepted_at} /> },
  { name: 'Holds', cell: stateOf },
  { name: 'Act', cell: (row) => (row.taken_back_at ? null : <button type="button" onClick={() => takeBack(row)}>Take back</button>) },
];

interface FormProps {
  act: Act;
  repository: string;
  close: () => void;
  done: () => void;
}

const titles = { promote: 'Promote a run to a baseline', accept: 'Accept regressions of a run', 'take back': 'Take the acceptance back' };

function send(act: Act, repository: string, form: FormData): Promise<unknown> {
  const text = (name: string) => String(form.get(name) ?? '');
  const common = { repository, reason: text('reason') };
  if (act.kind === 'take back') return post(`/api/v1/acknowledgements/${act.row.id}/take-back`, common);
  const run = Number(text('run'));
  if (act.kind === 'promote') return post('/api/v1/baselines', { ...common, run, name: text('name'), anchor: form.has('anchor') });
  const days = Number(text('days'));
  return post('/api/v1/acknowledgements', { ...common, run, match: text('match'), ...(days > 0 ? { expires_in_days: days } : {}) });
}

function ActForm({ act, repository, close, done }: FormProps) {
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send(act, repository, new FormData(event.currentTarget as HTMLFormElement));
      done();
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog title={titles[act.kind]} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        {act.kind === 'take back' ? <p><code>{act.row.match}</code> of run #{act.row.run} counts as a regression again.</p> : null}
        {act.kind !== 'take back' ? <label>Run<input name="run" inputMode="numeric" pattern="[0-9]+" required /></label> : null}
        {act.kind === 'promote' ? (
          <>
            <label>Name<input name="name" required maxLength={100} placeholder="release-1.2" /></label>
            <label class="check"><span><input type="checkbox" name="anchor" /> Anchor: history is held against it for good</span></label>
          </>
        ) : null}
        {act.kind === 'accept' ? (
          <>
            <label>Benchmarks, a regular expression<input name="match" required placeholder="^gemm/bf16" /></label>
            <label>Days until it ends; empty: never<input name="days" inputMode="numeric" pattern="[0-9]*" /></label>
          </>
        ) : null}
        <label>Reason<textarea name="reason" required maxLength={2000} /></label>
        {error ? <ErrorBox error={error} /> : null}
        <div class="dialog-acts">
          <button type="button" onClick={close}>Leave it</button>
          <button class="primary" disabled={busy}>{act.kind === 'promote' ? 'Promote' : act.kind === 'accept' ? 'Accept' : 'Take back'}</button>
        </div>
      </form>
    </Dialog>
  );
}

export default function BaselinesPage() {
  const repository = useRepository();
  const [old, setOld] = useQuery('replaced');
  const [act, setAct] = useState<Act>();
  const query = { repository: repository.name };
  const baselines = useData(repository.name && `baselines ${repository.name}`, (signal) => getAll<Baseline>('/api/v1/baselines', 'baselines', query, signal, 4));
  const accepted = useData(repository.name && `accepted ${repository.name}`, (signal) => getAll<Acknowledgement>('/api/v1/acknowledgements', 'acknowledgements', query, signal, 4));
  const shown = baselines.data?.filter((one) => old || one.replaced_at === null) ?? [];
  const replaced = (baselines.data?.length ?? 0) - (baselines.data?.filter((one) => one.replaced_at === null).length ?? 0);
  const done = () => {
    setAct(undefined);
    baselines.again();
    accepted.again();
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>Baselines</h1>
        <div class="acts">
          <button type="button" onClick={() => setAct({ kind: 'promote' })}>Promote a run…</button>
          <button type="button" onClick={() => setAct({ kind: 'accept' })}>Accept regressions…</button>
        </div>
      </div>
      <div class="filters">
        <RepositoryChoice chosen={repository} />
        {replaced > 0 ? <button type="button" class="chip" aria-pressed={old !== ''} onClick={() => setOld(old ? '' : 'shown')}>{plural(replaced, 'replaced one')}</button> : null}
      </div>
      <Section title="Promoted runs" note="what later commits are held against">
        {baselines.error ? <ErrorBox error={baselines.error} again={baselines.again} /> : null}
        {!baselines.data && !baselines.error ? <Loading lines={4} /> : null}
        {baselines.data && shown.length === 0 ? <Empty title="No baseline yet."><p class="dim">Promote the run of a release, and each later commit is held against it.</p></Empty> : null}
        {shown.length > 0 ? <Table caption="Baselines" columns={baselineColumns} rows={shown} keyOf={(row) => row.id} /> : null}
      </Section>
      <Section title="Accepted regressions" note="known, with a reason; they do not fail a run">
        {accepted.error ? <ErrorBox error={accepted.error} again={accepted.again} /> : null}
        {!accepted.data && !accepted.error ? <Loading lines={4} /> : null}
        {accepted.data?.length === 0 ? <Empty title="Nobody has accepted a regression."><p class="dim">Where slower is right, say why here, and it no longer fails runs.</p></Empty> : null}
        {accepted.data && accepted.data.length > 0 ? <Table caption="Accepted regressions" columns={acceptedColumns((row) => setAct({ kind: 'take back', row }))} rows={accepted.data} keyOf={(row) => row.id} /> : null}
      </Section>
      {act ? <ActForm act={act} repository={repository.name} close={() => setAct(undefined)} done={done} /> : null}
    </div>
  );
}
