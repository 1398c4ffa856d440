// SPDX-License-Identifier: Apache-2.0
// Logging in with a token, and out again.
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../lib/api';
import { installLogin, logIn, logOut, useCaller } from '../lib/session';
import { Dialog } from './parts';

function LoginDialog({ close }: { close: () => void }) {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await logIn(token.trim());
      location.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFault(error.problem.detail ?? error.problem.title);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Log in" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="dim">
          Use a token of role read, trigger or admin. <code>kernelgate token create</code> creates one.
        </p>
        <label>
          Token
          <input
            type="password"
            autocomplete="current-password"
            required
            value={token}
            placeholder="kg_…"
            aria-describedby={fault ? 'login-error' : undefined}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        {fault ? (
          <p class="notice tone-broken" id="login-error" role="alert">
            {fault}
          </p>
        ) : null}
        <div class="dialog-actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={busy}>
            Log in
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Login() {
  const caller = useCaller();
  const [shown, show] = useState(false);
  useEffect(() => installLogin(() => show(true)), []);
  if (caller?.by === 'login')
    return (
      <div class="row">
        <span class="wide wrap" title={`Role ${caller.role}`}>
          {caller.name}
        </span>
        <button type="button" class="quiet" onClick={() => void logOut().then(() => location.reload())}>
          Log out
        </button>
      </div>
    );
  return (
    <>
      <button type="button" onClick={() => show(true)}>
        Log in
      </button>
      {shown ? <LoginDialog close={() => show(false)} /> : null}
    </>
  );
}
