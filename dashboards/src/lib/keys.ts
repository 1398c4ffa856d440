// SPDX-License-Identifier: Apache-2.0
// Keys: / searches, j and k walk over rows, Enter opens, ? explains, g then a letter goes to a page.
import { navigate } from './router';

export interface KeyHelp {
  keys: string;
  what: string;
}

export const keyHelp: KeyHelp[] = [
  { keys: 'Ctrl K', what: 'Go to a page, run, commit, benchmark or repository' },
  { keys: '/', what: 'Search or filter this page' },
  { keys: 'j  k', what: 'Next and previous row' },
  { keys: 'Enter', what: 'Open the row' },
  { keys: 'Esc', what: 'Leave the search, close a dialog' },
  { keys: '?', what: 'Show keyboard shortcuts' },
];

function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element && (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) || element.isContentEditable);
}

function focusable(row: Element): HTMLElement | null {
  return row.matches('a, button') ? (row as HTMLElement) : row.querySelector<HTMLElement>('a, button');
}

function walk(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('[data-row]')].filter(
    (row) => row.getClientRects().length > 0 && focusable(row),
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))];
  const target = next && focusable(next);
  target?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

export interface Shows {
  help: () => void;
  palette: () => void;
}

/** Installs the keys; `goes` maps the letter after g to a path. Answers how to take them out again. */
export function installKeys(goes: Record<string, string>, shows: Shows): () => void {
  let afterG = 0;
  const listener = (event: KeyboardEvent) => {
    if (
      (event.ctrlKey || event.metaKey) &&
      event.key.toLowerCase() === 'k' &&
      !document.querySelector('dialog[open]')
    ) {
      event.preventDefault();
      shows.palette();
      return;
    }
    if (event.key === 'Escape' && isTyping(event.target)) (event.target as HTMLElement).blur();
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event.target) ||
      document.querySelector('dialog[open]')
    )
      return;
    const path = Date.now() - afterG < 1200 ? goes[event.key] : undefined;
    afterG = event.key === 'g' ? Date.now() : 0;
    if (path) navigate(path);
    else if (event.key === 'j') walk(1);
    else if (event.key === 'k') walk(-1);
    else if (event.key === '/')
      (
        document.querySelector<HTMLElement>('[data-search]') ??
        document.querySelector<HTMLElement>('.filters input, .filters select')
      )?.focus();
    else if (event.key === '?') shows.help();
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}
