// SPDX-License-Identifier: Apache-2.0
// Everything known of one benchmark of a run: shown below its row.
import type { ComponentChildren } from 'preact';
import { getAll } from '../lib/api';
import { configurationOf } from '../lib/conclude';
import { useData } from '../lib/data';
import { formatChange, formatInterval, formatNs, formatPercent, formatSeconds } from '../lib/format';
import { formatIntensity, roofWord } from '../lib/roofline';
import { timedProcesses } from '../lib/samples';
import type { Comparison, Look, Run, StoredProcess } from '../lib/types';
import { lookOf } from '../lib/verdict';
import { Copyable, ErrorBox, Facts } from '../ui/parts';
import { CodeChanges, CounterChanges } from './causes';
import { Occurrences } from './failures';
import { Pinned } from './pinned';
import { CardStrip, DistributionPlot, PairsPlot } from './plots';

function Block({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <figure class="block">
      <figcaption>
        <h3>{title}</h3>
        {note ? <span class="dim small">{note}</span> : null}
      </figcaption>
      {children}
    </figure>
  );
}

function number(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? 'n too small' : value.toPrecision(digits);
}

function Looks({ looks }: { looks: Look[] }) {
  if (looks.length === 0) return <p class="dim">The rule did not look: nothing was timed in pairs.</p>;
  return (
    <table class="table compact">
      <thead>
        <tr>
          <th scope="col">After</th>
          <th scope="col" class="number">
            Change
          </th>
          <th scope="col" class="number">
            ± standard error
          </th>
          <th scope="col">Rests on</th>
          <th scope="col">Said</th>
        </tr>
      </thead>
      <tbody>
        {looks.map((look, i) => (
          <tr key={look.pairs}>
            <td data-column="After">{look.pairs} pairs</td>
            <td data-column="Change" class="number">
              {formatChange(Math.exp(look.mean))}
            </td>
            <td data-column="± standard error" class="number">
              {(look.se * 100).toFixed(2)} %
            </td>
            <td data-column="Rests on">
              {look.used_stored ? 'these pairs and the stored variance' : 'these pairs alone'}
            </td>
            <td data-column="Said">
              {i === looks.length - 1 ? `${lookOf(look.verdict).word}: stopped here` : 'go on'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function evidence(one: Comparison): [string, ComponentChildren][] {
  const rows: [string, ComponentChildren][] = [
    ['Ratio, 99 % interval', `${formatChange(one.ratio)} (${formatInterval(one.ratio_low, one.ratio_high)})`],
    [
      'Hodges-Lehmann, 95 %',
      one.hl_ratio === null
        ? 'from 6 pairs on'
        : `${formatChange(one.hl_ratio)} (${formatInterval(one.hl_low, one.hl_high)})`,
    ],
    ["Cliff's delta", number(one.cliffs_delta)],
    ['Mann-Whitney p', number(one.mwu_p)],
    ['q (Benjamini-Hochberg)', number(one.q_value)],
    ['Detectable here', one.minimum_detectable === null ? '–' : formatPercent(one.minimum_detectable)],
    ['Spread of pairs', one.pair_sd === null ? '–' : `${(one.pair_sd * 100).toFixed(2)} %`],
    ['Base, head', `${formatNs(one.base_median_ns)}, ${formatNs(one.head_median_ns)}`],
    ['Device time', formatSeconds(one.gpu_s)],
  ];
  const configuration = configurationOf(one);
  if (configuration) rows.push(['Configuration', <code>{configuration}</code>]);
  if (one.roof)
    rows.push([
      'Roofline',
      `${(one.roof.fraction * 100).toFixed(1)} % of the roof (${roofWord(one.roof.roof)}) at ${formatIntensity(one.roof.intensity)} FLOP/byte`,
    ]);
  if (one.error_factor) rows.push(['Numerical error', `× ${one.error_factor.toPrecision(3)}`]);
  if (one.fingerprint) rows.push(['Fingerprint', <code>{one.fingerprint}</code>]);
  return rows;
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** What to type to measure this again, here. */
export function reproduce(run: Run, one?: Comparison): string {
  const base = run.base_commit ? ` --base ${run.base_commit}` : '';
  const filter = one
    ? ` --suite ${shellWord(one.suite)} --filter ${shellWord(`^${one.benchmark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)}`
    : '';
  return `kernelgate run --head ${run.commit}${base}${filter} --force`;
}

function Pictures({ run, one }: { run: Run; one: Comparison }) {
  const query = { suite: one.suite, benchmark: one.benchmark };
  const { data, error, again } = useData(`processes ${run.id} ${one.suite} ${one.benchmark}`, (signal) =>
    getAll<StoredProcess>(`/api/v1/runs/${run.id}/processes`, 'processes', query, signal),
  );
  if (error) return <ErrorBox error={error} again={again} />;
  if (!data) return <div class="pictures-wait" aria-busy="true" />;
  const processes = timedProcesses(data, one.benchmark, one.round);
  if (processes.length === 0) return null;
  return (
    <>
      <Block title="Pairs in time order" note="● base first, ■ head first; lines where the rule looked">
        <PairsPlot one={one} processes={processes} />
      </Block>
      <Block title="All samples" note="base above, head below">
        <DistributionPlot one={one} processes={processes} />
      </Block>
      <Block title="The card, process by process" note="grey base, coloured head">
        <CardStrip processes={processes} />
      </Block>
    </>
  );
}

export function Detail({ run, one }: { run: Run; one: Comparison }) {
  const change = one.distribution;
  return (
    <div class="detail">
      <p class="wrap">{one.reason}</p>
      {one.attribution ? <p class="notice tone-calm">{one.attribution}</p> : null}
      {one.pinned?.length ? (
        <Block title="Choice or kernel" note="both sides with the same configuration; no verdict rests on it">
          <Pinned one={one} />
        </Block>
      ) : null}
      {one.quarantined ? <p class="notice tone-unsure">Quarantined: it decides nothing. {one.quarantined}</p> : null}
      {one.acknowledged ? <p class="notice tone-calm">Accepted: {one.acknowledged}</p> : null}
      {change ? (
        <p class="notice tone-unsure">
          What the median hides: {change.kind === 'tail' ? 'the tail' : 'a second mode'} holds{' '}
          {(change.head_share * 100).toFixed(0)} % of head's samples and {(change.base_share * 100).toFixed(0)} % of
          base's.
        </p>
      ) : null}
      <Facts rows={evidence(one)} />
      <div class={`blocks tone-${lookOf(one.verdict).tone}`}>
        {one.ratio !== null ? <Pictures run={run} one={one} /> : null}
        {one.looks.length > 0 ? (
          <Block title="Looks of the rule">
            <Looks looks={one.looks} />
          </Block>
        ) : null}
        {one.code_changes?.length ? (
          <Block title="Device code" note="base → head">
            <CodeChanges lines={one.code_changes} />
          </Block>
        ) : null}
        {one.counter_changes?.length ? (
          <Block title="Counters that moved" note="what moved most first">
            <CounterChanges run={run} one={one} />
          </Block>
        ) : null}
        {one.fingerprint ? (
          <Block title="The same failure before">
            <Occurrences run={run} fingerprint={one.fingerprint} />
          </Block>
        ) : null}
      </div>
      <Copyable label="the command that measures this again" text={reproduce(run, one)} />
    </div>
  );
}
