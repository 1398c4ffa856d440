// SPDX-License-Identifier: Apache-2.0
// A run in one sentence. Pure; run_test.ts holds it.
import { formatChange, formatInterval, plural } from './format';
import type { Comparison, Run } from './types';
import { brokenVerdicts, isFinished, lookOf } from './verdict';

const distance = (one: Comparison) => Math.abs(Math.log(one.ratio ?? 1));

function furthest(rows: readonly Comparison[]): Comparison | undefined {
  return [...rows].sort((a, b) => distance(b) - distance(a))[0];
}

function sized(one: Comparison): string {
  const interval = one.ratio_low !== null ? ` (${formatInterval(one.ratio_low, one.ratio_high)})` : '';
  return `${one.benchmark} by ${formatChange(one.ratio)}${interval}`;
}

function regressedSentence(rows: readonly Comparison[], slower: readonly Comparison[]): string {
  const worst = furthest(slower);
  const count = `${slower.length} of ${plural(rows.length, 'benchmark')} got slower`;
  return worst ? `${count}; most of all ${sized(worst)}.` : `${count}.`;
}

function passedSentence(rows: readonly Comparison[], run: Run): string {
  if (rows.length === 0) return run.summary || 'Nothing had to be measured.';
  const faster = rows.filter((one) => one.verdict === 'improved');
  const slower = rows.filter((one) => one.verdict === 'regressed');
  const best = furthest(faster);
  const parts = [
    slower.length > 0
      ? `Passed, with ${plural(slower.length, 'benchmark')} a little slower, as the policy lets through`
      : `No slowdown in ${plural(rows.length, 'benchmark')}`,
  ];
  if (best) parts.push(`${faster.length} got faster, most of all ${sized(best)}`);
  return parts.join('; ') + '.';
}

function brokenSentence(broken: readonly Comparison[]): string {
  const named = broken
    .slice(0, 3)
    .map((one) => `${one.benchmark} (${lookOf(one.verdict).word})`)
    .join(', ');
  const more = broken.length > 3 ? ` and ${broken.length - 3} more` : '';
  return `${plural(broken.length, 'kernel does', 'kernels do')} not work: ${named}${more}.`;
}

/** "3 of 34 benchmarks got slower; most of all gemm/64 by +6.20 % (+5.90 % to +6.50 %)." */
export function concludeRun(run: Run): string {
  const rows = run.comparisons;
  if (run.state === 'held') return 'A run of a fork: nothing of it is built or measured until somebody approves it.';
  if (!isFinished(run))
    return run.progress ? `${lookOf(run.state).word}: ${run.progress}.` : `The run is ${lookOf(run.state).word}.`;
  switch (run.conclusion) {
    case 'regressed':
      return regressedSentence(
        rows,
        rows.filter((one) => one.verdict === 'regressed'),
      );
    case 'passed':
      return passedSentence(rows, run);
    case 'broken':
      return brokenSentence(rows.filter((one) => brokenVerdicts.includes(one.verdict)));
    case 'build_failed':
      return 'Head does not build.';
    case 'undecided': {
      const open = rows.filter((one) => one.verdict === 'undecided' || one.verdict === 'suspected').length;
      return `${open} of ${plural(rows.length, 'benchmark')} stayed undecided when the budget ended; no slowdown is proven.`;
    }
    case 'infrastructure':
      return `No verdict: ${run.reason || run.summary || 'the machine failed'}. This does not count against the commit.`;
    default:
      return run.state === 'cancelled' ? `Cancelled${run.reason ? `: ${run.reason}` : ''}.` : run.summary || run.reason;
  }
}

/** What the suite chose for both sides; nothing where it does not say. */
export function configurationOf({ base_configuration: base = '', head_configuration: head = '' }: Comparison): string {
  return base === head ? head : `${base || 'none'} → ${head || 'none'}`;
}
