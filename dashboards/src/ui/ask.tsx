// SPDX-License-Identifier: Apache-2.0
// An act of a person: asked back in a dialog with what it needs to know, done through the API under the caller's role,
// and logged there. What the role does not allow is not shown.
import { useState } from 'preact/hooks';
import { ApiError } from '../lib/api';
import { navigate } from '../lib/router';
import { may, refreshSession, useCaller } from '../lib/session';
import { Copyable, Dialog, ErrorBox } from './parts';

export interface Field {
  name: string;
  label: string;
  value?: string;
  type?: 'text' | 'number' | 'area' | 'check';
  /** One of these. */
  options?: string[];
  optional?: boolean;
  hint?: string;
}

export type Values = Record<string, string>;

export interface Act {
  label: string;
  /** On the page, where it says more than the label. */
  button?: string;
  /** Of the dialog, where the label alone does not say to what it is done. */
  title?: string;
  role: 'trigger' | 'admin';
  explain: string;
  /** To be typed elsewhere first. */
  command?: string;
  fields?: Field[];
  /** Answers where to go then; without that the page is brought up to date. */
  run: (values: Values) => Promise<string | void>;
}

function FieldInput({ field }: { field: Field }) {
  const { name, label, value = '', type = 'text', options, optional, hint } = field;
  if (type === 'check')
    return (
      <label class="check">
        <span>
          <input type="checkbox" name={name} defaultChecked={value !== ''} /> {label}
        </span>
      </label>
    );
  if (options)
    return (
      <label>
        {label}
        <select name={name}>
          {options.map((one) => (
            <option key={one} selected={one === value}>
              {one}
            </option>
          ))}
        </select>
      </label>
    );
  const common = { name, required: !optional, placeholder: hint, defaultValue: value };
  return (
    <label>
      {label}
      {type === 'area' ? (
        <textarea {...common} />
      ) : (
        <input {...common} type={type} min={type === 'number' ? 1 : undefined} />
      )}
    </label>
  );
}

function Question({ act, close, done }: { act: Act; close: () => void; done: (to?: string) => void }) {
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget as HTMLFormElement)].map(([name, value]) => [
      name,
      String(value).trim(),
    ]);
    setBusy(true);
    try {
      done((await act.run(Object.fromEntries(given) as Values)) || undefined);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setError(problem);
      setBusy(false);
      if (problem.problem.status === 401 || problem.problem.status === 403) void refreshSession(); // the login may have ended
    }
  };
  return (
    <Dialog title={act.title ?? act.label} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{act.explain}</p>
        {act.command ? <Copyable label="what to type first" text={act.command} /> : null}
        {act.fields?.map((field) => (
          <FieldInput key={field.name} field={field} />
        ))}
        {error ? <ErrorBox error={error} /> : null}
        <div class="dialog-acts">
          <button type="button" onClick={close}>
            Back
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {act.label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A button for each of the acts that the caller's role allows. */
export function Acts({ acts, changed }: { acts: Act[]; changed: () => void }) {
  const caller = useCaller();
  const [asked, ask] = useState<Act>();
  const done = (to?: string) => {
    ask(undefined);
    if (to) navigate(to);
    else changed();
  };
  return (
    <div class="acts">
      {acts
        .filter((act) => may(caller, act.role))
        .map((act) => (
          <button key={act.label} type="button" aria-haspopup="dialog" onClick={() => ask(act)}>
            {act.button ?? act.label}
          </button>
        ))}
      {asked ? <Question act={asked} close={() => ask(undefined)} done={done} /> : null}
    </div>
  );
}
