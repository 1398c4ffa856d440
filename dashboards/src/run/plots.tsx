// SPDX-License-Identifier: Apache-2.0
// The pictures of one benchmark: pairs in time order, both distributions, and the GPU's state by process. Static SVG
// with a viewBox, so they print and scale; each says in words what it shows.
import { axisOf, placeOf, ticksOf, tickText } from '../lib/axis';
import { formatChange, formatNs, plural } from '../lib/format';
import type { GpuState, TimedProcess } from '../lib/samples';
import type { Comparison, PairFigure, SampleHistogram } from '../lib/types';

const WIDTH = 560;

function PairMarks({ pairs, x, y, bottom }: PairMarksProps) {
  return (
    <>
      {pairs.map(({ pair, ratio, head_first }, index) => (
        <g key={pair} class={head_first ? 'head-first' : 'base-first'}>
          {head_first ? (
            <rect x={x(index) - 4} y={y(ratio) - 4} width="8" height="8" />
          ) : (
            <circle cx={x(index)} cy={y(ratio)} r="4.5" />
          )}
          <text x={x(index)} y={bottom} text-anchor="middle">
            {pair + 1}
          </text>
        </g>
      ))}
    </>
  );
}

interface PairMarksProps {
  pairs: PairFigure[];
  x: (index: number) => number;
  y: (ratio: number) => number;
  bottom: number;
}

export function PairsPlot({ one, pairs }: { one: Comparison; pairs: PairFigure[] }) {
  if (pairs.length === 0) return <p class="dim">No completed pairs</p>;
  const height = 190;
  const [left, right, top, bottom] = [66, 10, 10, 26];
  const axis = axisOf(
    pairs.map(({ ratio }) => ({ ratio, low: null, high: null })),
    one.catch_limit,
  );
  const y = (ratio: number) => top + (1 - placeOf(axis, ratio)) * (height - top - bottom);
  const last = Math.max(pairs.length, one.pairs);
  const x = (index: number) => left + ((index + 0.5) / last) * (WIDTH - left - right);
  const band = (limit: number) => ({ y: y(1 + limit), height: y(1 / (1 + limit)) - y(1 + limit) });
  const changes = pairs.map(({ ratio }) => formatChange(ratio)).join(', ');
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="img"
      aria-label={`Head over base of ${plural(pairs.length, 'pair')} in time order: ${changes}`}
    >
      <rect class="band-catch" x={left} width={WIDTH - left - right} {...band(one.catch_limit)} />
      <rect class="band-tolerate" x={left} width={WIDTH - left - right} {...band(one.tolerate)} />
      {ticksOf(axis).map((ratio) => (
        <g key={ratio}>
          <line class="grid" x1={left} x2={WIDTH - right} y1={y(ratio)} y2={y(ratio)} />
          <text x={left - 6} y={y(ratio) + 4} text-anchor="end">
            {tickText(ratio)}
          </text>
        </g>
      ))}
      {one.looks
        .filter((look) => look.pairs <= last)
        .map(({ pairs: after }) => (
          <line key={after} class="look" x1={x(after - 0.5)} x2={x(after - 0.5)} y1={top} y2={height - bottom} />
        ))}
      <PairMarks pairs={pairs} x={x} y={y} bottom={height - 9} />
    </svg>
  );
}

function bars(counts: number[], top: number, baseline: number, side: 'base' | 'head', most: number) {
  const width = WIDTH / counts.length;
  return counts.map((count, i) => {
    const tall = (count / most) * Math.abs(baseline - top);
    return (
      count > 0 && (
        <rect
          key={i}
          class={`bar-${side}`}
          x={i * width + 0.5}
          width={width - 1}
          height={tall}
          y={side === 'base' ? baseline - tall : baseline}
        />
      )
    );
  });
}

export function DistributionPlot({ one, histogram }: { one: Comparison; histogram: SampleHistogram | null }) {
  if (!histogram) return <p class="dim">Too few samples to plot</p>;
  const { low_ns: low, high_ns: high, base, head, has_above: above } = histogram;
  const most = Math.max(...base, ...head);
  const middle = 78;
  const [baseX, headX] = [histogram.base_median_at, histogram.head_median_at].map((at) =>
    at === null ? -10 : at * WIDTH,
  );
  const label =
    `Samples of base above and head below, from ${formatNs(low)} to ${formatNs(high)}; ` +
    `medians ${formatNs(one.base_median_ns)} and ${formatNs(one.head_median_ns)}`;
  return (
    <svg class="plot" viewBox={`0 0 ${WIDTH} 180`} role="img" aria-label={label}>
      {bars(base, 10, middle, 'base', most)}
      {bars(head, 2 * middle - 10, middle, 'head', most)}
      <line class="axis" x1="0" x2={WIDTH} y1={middle} y2={middle} />
      <line class="median-base" x1={baseX} x2={baseX} y1="4" y2={middle} />
      <line class="median-head" x1={headX} x2={headX} y1={middle} y2={2 * middle - 4} />
      <text x="2" y="14">
        base
      </text>
      <text x="2" y={2 * middle - 4}>
        head
      </text>
      <text x="2" y="174">
        {formatNs(low)}
      </text>
      <text x={WIDTH - 2} y="174" text-anchor="end">
        {formatNs(high)}
        {above ? ' and above' : ''}
      </text>
    </svg>
  );
}

