// SPDX-License-Identifier: Apache-2.0
// An action: confirmed in a dialog that asks for what it needs, done through the API under the caller's role and logged
// there. Actions that the role does not allow are not shown.
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

export interface Action {
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

function Question({ action, close, done }: { action: Action; close: () => void; done: (to?: string) => void }) {
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
      done((await action.run(Object.fromEntries(given) as Values)) || undefined);
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      setError(problem);
      setBusy(false);
      // The login may have ended.
      if (problem.problem.status === 401 || problem.problem.status === 403) void refreshSession();
    }
  };
  return (
    <Dialog title={action.title ?? action.label} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{action.explain}</p>
        {action.command ? <Copyable label="the command to run first" text={action.command} /> : null}
        {action.fields?.map((field) => (
          <FieldInput key={field.name} field={field} />
        ))}
        {error ? <ErrorBox error={error} /> : null}
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            Back
          </button>
          <button type="submit" class="primary" disabled={busy}>
            {action.label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** A button for each of the actions that the caller's role allows. */
export function Actions({ actions, changed }: { actions: Action[]; changed: () => void }) {
  const caller = useCaller();
  const [asked, ask] = useState<Action>();
  const done = (to?: string) => {
    ask(undefined);
    if (to) navigate(to);
    else changed();
  };
  return (
    <div class="actions">
      {actions
        .filter((action) => may(caller, action.role))
        .map((action) => (
          <button key={action.label} type="button" aria-haspopup="dialog" onClick={() => ask(action)}>
            {action.button ?? action.label}
          </button>
        ))}
      {asked ? <Question action={asked} close={() => ask(undefined)} done={done} /> : null}
    </div>
  );
}
