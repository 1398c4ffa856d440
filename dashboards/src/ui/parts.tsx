// SPDX-License-Identifier: Apache-2.0
// Small parts that every page uses.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../lib/api';
import { useNow } from '../lib/data';
import { formatAge, formatExact, formatTime, shortHash } from '../lib/format';
import { Link } from '../lib/router';
import { askToLogIn } from '../lib/session';
import { lookOf, type Tone } from '../lib/verdict';

/** A verdict, conclusion or state: colour, glyph and word. */
export function Badge({ name, note }: { name: string; note?: string }) {
  const look = lookOf(name);
  return (
    <span class={`badge tone-${look.tone}`}>
      <span aria-hidden="true" class="glyph">
        {look.glyph}
      </span>
      <span class="badge-word">{look.word}</span>
      {note ? <span class="badge-note">{note}</span> : null}
    </span>
  );
}

/** Only the glyph, with its word for whoever cannot see it. */
export function Dot({ name }: { name: string }) {
  const look = lookOf(name);
  return (
    <span class={`dot tone-${look.tone}`} role="img" aria-label={look.word} title={look.word}>
      {look.glyph}
    </span>
  );
}

/** A name with slashes, which may break after each of them. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split('/');
  return <span>{parts.map((part, i) => (i < parts.length - 1 ? [part, '/', <wbr />] : part))}</span>;
}

/** Local time; the exact one on hover. `age` says how long ago instead. */
export function Time({ at, age = false }: { at: string | null | undefined; age?: boolean }) {
  const now = useNow();
  if (!at) return <span class="dim">–</span>;
  return (
    <time dateTime={at} title={formatExact(at)}>
      {age ? formatAge(at, now) : formatTime(at, now)}
    </time>
  );
}

/** Copies, and says so for a moment. */
function useCopy(text: string): [boolean, () => void] {
  const [copied, set] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      set(true);
      setTimeout(() => set(false), 1600);
    } catch {
      set(false);
    }
  };
  return [copied, () => void copy()];
}

/** A commit's: leads to its runs, with a button that copies the whole of it. `plain` where a link stands around it, or
    where it names no commit. */
export function Hash({ value, plain = false }: { value: string; plain?: boolean }) {
  const [copied, copy] = useCopy(value);
  if (!value) return <span class="dim">–</span>;
  const text = (
    <code class="hash" title={value}>
      {shortHash(value)}
    </code>
  );
  if (plain) return text;
  return (
    <span class="hash-group">
      <Link to={`/runs?commit=${value}`}>{text}</Link>
      <button type="button" class="copy-hash" onClick={copy} aria-label={`Copy ${shortHash(value)}`} title="Copy">
        {copied ? (
          '✓'
        ) : (
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" fill="none" stroke="currentColor">
            <rect x="3.5" y="3.5" width="7" height="7" rx="1.5" />
            <path d="M1.5 8.5v-6a1 1 0 0 1 1-1h6" />
          </svg>
        )}
      </button>
    </span>
  );
}

/** A command to take along. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [copied, copy] = useCopy(text);
  return (
    <div class="copyable">
      <code tabIndex={0}>{text}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={`Copy: ${label}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function ErrorBox({ error, again }: { error: ApiError; again?: () => void }) {
  const { title, detail, fix, where, status } = error.problem;
  if (status === 401)
    return (
      <div role="alert">
        <Empty title="Log in to go on">
          <p class="dim">
            This needs a token: an administrator makes you one with <code>kernelgate token create</code>.
          </p>
          <button type="button" class="primary" onClick={askToLogIn}>
            Log in
          </button>
        </Empty>
      </div>
    );
  return (
    <div class="error-box" role="alert">
      <p class="empty-title">
        {title}
        {status ? ` (${status})` : ''}
      </p>
      <p>{detail}</p>
      {fix ? <p class="dim">What to do: {fix}</p> : null}
      {where ? <p class="dim">At: {where}</p> : null}
      {again ? (
        <button type="button" onClick={again}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** Holds the place of what is being fetched; says so only when it takes longer than a moment. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} class="loading-line" />
      ))}
    </div>
  );
}

interface SectionProps {
  title: string;
  id?: string;
  note?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ title, id, note, children }: SectionProps) {
  return (
    <section class="section" id={id} aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {note ? <div class="section-note">{note}</div> : null}
      </header>
      {children}
    </section>
  );
}

export function Facts({ rows }: { rows: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Notice({ tone = 'unsure', children }: { tone?: Tone; children: ComponentChildren }) {
  return <p class={`notice tone-${tone}`}>{children}</p>;
}

/** A modal question in the browser's own dialog: Escape closes it, focus returns to where it came from. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={close}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** To the page of a list after this one, and back to its newest; `older` is the page shown, '' the newest. */
export function Pages({
  older,
  next,
  go,
}: {
  older: string;
  next: string | number | null | undefined;
  go: (older: string) => void;
}) {
  return (
    <div class="actions">
      {older ? (
        <button type="button" onClick={() => go('')}>
          Newest
        </button>
      ) : null}
      {next ? (
        <button type="button" onClick={() => go(String(next))}>
          Older
        </button>
      ) : null}
    </div>
  );
}
