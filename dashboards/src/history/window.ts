// SPDX-License-Identifier: Apache-2.0
// The window of the chart and the other choices of the history page, kept in the URL.
import { useEffect, useRef } from 'preact/hooks';
import { shortHash } from '../lib/format';
import { here, navigate, usePlace } from '../lib/router';
import type { Model } from './model';

/** The window of the URL as positions, and a way to write one back without a step for the back button. */
export function useWindow(model: Model): [[number, number], (window: [number, number]) => void] {
  const query = usePlace().query;
  const asked = `${query.get('from') ?? ''}..${query.get('until') ?? ''}`;
  const own = useRef<{ asked: string; window: [number, number]; model?: Model }>({ asked: '', window: [0, 1] });
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const position = (hash: string, otherwise: number) => {
    const at = hash ? model.stops.findIndex((stop) => stop.commit.startsWith(hash)) : -1;
    return at < 0 ? otherwise : at;
  };
  if (model && (own.current.asked !== asked || own.current.model !== model)) {
    const [from, until] = asked.split('..') as [string, string];
    own.current = { asked, model, window: [position(from, 0), position(until, Math.max(1, model.count - 1))] };
  }
  const set = (window: [number, number]) => {
    own.current.window = window;
    clearTimeout(timer.current);
    timer.current =
      window === undefined
        ? 0
        : Number(
            setTimeout(() => {
              if (!model) return;
              const [first, last] = [
                Math.max(0, Math.ceil(window[0])),
                Math.min(model.count - 1, Math.floor(window[1])),
              ];
              const from = first <= 0 ? '' : shortHash(model.stops[first]!.commit);
              const until = last >= model.count - 1 ? '' : shortHash(model.stops[last]!.commit);
              own.current.asked = `${from}..${until}`;
              setQuery({ from: from ? [from] : [], until: until ? [until] : [] }, true);
            }, 250),
          );
  };
  return [own.current.window, set];
}

export function setQuery(changes: Record<string, string[]>, replace = false): void {
  const { path, query } = here();
  for (const [name, values] of Object.entries(changes)) {
    query.delete(name);
    for (const value of values) query.append(name, value);
  }
  const text = query.toString();
  navigate(path + (text ? '?' + text : ''), { replace });
}
