// SPDX-License-Identifier: Apache-2.0
// The command palette (Ctrl-K): goes to a page, a run, a benchmark's history or a repository by a few letters of it.
import { useMemo, useState } from 'preact/hooks';
import { getAll, getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { goalsOf, type Goal } from '../lib/goals';
import { navigate } from '../lib/router';
import type { BenchmarkName, Run } from '../lib/wire';
import { pages } from '../routes';
import { useRepositories } from './choose';
import { Dialog } from './parts';

const SHOWN_MAX = 12;

function useGoals(text: string): Goal[] {
  const { all } = useRepositories();
  const names = all.map((one) => one.name);
  const key = names.length > 0 ? `palette ${names.join()}` : '';
  const { data } = useData(key, async (signal) => {
    const [runs, ...benchmarks] = await Promise.all([
      getJson<{ runs: Run[] }>(url('/api/v1/runs', { limit: 100 }), signal),
      ...names
        .slice(0, 4)
        .map((repository) => getAll<BenchmarkName>('/api/v1/benchmarks', 'benchmarks', { repository }, signal, 2)),
    ]);
    return {
      runs: runs.runs,
      benchmarks: benchmarks.flatMap((rows, i) => rows.map((row) => ({ ...row, repository: names[i]! }))),
    };
  });
  return useMemo(
    () => goalsOf(text, { pages, repositories: names, runs: data?.runs ?? [], benchmarks: data?.benchmarks ?? [] }),
    [text, data, key],
  );
}

export function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const goals = useGoals(text).slice(0, SHOWN_MAX);
  const chosen = Math.min(at, goals.length - 1);
  const go = (to: string) => {
    close();
    navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(goals.length - 1, chosen + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
    else if (event.key === 'Enter' && goals[chosen]) go(goals[chosen].to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" close={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Page, run, commit, benchmark or repository"
        aria-controls="palette-goals"
        aria-expanded={goals.length > 0}
        aria-activedescendant={goals[chosen] ? `goal-${chosen}` : undefined}
        placeholder="Page, run, commit, benchmark or repository"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="goals" id="palette-goals" role="listbox" aria-label="Matches">
        {goals.map((goal, i) => (
          <li
            key={goal.to + goal.kind}
            id={`goal-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => go(goal.to)}
          >
            <span>{goal.name}</span> <span class="dim">{goal.kind}</span>
          </li>
        ))}
      </ul>
      {goals.length === 0 ? <p class="dim">Nothing matches.</p> : null}
    </Dialog>
  );
}
