// SPDX-License-Identifier: Apache-2.0
// Who is logged in. The token is given once and exchanged for a cookie that scripts cannot read; requests that change
// something carry the session's CSRF token.
import { useEffect, useState } from 'preact/hooks';
import { ApiError, getJson, post, setCsrfToken } from './api';
import type { Caller } from './wire';

export type { Caller } from './wire';

let caller: Caller | null | undefined;
let asked = false;
const listeners = new Set<() => void>();

function become(next: Caller | null): void {
  caller = next;
  setCsrfToken(next?.csrf_token ?? '');
  for (const listener of [...listeners]) listener();
}

export async function refreshSession(): Promise<void> {
  try {
    become(await getJson<Caller>('/api/v1/session'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    become(null);
  }
}

export async function logIn(token: string): Promise<void> {
  become(await post<Caller>('/api/v1/session', { token }));
}

export async function logOut(): Promise<void> {
  await post('/api/v1/session', undefined, 'DELETE');
  await refreshSession();
}

/** The token of a login link, "#token=kg_…": servers never see that part of an address. */
export function tokenOfLink(hash: string): string {
  return /^#token=(kg_[0-9a-f]{64})$/.exec(hash)?.[1] ?? '';
}

// Takes the token out of the address and its history before it is used. Who is logged in stays who they are: a link
// from somebody else must not make them another.
async function begin(): Promise<void> {
  const token = tokenOfLink(location.hash);
  if (token) history.replaceState(null, '', location.pathname + location.search);
  await refreshSession();
  if (!token || caller?.by === 'login') return;
  try {
    await logIn(token);
    location.reload();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Who asks; nobody where the server wants a token and none was given; undefined until the server said. */
export function useCaller(): Caller | null | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    if (!asked) {
      asked = true;
      void begin();
    }
    return () => void listeners.delete(listener);
  }, []);
  return caller;
}

let shown: (() => void) | undefined;

/** Opens the dialog to log in, which the frame of the page holds. */
export function askToLogIn(): void {
  shown?.();
}

/** `show` opens the dialog; answers how to take it out again. */
export function installLogin(show: () => void): () => void {
  shown = show;
  return () => (shown = undefined);
}

const includes: Record<string, string[]> = {
  admin: ['admin', 'trigger', 'read'],
  trigger: ['trigger', 'read'],
  read: ['read'],
};

/** Whether the caller may do what asks for `role`. The server decides; this only hides what it would refuse. */
export function may(who: Caller | null | undefined, role: 'read' | 'trigger' | 'admin'): boolean {
  return !!who && (includes[who.role] ?? ['read']).includes(role);
}
