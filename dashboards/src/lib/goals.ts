// SPDX-License-Identifier: Apache-2.0
// What the command palette can go to. Pure; goals_test.ts holds it.
import { url } from './api';
import { hasWords } from './group';

export interface Goal {
  kind: string;
  name: string;
  to: string;
}

export interface Known {
  pages: { pattern: string; nav?: { label: string } }[];
  repositories: string[];
  runs: { id: number; subject: string; commit: string }[];
  benchmarks: { repository: string; suite: string; benchmark: string }[];
}

/** Those that have every word of `text`, pages first; what names a run or a commit exactly leads. */
export function goalsOf(text: string, known: Known): Goal[] {
  const asked = text.trim();
  const exact: Goal[] = [];
  const number = /^#?(\d{1,12})$/.exec(asked)?.[1];
  if (number) exact.push({ kind: 'run', name: `Run #${number}`, to: `/runs/${number}` });
  if (/^(?=.*[0-9])[0-9a-f]{7,64}$/.test(asked))
    exact.push({ kind: 'commit', name: `Runs of commit ${asked.slice(0, 10)}`, to: url('/runs', { commit: asked }) });
  const all: Goal[] = [
    ...known.pages.flatMap((page) => (page.nav ? [{ kind: 'page', name: page.nav.label, to: page.pattern }] : [])),
    ...known.repositories.map((name) => ({ kind: 'repository', name, to: url('/runs', { repository: name }) })),
    ...known.benchmarks.map(({ repository, suite, benchmark }) => ({
      kind: `benchmark of ${repository}`,
      name: `${suite}/${benchmark}`,
      to: url('/history', { repository, b: `${suite}/${benchmark}` }),
    })),
    ...known.runs.map((run) => ({ kind: 'run', name: `#${run.id} ${run.subject}`, to: `/runs/${run.id}` })),
  ];
  return [...exact, ...all.filter((goal) => hasWords(`${goal.name} ${goal.kind}`, asked))];
}
