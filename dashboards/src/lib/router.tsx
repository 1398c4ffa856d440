// SPDX-License-Identifier: Apache-2.0
// Real URLs through the History API. A page reads its state from the query string and writes it back there, so that
// every view can be linked to and the browser's back button works.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface Place {
  path: string;
  query: URLSearchParams;
}

const listeners = new Set<() => void>();

export function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function announce(): void {
  for (const listener of [...listeners]) listener();
}

window.addEventListener('popstate', announce);

/** Goes to a path of this site. `replace` leaves no step for the back button. */
export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (to === location.pathname + location.search) return;
  history[options.replace ? 'replaceState' : 'pushState'](null, '', to);
  announce();
}

export function usePlace(): Place {
  const [place, set] = useState(here);
  useEffect(() => {
    const listener = () => set(here());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return place;
}

/** One value of the query string; the default is left out of the URL. Typing replaces, choosing makes a step. */
export function useQuery(name: string, fallback = ''): [string, (value: string, replace?: boolean) => void] {
  const value = usePlace().query.get(name) ?? fallback;
  const set = (next: string, replace = false) =>
    navigate(withQuery({ [name]: next === fallback ? '' : next }), { replace });
  return [value, set];
}

/** This path with some values of the query changed; an empty one is removed. */
export function withQuery(changes: Record<string, string>): string {
  const { path, query } = here();
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return path + (text ? '?' + text : '');
}

/** Parameters of "/runs/{id}" in a path, or nothing where it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.replace(/(.)\/+$/, '$1').split('/');
  if (wanted.length !== given.length) return null;
  const out: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const text = given[i]!;
    if (part.startsWith('{')) {
      try {
        out[part.slice(1, -1)] = decodeURIComponent(text);
      } catch {
        return null;
      }
    } else if (part !== text) {
      return null;
    }
  }
  return out;
}

interface LinkProps extends Omit<JSX.AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
  children: ComponentChildren;
}

export function Link({ to, children, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
