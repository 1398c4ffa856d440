// SPDX-License-Identifier: Apache-2.0
// How verdicts and conclusions look. Colour never speaks alone: each has a glyph and its word. What is undecided is
// neither good nor bad.
import type { Comparison, Run } from './types';

export type Tone = 'good' | 'faster' | 'slower' | 'broken' | 'unsure' | 'calm' | 'busy';

interface Look {
  tone: Tone;
  glyph: string;
  word: string;
}

export const looks: Readonly<Record<string, Look>> = {
  passed: { tone: 'good', glyph: '✓', word: 'passed' },
  regressed: { tone: 'slower', glyph: '▲', word: 'regressed' },
  improved: { tone: 'faster', glyph: '▼', word: 'improved' },
  unchanged: { tone: 'calm', glyph: '=', word: 'unchanged' },
  identical: { tone: 'calm', glyph: '≡', word: 'identical' },
  undecided: { tone: 'unsure', glyph: '?', word: 'undecided' },
  suspected: { tone: 'unsure', glyph: '△', word: 'suspected' },
  broken: { tone: 'broken', glyph: '✕', word: 'broken' },
  crashed: { tone: 'broken', glyph: '✕', word: 'crashed' },
  timed_out: { tone: 'broken', glyph: '✕', word: 'timed out' },
  invalid: { tone: 'broken', glyph: '✕', word: 'invalid' },
  build_failed: { tone: 'broken', glyph: '✕', word: 'build failed' },
  infrastructure: { tone: 'unsure', glyph: '!', word: 'infrastructure' },
  missing: { tone: 'unsure', glyph: '−', word: 'missing' },
  added: { tone: 'calm', glyph: '+', word: 'added' },
  cancelled: { tone: 'calm', glyph: '⊘', word: 'cancelled' },
  aborted: { tone: 'unsure', glyph: '!', word: 'aborted' },
  queued: { tone: 'busy', glyph: '○', word: 'queued' },
  held: { tone: 'unsure', glyph: '‖', word: 'held' },
  culprit: { tone: 'slower', glyph: '◎', word: 'culprit found' },
  range: { tone: 'unsure', glyph: '↔', word: 'one of a few' },
  unconfirmed: { tone: 'unsure', glyph: '?', word: 'not confirmed' },
  no_difference: { tone: 'calm', glyph: '=', word: 'no difference' },
  unusable_end: { tone: 'unsure', glyph: '!', word: 'an end cannot be measured' },
  timed: { tone: 'calm', glyph: '◷', word: 'timed' },
  same: { tone: 'calm', glyph: '=', word: 'same' },
  failing: { tone: 'broken', glyph: '✕', word: 'failing' },
  unusable: { tone: 'unsure', glyph: '!', word: 'unusable' },
  trouble: { tone: 'unsure', glyph: '!', word: 'trouble' },
  pending: { tone: 'busy', glyph: '○', word: 'pending' },
  delivered: { tone: 'good', glyph: '✓', word: 'delivered' },
  obsolete: { tone: 'calm', glyph: '⊘', word: 'obsolete' },
  profiled: { tone: 'good', glyph: '✓', word: 'profiled' },
  no_profile: { tone: 'unsure', glyph: '!', word: 'no profile' },
  gave_up: { tone: 'broken', glyph: '✕', word: 'gave up' },
};

export function lookOf(name: string): Look {
  return looks[name] ?? { tone: 'busy', glyph: '●', word: name.replace(/_/g, ' ') };
}

/** What a run came to: its conclusion, or the state it is in. */
export function outcomeOf(run: { state: string; conclusion: string }): string {
  return run.conclusion || run.state;
}

export const finishedStates = ['done', 'aborted', 'cancelled'];

export function isFinished(run: { state: string }): boolean {
  return finishedStates.includes(run.state);
}

export const brokenVerdicts = ['broken', 'crashed', 'timed_out', 'invalid'];

const order = [
  'broken',
  'crashed',
  'timed_out',
  'invalid',
  'regressed',
  'suspected',
  'missing',
  'undecided',
  'improved',
  'added',
  'unchanged',
  'identical',
];

/** What needs a person comes first. */
export function rankOf(verdict: string): number {
  const at = order.indexOf(verdict);
  return at < 0 ? order.length : at;
}

/** Counts of a run's verdicts, in the order of rankOf. */
export function countVerdicts(comparisons: readonly Comparison[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const one of comparisons) counts.set(one.verdict, (counts.get(one.verdict) ?? 0) + 1);
  return [...counts].sort((a, b) => rankOf(a[0]) - rankOf(b[0]));
}

export const stages = ['queued', 'claimed', 'building', 'checking', 'measuring', 'deciding', 'done'];

/** How far a run is on its way, 0 to 1. */
export function stageOf(run: Pick<Run, 'state'>): number {
  return Math.max(0, stages.indexOf(run.state)) / (stages.length - 1);
}