interface Strip {
  name: string;
  unit: string;
  of: (one: TimedProcess) => number | undefined;
}

const strips: Strip[] = [
  { name: 'clock', unit: 'MHz', of: (one) => one.state?.during?.sm_mhz_loaded ?? one.state?.before?.sm_mhz },
  {
    name: 'temperature',
    unit: '°C',
    of: (one) => one.state?.during?.temperature_c?.[1] ?? one.state?.after?.temperature_c,
  },
  { name: 'power', unit: 'W', of: (one) => one.state?.during?.power_w?.[1] ?? one.state?.before?.power_w },
];

function StripRow({ strip, processes, top }: { strip: Strip; processes: TimedProcess[]; top: number }) {
  const values = processes.map(strip.of);
  const known = values.filter((value): value is number => value !== undefined);
  if (known.length === 0) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = (value: number) => top + 26 - ((value - low) / (high - low || 1)) * 22;
  const x = (i: number) => 96 + ((i + 0.5) / processes.length) * (WIDTH - 190);
  return (
    <g>
      <text x="0" y={top + 19}>
        {strip.name}
      </text>
      <line class="grid" x1="96" x2={WIDTH - 94} y1={top + 30} y2={top + 30} />
      {values.map(
        (value, i) =>
          value !== undefined && <circle key={i} class={`dot-${processes[i]!.side}`} cx={x(i)} cy={y(value)} r="3" />,
      )}
      <text x={WIDTH} y={top + 19} text-anchor="end">
        {Math.round(low)}
        {Math.round(high) > Math.round(low) ? `–${Math.round(high)}` : ''} {strip.unit}
      </text>
    </g>
  );
}

/** Power limit, memory clock, errors and other programs on the GPU, over all processes. */
function faultsOf(states: GpuState[]): string {
  const sum = (of: (one: GpuState) => number | undefined) => states.reduce((total, one) => total + (of(one) ?? 0), 0);
  const xids = [...new Set(states.flatMap((one) => one.xid ?? []))];
  const bad = [
    [sum((one) => one.ecc_uncorrected), 'uncorrected ECC error'],
    [sum((one) => one.ecc_corrected), 'corrected ECC error'],
    [sum((one) => one.processes?.foreign), 'other process'],
  ] as const;
  const limits = [...new Set(states.flatMap((one) => one.before?.power_limit_w ?? []))].map(
    (watts) => `${Math.round(watts)} W`,
  );
  const memory = [...new Set(states.flatMap((one) => one.before?.memory_mhz ?? []))].map(
    (mhz) => `${Math.round(mhz)} MHz`,
  );
  const facts = [
    limits.length > 0 ? `Power limit ${limits.join(', ')}` : '',
    memory.length > 0 ? `memory at ${memory.join(', ')}` : '',
  ].filter(Boolean);
  const seen = bad
    .filter(([count]) => count > 0)
    .map(([count, name]) => plural(count, name, name.endsWith('s') ? name + 'es' : name + 's'));
  const faults = [...seen, ...xids.map((xid) => `Xid ${xid}`)];
  const errors = faults.length > 0 ? faults.join(', ') : 'no ECC errors, no Xid errors, no other processes';
  return `${facts.length > 0 ? facts.join(', ') + '; ' : ''}${errors}.`;
}

/** Clock, temperature and power of the GPU, process by process. */
export function GpuStrip({ processes }: { processes: TimedProcess[] }) {
  if (!processes.some((one) => one.state))
    return <p class="dim">No GPU state was recorded: a CPU testbed, or a GPU without NVML.</p>;
  const reasons = [...new Set(processes.flatMap((one) => one.state?.during?.reasons ?? []))].filter(
    (reason) => reason !== 'idle',
  );
  const disturbed = processes.filter((one) => one.disturbance);
  return (
    <>
      <svg
        class="plot"
        viewBox={`0 0 ${WIDTH} 112`}
        role="img"
        aria-label={`The GPU during ${plural(processes.length, 'process', 'processes')}: clock, temperature and power`}
      >
        {strips.map((strip, i) => (
          <StripRow key={strip.name} strip={strip} processes={processes} top={i * 36} />
        ))}
      </svg>
      <p class="dim small">
        {reasons.length > 0 ? `Clock limited by: ${reasons.join(', ')}. ` : 'No clock limits. '}
        {faultsOf(processes.flatMap((one) => one.state ?? []))}{' '}
        {disturbed.length > 0
          ? `Disturbed: ${disturbed.map((one) => `pair ${one.pair + 1} ${one.side}: ${one.disturbance}`).join('; ')}.`
          : ''}
      </p>
    </>
  );
}
