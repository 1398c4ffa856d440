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

/** Who asks; nobody where the server wants a token and none was given; undefined until the server said. */
export function useCaller(): Caller | null | undefined {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    if (!asked) {
      asked = true;
      void refreshSession();
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
