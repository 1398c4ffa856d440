// SPDX-License-Identifier: Apache-2.0
// Loading for components: the last answer stays on the screen while the next one is fetched, so nothing jumps.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './api';
import type { RunEvent } from './wire';

export type { RunEvent } from './wire';

export interface Loaded<T> {
  data: T | undefined;
  error: ApiError | undefined;
  /** Fetch again, keeping what is shown. */
  again: () => void;
}

/** Fetches whenever `key` changes; an empty key fetches nothing. */
export function useData<T>(key: string, fetcher: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, set] = useState<{ key: string; data?: T; error?: ApiError }>({ key: '' });
  const [round, next] = useState(0);
  const latest = useRef(fetcher);
  latest.current = fetcher;
  useEffect(() => {
    if (!key) return undefined;
    const abort = new AbortController();
    latest.current(abort.signal).then(
      (data) => set({ key, data }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        set((old) => ({ key, data: old.key === key ? old.data : undefined, error }));
      },
    );
    return () => abort.abort();
  }, [key, round]);
  const again = useCallback(() => next((n) => n + 1), []);
  const current = state.key === key;
  return { data: current ? state.data : undefined, error: current ? state.error : undefined, again };
}

/** Server-sent events about runs. The browser reconnects by itself; `live` says whether the stream stands. */
export function useRunEvents(listener: (event: RunEvent) => void, repository = ''): boolean {
  const [live, setLive] = useState(false);
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const query = repository ? '?repository=' + encodeURIComponent(repository) : '';
    const source = new EventSource('/api/v1/events' + query);
    source.onopen = () => setLive(true);
    source.onerror = () => setLive(false);
    source.addEventListener('run', (event) =>
      latest.current(JSON.parse((event as MessageEvent<string>).data) as RunEvent),
    );
    return () => source.close();
  }, [repository]);
  return live;
}

/** Rows drawn at once and in each later step: more than a screen, and few enough that clicks are handled in between. */
const ROWS_DRAWN = 60;

/** How many of `count` rows to draw by now. */
export function useGrowing(count: number): number {
  const [drawn, draw] = useState(ROWS_DRAWN);
  useEffect(() => {
    if (drawn >= count) return undefined;
    const timer = setTimeout(() => draw(drawn + ROWS_DRAWN));
    return () => clearTimeout(timer);
  }, [drawn, count]);
  return drawn;
}

/** The time, looked at again every `every_ms`: for ages and for what is left. */
export function useNow(every_ms = 30000): number {
  const [now, set] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), every_ms);
    return () => clearInterval(timer);
  }, [every_ms]);
  return now;
}
