// SPDX-License-Identifier: Apache-2.0
// Every benchmark of a run as one forest plot: filtered, sorted and grouped by the URL; a row opens to its detail.
import { Fragment } from 'preact';
import { axisOf, type Axis, type Estimate } from '../lib/axis';
import { useGrowing } from '../lib/data';
import { formatChange, formatInterval, formatNs, plural } from '../lib/format';
import { countsOf, groupComparisons, matches, sortComparisons, type Group, type Grouping } from '../lib/group';
import { navigate, useQuery, withQuery } from '../lib/router';
import type { Comparison, Run, VerdictCount } from '../lib/types';
import { lookOf } from '../lib/verdict';
import { ForestAxis, ForestRow } from '../ui/forest';
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

/** What stands beside the verdict: how large it is, and where it rests on the device's clock alone. */
function noteOf(one: Comparison): string | undefined {
  const notes = [one.severity === 'small' ? 'small' : '', one.clock === 'device' ? 'device' : ''].filter(Boolean);
  return notes.length > 0 ? notes.join(', ') : undefined;
}

function Row({ run, one, axis, open, toggle }: RowProps) {
  return (
    <>
      <tr data-row class={open ? 'open' : ''}>
        <td data-column="Verdict" class="verdict-cell">
          <Badge name={one.verdict} note={noteOf(one)} />
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

function GroupHead({ group, verdicts }: { group: Group; verdicts: VerdictCount[] }) {
  return (
    <tr class="group-head">
      <th colSpan={7} scope="colgroup">
        {group.name}{' '}
        <span class="dim">
          {countsOf(group.rows, verdicts)
            .map(({ verdict, count }) => `${count} ${lookOf(verdict).word}`)
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
  counts: VerdictCount[];
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
        {counts.map(({ verdict: name, count }) => (
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

const percent = (fraction: number) => `${(fraction * 100).toPrecision(2)} %`;

function bandText({ band }: Run): string {
  if (!band) return '';
  const catches = percent(band.catch_limit);
  return `; dark band: tolerated, ±${percent(band.tolerate)}; light band: up to the catch limit, ±${catches}`;
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
  const axis = axisOf(all.map(estimateOf), run.band?.catch_limit ?? 0);
  const shown = sortComparisons(
    all.filter((one) => matches(one, filter) && (!verdict || one.verdict === verdict)),
    sort,
    run.verdicts,
  );
  const counted = shown.length === all.length ? plural(all.length, 'benchmark') : `${shown.length} of ${all.length}`;
  return (
    <Section title="Benchmarks" id="benchmarks" note={`${counted}; right is slower${bandText(run)}`}>
      <Filters counts={run.verdicts} grouping={grouping} setGrouping={setGrouping} />
      {shown.length === 0 ? (
        <Empty title="No benchmark matches the filter.">
          <button type="button" onClick={() => navigate(withQuery({ filter: '', verdict: '' }))}>
            Show all {all.length}
          </button>
        </Empty>
      ) : (
        <table class="table forest">
          <caption class="visually-hidden">Benchmarks with their change relative to base</caption>
          <Head axis={axis} sort={sort} setSort={setSort} />
          <tbody>
            {firstRows(groupComparisons(shown, grouping as Grouping), drawn).map(({ group, rows }) => (
              <Fragment key={group.name}>
                {grouping === 'none' ? null : <GroupHead group={group} verdicts={run.verdicts} />}
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
