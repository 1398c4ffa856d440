// SPDX-License-Identifier: Apache-2.0
// A table of plain rows: sortable where a column says by what; below 720 px each row is a card with its columns'
// names. j and k walk over elements marked data-row, in this table as in every list.
import type { ComponentChildren } from 'preact';
import { useGrowing } from '../lib/data';
import { may, useCaller } from '../lib/session';

export interface Column<T> {
  name: string;
  cell: (row: T) => ComponentChildren;
  /** Sort key of the URL; absent: not sortable. */
  sort?: string;
  by?: (row: T) => number | string;
  numeric?: boolean;
  /** Stands in the head under the name: the axis of a plot. */
  head?: ComponentChildren;
  /** Leads the card on narrow screens. */
  lead?: boolean;
  /** Only for those who may action so. */
  role?: 'trigger' | 'admin';
}

interface TableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  sort?: string;
  setSort?: (sort: string) => void;
}

/** "ratio" sorts up, "-ratio" down. */
export function sortRows<T>(rows: readonly T[], columns: Column<T>[], sort: string): T[] {
  const down = sort.startsWith('-');
  const column = columns.find((one) => one.sort === sort.replace(/^-/, ''));
  if (!column?.by) return [...rows];
  const by = column.by;
  const compare = (a: T, b: T) => {
    const [x, y] = [by(a), by(b)];
    return typeof x === 'number' && typeof y === 'number'
      ? x - y
      : String(x).localeCompare(String(y), undefined, { numeric: true });
  };
  return [...rows].sort((a, b) => (down ? compare(b, a) : compare(a, b)));
}

export function SortButton({
  name,
  sort,
  current,
  set,
}: {
  name: string;
  sort: string;
  current: string;
  set: (sort: string) => void;
}) {
  const active = current.replace(/^-/, '') === sort;
  const down = active && current.startsWith('-');
  return (
    <button type="button" class="sort" onClick={() => set(active && !down ? `-${sort}` : sort)}>
      {name}
      <span aria-hidden="true" class="sort-mark">
        {active ? (down ? '↓' : '↑') : ''}
      </span>
    </button>
  );
}

export function Table<T>({ caption, columns: all, rows, keyOf, sort = '', setSort }: TableProps<T>) {
  const caller = useCaller();
  const columns = all.filter((column) => !column.role || may(caller, column.role));
  const shown = sort ? sortRows(rows, columns, sort) : rows;
  const drawn = useGrowing(shown.length);
  const ariaSort = (column: Column<T>) => {
    if (!column.sort || column.sort !== sort.replace(/^-/, '')) return undefined;
    return sort.startsWith('-') ? 'descending' : 'ascending';
  };
  return (
    <table class="table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              data-column={column.name}
              class={column.numeric ? 'number' : ''}
              aria-sort={ariaSort(column)}
            >
              {column.sort && setSort ? (
                <SortButton name={column.name} sort={column.sort} current={sort} set={setSort} />
              ) : (
                column.name
              )}
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.slice(0, drawn).map((row) => (
          <tr key={keyOf(row)} data-row>
            {columns.map((column) => (
              <td
                key={column.name}
                data-column={column.name}
                class={`${column.numeric ? 'number' : ''} ${column.lead ? 'lead' : ''}`}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
