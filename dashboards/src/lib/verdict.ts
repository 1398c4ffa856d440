// SPDX-License-Identifier: Apache-2.0
// How verdicts and conclusions look. Colour never speaks alone: each has a glyph and its word. What is undecided is
// neither good nor bad.
import type { Run, VerdictCount } from './types';

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
  range: { tone: 'unsure', glyph: '↔', word: 'several suspects' },
  unconfirmed: { tone: 'unsure', glyph: '?', word: 'not confirmed' },
  no_difference: { tone: 'calm', glyph: '=', word: 'no difference' },
  unusable_end: { tone: 'unsure', glyph: '!', word: 'endpoint not measurable' },
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

/** The place of a verdict in the order in which the server lists them; what is not listed comes last. */
export function rankIn(verdicts: readonly VerdictCount[], verdict: string): number {
  const at = verdicts.findIndex((one) => one.verdict === verdict);
  return at < 0 ? verdicts.length : at;
}

export function isFailure(verdicts: readonly VerdictCount[], verdict: string): boolean {
  return verdicts.some((one) => one.verdict === verdict && one.failure);
}

export const stages = ['queued', 'claimed', 'building', 'checking', 'measuring', 'deciding', 'done'];

/** How far a run is on its way, 0 to 1. */
export function stageOf(run: Pick<Run, 'state'>): number {
  return Math.max(0, stages.indexOf(run.state)) / (stages.length - 1);
}
