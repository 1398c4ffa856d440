// SPDX-License-Identifier: Apache-2.0
// A sweep's points as matrices. Pure; sweep_test.ts holds it.
import type { Attempt } from './wire';

export type { Attempt, AttemptPage, TuningSweep } from './wire';

/** "B=64 WARPS=4" by name. */
export function valuesOf(point: string): Map<string, string> {
  return new Map(
    point
      .split(' ')
      .filter((part) => part.includes('='))
      .map((part) => {
        const at = part.indexOf('=');
        return [part.slice(0, at), part.slice(at + 1)];
      }),
  );
}

export interface Matrix {
  title: string; // what is the same in all of it
  row: string;
  column: string;
  rows: string[];
  columns: string[];
  cell: Map<string, Attempt>;
}

export const cellKey = (row: string, column: string) => `${row}\n${column}`;

const inOrder = (values: Iterable<string>) =>
  [...new Set(values)].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));

/** The points of one commit and suite: the two axes with the most values span a matrix, each choice of the others has
 * its own. */
export function matricesOf(points: readonly Attempt[]): Matrix[] {
  const groups = new Map<string, Attempt[]>();
  for (const one of points) {
    const key = `${one.commit} ${one.suite}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap(matricesOfSweep);
}

function matricesOfSweep(points: Attempt[]): Matrix[] {
  const values = points.map((one) => valuesOf(one.point));
  const names = [...new Set(values.flatMap((one) => [...one.keys()]))];
  const counts = names
    .map((name) => [name, new Set(values.map((one) => one.get(name))).size] as const)
    .sort((a, b) => b[1] - a[1]);
  const [column = '', row = ''] = counts.map(([name]) => name);
  const fixed = names.filter((name) => name !== column && name !== row);
  const out = new Map<string, Matrix>();
  for (const [i, attempt] of points.entries()) {
    const own = values[i]!;
    const title = fixed.map((name) => `${name}=${own.get(name) ?? ''}`).join(' ');
    const matrix = out.get(title) ?? { title, row, column, rows: [], columns: [], cell: new Map<string, Attempt>() };
    out.set(title, matrix);
    matrix.cell.set(cellKey(own.get(row) ?? '', own.get(column) ?? ''), attempt);
  }
  for (const matrix of out.values()) {
    const keys = [...matrix.cell.keys()].map((key) => key.split('\n') as [string, string]);
    matrix.rows = inOrder(keys.map(([name]) => name));
    matrix.columns = inOrder(keys.map(([, name]) => name));
  }
  return [...out.values()].sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
}

/** Points that failed in the same words, together, in the order of their values. */
export function failuresOf(points: readonly Attempt[]): Attempt[][] {
  const groups = new Map<string, Attempt[]>();
  for (const one of points.filter(({ failed }) => failed)) {
    const key = `${one.outcome} ${one.detail}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const named = (a: Attempt, b: Attempt) => a.point.localeCompare(b.point, undefined, { numeric: true });
  return [...groups.values()]
    .map((group) => group.sort(named))
    .sort((a, b) => b.length - a.length || named(a[0]!, b[0]!));
}

/** How strongly a ratio is coloured, -1 (a factor of 1.5 faster, or more) to 1 (slower). */
export function heatOf(ratio: number): number {
  return Math.max(-1, Math.min(1, Math.log(ratio) / Math.log(1.5)));
}
