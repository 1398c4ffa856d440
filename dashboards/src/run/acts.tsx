// SPDX-License-Identifier: Apache-2.0
// What a person may do with a run: asked back first, done through the API under the caller's role, and logged there.
import { useState } from 'preact/hooks';
import { ApiError, post } from '../lib/api';
import { navigate } from '../lib/router';
import { may, useCaller } from '../lib/session';
import type { Run } from '../lib/types';
import { isFinished } from '../lib/verdict';
import { Dialog } from '../ui/parts';

interface Field {
  name: string;
  label: string;
  value: string;
  type?: 'text' | 'number';
  optional?: boolean;
}

interface Act {
  label: string;
  role: 'trigger' | 'admin';
  explain: string;
  fields: Field[];
  fits: (run: Run) => boolean;
  run: (run: Run, values: Record<string, string>) => Promise<string | void>;
}

const acts: Act[] = [
  {
    label: 'Retry', role: 'trigger', fields: [], explain: 'Measures this commit again, as a new run. This one stays as it is.',
    fits: isFinished,
    run: async (run) => `/runs/${(await post<Run>(`/api/v1/runs/${run.id}/retry`)).id}`,
  },
  {
    label: 'Cancel', role: 'trigger', fields: [], explain: 'Ends the run without a conclusion. A retry measures the commit again.',
    fits: (run) => !isFinished(run),
    run: async (run) => void (await post(`/api/v1/runs/${run.id}/cancel`)),
  },
  {
    label: 'Accept the regression', role: 'admin',
    explain: 'The benchmarks that regressed here no longer fail later runs at this level. It can be taken back.',
    fields: [
      { name: 'match', label: 'Benchmarks (regular expression)', value: '.*' },
      { name: 'reason', label: 'Why', value: '' },
      { name: 'expires_in_days', label: 'For how many days (empty: until taken back)', value: '', type: 'number', optional: true },
    ],
    fits: (run) => run.conclusion === 'regressed',
    run: async (run, { match, reason, expires_in_days }) => void (await post('/api/v1/acknowledgements', {
      repository: run.repository, run: run.id, match, reason, ...(expires_in_days ? { expires_in_days: Number(expires_in_days) } : {}),
    })),
  },
  {
    label: 'Promote', role: 'admin', explain: "Makes this run's times the stored baseline of that name.",
    fields: [{ name: 'name', label: 'Name of the baseline', value: 'main' }, { name: 'reason', label: 'Why', value: '' }],
    fits: (run) => run.conclusion === 'passed' && !run.reused_from,
    run: async (run, { name, reason }) => void (await post('/api/v1/baselines', { repository: run.repository, run: run.id, name, reason, anchor: false })),
  },
];

function Question({ act, run, close, done }: { act: Act; run: Run; close: () => void; done: (to?: string) => void }) {
  const [values, setValues] = useState(() => Object.fromEntries(act.fields.map((field) => [field.name, field.value])));
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      done((await act.run(run, values)) || undefined);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFault([error.problem.detail, error.problem.fix].filter(Boolean).join(': '));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`${act.label}: run ${run.id}`} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{act.explain}</p>
        {act.fields.map((field) => (
          <label key={field.name}>{field.label}
            <input type={field.type ?? 'text'} min="1" required={!field.optional} value={values[field.name]}
              onInput={(event) => setValues({ ...values, [field.name]: event.currentTarget.value })} />
          </label>
        ))}
        {fault ? <p class="notice tone-broken" role="alert">{fault}</p> : null}
        <div class="dialog-acts">
          <button type="button" onClick={close}>Back</button>
          <button type="submit" class="primary" disabled={busy}>{act.label}</button>
        </div>
      </form>
    </Dialog>
  );
}

export function Acts({ run, changed }: { run: Run; changed: () => void }) {
  const caller = useCaller();
  const [asked, ask] = useState<Act | null>(null);
  const fitting = acts.filter((act) => act.fits(run) && may(caller, act.role));
  const done = (to?: string) => {
    ask(null);
    if (to) navigate(to);
    else changed();
  };
  return (
    <div class="acts">
      {fitting.map((act) => <button key={act.label} type="button" onClick={() => ask(act)}>{act.label}</button>)}
      {asked ? <Question act={asked} run={run} close={() => ask(null)} done={done} /> : null}
    </div>
  );
}
