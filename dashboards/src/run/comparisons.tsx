// SPDX-License-Identifier: Apache-2.0
// Every benchmark of a run as one forest plot: filtered, sorted and grouped by the URL; a row opens to its detail.
import { Fragment } from 'preact';
import { useGrowing } from '../lib/data';
import { formatChange, formatInterval, formatNs, plural } from '../lib/format';
import { groupComparisons, matches, sortComparisons, type Group, type Grouping } from '../lib/group';
import { navigate, useQuery, withQuery } from '../lib/router';
import type { Comparison, Run } from '../lib/types';
import { countVerdicts, lookOf } from '../lib/verdict';
import { axisOf, ForestAxis, ForestRow, type Axis, type Estimate } from '../ui/forest';
import { Badge, Breakable, Empty, Section } from '../ui/parts';
import { SortButton } from '../ui/table';
import { Detail } from './detail';

const idOf = (one: Comparison) => `${one.suite}/${one.benchmark}`;
const estimateOf = (one: Comparison): Estimate => ({
  ratio: one.ratio,
  low: one.ratio_low,
  high: one.ratio_high,
  verdict: one.verdict,
});

interface RowProps {
  run: Run;
  one: Comparison;
  axis: Axis;
  open: boolean;
  toggle: () => void;
}

function Row({ run, one, axis, open, toggle }: RowProps) {
  return (
    <>
      <tr data-row class={open ? 'open' : ''}>
        <td data-column="Verdict" class="verdict-cell">
          <Badge name={one.verdict} note={one.severity === 'small' ? 'small' : undefined} />
        </td>
        <td data-column="Benchmark" class="lead">
          <button type="button" class="row-button" aria-expanded={open} onClick={toggle}>
            <Breakable text={one.benchmark} />
          </button>
        </td>
        <td data-column="Change" class="forest-cell">
          {one.ratio === null ? (
            <span class="dim clamp">{one.reason}</span>
          ) : (
            <ForestRow axis={axis} row={estimateOf(one)} tolerate={one.tolerate} catchLimit={one.catch_limit} />
          )}
        </td>
        <td data-column="Change" class="number strong change-cell">
          {formatChange(one.ratio)}
        </td>
        <td data-column="99 % interval" class="number dim interval-cell">
          {formatInterval(one.ratio_low, one.ratio_high)}
        </td>
        <td data-column="Base → head" class="number times-cell">
          {one.base_median_ns === null && one.head_median_ns === null ? (
            '–'
          ) : (
            <>
              {formatNs(one.base_median_ns)} → {formatNs(one.head_median_ns)}
            </>
          )}
        </td>
        <td data-column="Pairs" class={`number dim pairs-cell${one.pairs ? '' : ' none'}`}>
          {one.against === 'stored' ? 'stored' : one.pairs || '–'}
        </td>
      </tr>
      {open ? (
        <tr class="detail-row">
          <td colSpan={7}>
            <Detail run={run} one={one} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function GroupHead({ group }: { group: Group }) {
  return (
    <tr class="group-head">
      <th colSpan={7} scope="colgroup">
        {group.name}{' '}
        <span class="dim">
          {countVerdicts(group.rows)
            .map(([verdict, count]) => `${count} ${lookOf(verdict).word}`)
            .join(', ')}
        </span>
      </th>
    </tr>
  );
}

const groupings: [Grouping, string][] = [
  ['none', 'nothing'],
  ['family', 'family'],
  ['shape', 'shape'],
  ['verdict', 'verdict'],
  ['suite', 'suite'],
];

interface FiltersProps {
  counts: [string, number][];
  grouping: string;
  setGrouping: (value: string) => void;
}

function Filters({ counts, grouping, setGrouping }: FiltersProps) {
  const [filter, setFilter] = useQuery('filter');
  const [verdict, setVerdict] = useQuery('verdict');
  return (
    <div class="filters">
      <input
        type="search"
        data-search
        placeholder="Filter: gemm bf16 -decode"
        aria-label="Filter benchmarks"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value, true)}
      />
      <div class="chips" role="group" aria-label="Verdicts">
        {counts.map(([name, count]) => (
          <button
            key={name}
            type="button"
            class={`chip tone-${lookOf(name).tone}`}
            aria-pressed={verdict === name}
            onClick={() => setVerdict(verdict === name ? '' : name)}
          >
            <span aria-hidden="true">{lookOf(name).glyph}</span>
            {count} {lookOf(name).word}
          </button>
        ))}
      </div>
      <label>
        Group by
        <select value={grouping} onChange={(event) => setGrouping(event.currentTarget.value)}>
          {groupings.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Head({ axis, sort, setSort }: { axis: Axis; sort: string; setSort: (sort: string) => void }) {
  const column = (name: string, key: string, css = '') => (
    <th
      scope="col"
      class={css}
      aria-sort={sort.replace(/^-/, '') === key ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined}
    >
      <SortButton name={name} sort={key} current={sort} set={setSort} />
    </th>
  );
  return (
    <thead>
      <tr>
        {column('Verdict', 'verdict')}
        {column('Benchmark', 'name')}
        <th scope="col" class="forest-cell">
          <span class="visually-hidden">Change and interval on one axis</span>
          <ForestAxis axis={axis} />
        </th>
        {column('Change', 'change', 'number')}
        <th scope="col" class="number">
          99 % interval
        </th>
        {column('Base → head', 'time', 'number')}
        {column('Pairs', 'pairs', 'number')}
      </tr>
    </thead>
  );
}

/** The groups as far as their first `count` rows go. */
function firstRows(groups: Group[], count: number): { group: Group; rows: Comparison[] }[] {
  let left = count;
  return groups
    .map((group) => {
      const rows = group.rows.slice(0, Math.max(0, left));
      left -= group.rows.length;
      return { group, rows };
    })
    .filter(({ rows }) => rows.length > 0);
}

export function Comparisons({ run }: { run: Run }) {
  const [filter] = useQuery('filter');
  const [verdict] = useQuery('verdict');
  const [sort, setSort] = useQuery('sort', 'verdict');
  const [grouping, setGrouping] = useQuery('group', 'none');
  const [opened, setOpened] = useQuery('open');
  const all = run.comparisons;
  const drawn = useGrowing(all.length);
  if (all.length === 0) return null;
  const first = all.find((one) => one.catch_limit > 0);
  const axis = axisOf(all.map(estimateOf), first?.catch_limit || 0.03);
  const shown = sortComparisons(
    all.filter((one) => matches(one, filter) && (!verdict || one.verdict === verdict)),
    sort,
  );
  const band = first
    ? `; dark band: tolerated, ±${(first.tolerate * 100).toPrecision(2)} %; light band: up to where it catches, ±${(first.catch_limit * 100).toPrecision(2)} %`
    : '';
  return (
    <Section
      title="Benchmarks"
      id="benchmarks"
      note={`${shown.length === all.length ? plural(all.length, 'benchmark') : `${shown.length} of ${all.length}`}; right is slower${band}`}
    >
      <Filters counts={countVerdicts(all)} grouping={grouping} setGrouping={setGrouping} />
      {shown.length === 0 ? (
        <Empty title="No benchmark fits the filter.">
          <button type="button" onClick={() => navigate(withQuery({ filter: '', verdict: '' }))}>
            Show all {all.length}
          </button>
        </Empty>
      ) : (
        <table class="table forest">
          <caption class="visually-hidden">Benchmarks with their change against base</caption>
          <Head axis={axis} sort={sort} setSort={setSort} />
          <tbody>
            {firstRows(groupComparisons(shown, grouping as Grouping), drawn).map(({ group, rows }) => (
              <Fragment key={group.name}>
                {grouping === 'none' ? null : <GroupHead group={group} />}
                {rows.map((one) => (
                  <Row
                    key={idOf(one)}
                    run={run}
                    one={one}
                    axis={axis}
                    open={opened === idOf(one)}
                    toggle={() => setOpened(opened === idOf(one) ? '' : idOf(one))}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
