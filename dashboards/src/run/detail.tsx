// SPDX-License-Identifier: Apache-2.0
// All details of one benchmark of a run, shown below its row.
import type { ComponentChildren } from 'preact';
import { getAll, getJson, url } from '../lib/api';
import { useData } from '../lib/data';
import { formatChange, formatInterval, formatNs, formatPercent, formatSeconds } from '../lib/format';
import { roofText } from '../lib/roofline';
import { Link } from '../lib/router';
import { timedProcesses } from '../lib/samples';
import type { Comparison, Look, PairFigures, Run, StoredProcess } from '../lib/types';
import { lookOf } from '../lib/verdict';
import { Copyable, ErrorBox, Facts } from '../ui/parts';
import { CodeChanges, CounterChanges } from './causes';
import { Occurrences } from './failures';
import { Kernels } from './kernels';
import { Pinned } from './pinned';
import { DistributionPlot, GpuStrip, PairsPlot } from './plots';

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
  return value === null || value === undefined ? 'too few samples' : value.toPrecision(digits);
}

function Steps({ looks }: { looks: Look[] }) {
  if (looks.length === 0) return <p class="dim">No decision steps: nothing was timed in pairs.</p>;
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
          <th scope="col">Variance from</th>
          <th scope="col">Decision</th>
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
            <td data-column="Variance from">
              {look.used_stored ? 'these pairs and the stored variance' : 'these pairs only'}
            </td>
            <td data-column="Decision">{i === looks.length - 1 ? `${lookOf(look.verdict).word}: stop` : 'continue'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the suite chose for both sides; nothing where it does not say. */
export function configurationOf({ base_configuration: base = '', head_configuration: head = '' }: Comparison): string {
  return base === head ? head : `${base || 'none'} → ${head || 'none'}`;
}

function evidence(one: Comparison): [string, ComponentChildren][] {
  const rows: [string, ComponentChildren][] = [
    ['Ratio, 99 % interval', `${formatChange(one.ratio)} (${formatInterval(one.ratio_low, one.ratio_high)})`],
    [
      'Hodges-Lehmann, 95 %',
      one.hl_ratio === null
        ? 'needs 6 pairs'
        : `${formatChange(one.hl_ratio)} (${formatInterval(one.hl_low, one.hl_high)})`,
    ],
    ["Cliff's delta", number(one.cliffs_delta)],
    ['Mann-Whitney p', number(one.mwu_p)],
    ['q (Benjamini-Hochberg)', number(one.q_value)],
    [
      'Smallest detectable change',
      one.minimum_detectable === null ? '–' : formatPercent(one.minimum_detectable).slice(1),
    ],
    ['Standard deviation of pairs', one.pair_sd === null ? '–' : `${(one.pair_sd * 100).toFixed(2)} %`],
    ['Base, head', `${formatNs(one.base_median_ns)}, ${formatNs(one.head_median_ns)}`],
    ['GPU time', formatSeconds(one.gpu_s)],
  ];
  const configuration = configurationOf(one);
  if (configuration) rows.push(['Configuration', <code>{configuration}</code>]);
  if (one.roof) rows.push(['Roofline', roofText(one.roof)]);
  if (one.error_factor) rows.push(['Numerical error', `× ${one.error_factor.toPrecision(3)}`]);
  if (one.fingerprint) rows.push(['Fingerprint', <code>{one.fingerprint}</code>]);
  return rows;
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** The command that repeats the measurement. */
export function reproduce(run: Run, one?: Comparison): string {
  const base = run.base_commit ? ` --base ${run.base_commit}` : '';
  const pattern = one ? `^${one.benchmark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$` : '';
  const filter = one ? ` --suite ${shellWord(one.suite)} --filter ${shellWord(pattern)}` : '';
  return `kernelgate run --head ${run.commit}${base}${filter} --force`;
}

interface Evidence {
  processes: StoredProcess[];
  figures: PairFigures;
}

async function evidenceOf(run: Run, { suite, benchmark }: Comparison, signal: AbortSignal): Promise<Evidence> {
  const query = { suite, benchmark };
  const [processes, figures] = await Promise.all([
    getAll<StoredProcess>(`/api/v1/runs/${run.id}/processes`, 'processes', query, signal),
    getJson<PairFigures>(url(`/api/v1/runs/${run.id}/pairs`, query), signal),
  ]);
  return { processes, figures };
}

function Pictures({ run, one }: { run: Run; one: Comparison }) {
  const { data, error, again } = useData(`evidence ${run.id} ${one.suite} ${one.benchmark}`, (signal) =>
    evidenceOf(run, one, signal),
  );
  if (error) return <ErrorBox error={error} again={again} />;
  if (!data) return <div class="pictures-wait" aria-busy="true" />;
  const processes = timedProcesses(data.processes, one.benchmark, one.round);
  if (processes.length === 0) return null;
  return (
    <>
      <Block title="Pairs in time order" note="● base first, ■ head first; lines: decision steps">
        <PairsPlot one={one} pairs={data.figures.pairs} />
      </Block>
      <Block title="All samples" note="base above, head below">
        <DistributionPlot one={one} histogram={data.figures.histogram} />
      </Block>
      <Block title="The GPU during each process" note="grey: base, coloured: head">
        <GpuStrip processes={processes} />
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
      {one.device ? (
        <Block title="Kernels by the device's clock" note="times of one launch; the kernel that changed most first">
          <Kernels device={one.device} />
        </Block>
      ) : null}
      {one.pinned?.length ? (
        <Block
          title="Configuration choice or kernel"
          note="both sides with the same configuration; does not affect the verdict"
        >
          <Pinned one={one} />
        </Block>
      ) : null}
      {one.quarantined ? (
        <p class="notice tone-unsure">Quarantined: it does not affect the run's conclusion. {one.quarantined}</p>
      ) : null}
      {one.acknowledged ? <p class="notice tone-calm">Accepted: {one.acknowledged}</p> : null}
      {change ? (
        <p class="notice tone-unsure">
          {change.kind === 'tail' ? 'Tail' : 'Bimodal'}: {(change.base_share * 100).toFixed(0)} % of base but{' '}
          {(change.head_share * 100).toFixed(0)} % of head samples are in the{' '}
          {change.kind === 'tail' ? 'tail' : 'slow mode'}.
        </p>
      ) : null}
      <Facts rows={evidence(one)} />
      <div class={`blocks tone-${lookOf(one.verdict).tone}`}>
        {one.ratio !== null ? <Pictures run={run} one={one} /> : null}
        {one.looks.length > 0 ? (
          <Block title="Decision steps">
            <Steps looks={one.looks} />
          </Block>
        ) : null}
        {one.code_changes?.length ? (
          <Block title="Device code" note="base → head">
            <CodeChanges lines={one.code_changes} />
          </Block>
        ) : null}
        {one.counter_changes?.length ? (
          <Block title="Changed counters" note="largest change first">
            <CounterChanges run={run} one={one} />
          </Block>
        ) : null}
        {one.fingerprint ? (
          <Block title="Earlier occurrences">
            <Occurrences run={run} fingerprint={one.fingerprint} />
          </Block>
        ) : null}
      </div>
      <p>
        <Link to={url('/history', { repository: run.repository, b: `${one.suite}/${one.benchmark}` })}>
          History of this benchmark
        </Link>
      </p>
      <Copyable label="the command that repeats this measurement" text={reproduce(run, one)} />
    </div>
  );
}
