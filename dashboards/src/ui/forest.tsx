// SPDX-License-Identifier: Apache-2.0
// The forest plot's parts: one axis that all rows share, and a row's ratio with its interval against the band of
// tolerate and catch. The axis is linear about no change and logarithmic further out (asinh), so that 1 % and a
// factor of 3 can be told on one picture.
import { formatChange, formatInterval } from '../lib/format';
import { lookOf } from '../lib/verdict';

export interface Axis {
  reach: number; // of log ratio, to either side
  bend: number; // where linear becomes logarithmic
}

export interface Estimate {
  ratio: number | null;
  low: number | null;
  high: number | null;
  verdict: string;
}

export function axisOf(rows: readonly Estimate[], catchLimit: number): Axis {
  let reach = Math.log1p(catchLimit) * 2;
  for (const row of rows)
    for (const value of [row.low, row.high, row.ratio])
      if (value !== null && value > 0) reach = Math.max(reach, Math.abs(Math.log(value)) * 1.1);
  return { reach: Math.min(reach, Math.log(20)), bend: Math.log1p(catchLimit) };
}

/** Where a ratio lies, 0 to 1; what is beyond the axis lies at its end. */
export function placeOf(axis: Axis, ratio: number): number {
  const at = Math.asinh(Math.log(ratio) / axis.bend) / Math.asinh(axis.reach / axis.bend);
  return Math.min(1, Math.max(0, 0.5 + at / 2));
}

/** Of the axis: no label meets the next one at 250 px. */
const TICKS_APART = 0.12;

export function ticksOf(axis: Axis): number[] {
  const steps = [1.01, 1.03, 1.1, 1.3, 2, 5, 20].filter((ratio) => Math.log(ratio) < axis.reach);
  const kept: number[] = [];
  for (const ratio of steps) {
    const at = placeOf(axis, ratio);
    if (at - 0.5 > 0.06 && at < 0.97 && (kept.length === 0 || at - placeOf(axis, kept[kept.length - 1]!) > TICKS_APART))
      kept.push(ratio);
  }
  return [...kept.map((ratio) => 1 / ratio).reverse(), 1, ...kept];
}

function tickText(ratio: number): string {
  if (ratio === 1) return '0';
  const up = ratio > 1 ? ratio : 1 / ratio;
  const sign = ratio > 1 ? '+' : '−';
  return up < 2 ? `${sign}${Math.round((up - 1) * 100)}%` : `${ratio > 1 ? '×' : '÷'}${Math.round(up)}`;
}

const percent = (place: number) => `${(place * 100).toFixed(2)}%`;

/** Shades what the policy tolerates and up to where it catches, with the line of no change. */
function Band({ axis, tolerate, catchLimit }: { axis: Axis; tolerate: number; catchLimit: number }) {
  const span = (limit: number): [string, string] => {
    const left = placeOf(axis, 1 / (1 + limit));
    return [percent(left), percent(placeOf(axis, 1 + limit) - left)];
  };
  const [outerLeft, outerWidth] = span(catchLimit);
  const [innerLeft, innerWidth] = span(tolerate);
  return (
    <>
      <rect class="band-catch" x={outerLeft} width={outerWidth} y="0" height="100%" />
      <rect class="band-tolerate" x={innerLeft} width={innerWidth} y="0" height="100%" />
      <line class="no-change" x1="50%" x2="50%" y1="0" y2="100%" />
    </>
  );
}

export function ForestAxis({ axis }: { axis: Axis }) {
  return (
    <svg class="forest-axis" width="100%" height="22" aria-hidden="true">
      {ticksOf(axis).map((ratio) => (
        <g key={ratio}>
          <line x1={percent(placeOf(axis, ratio))} x2={percent(placeOf(axis, ratio))} y1="17" y2="22" />
          <text x={percent(placeOf(axis, ratio))} y="13" text-anchor="middle">
            {tickText(ratio)}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface ForestRowProps {
  axis: Axis;
  row: Estimate;
  tolerate: number;
  catchLimit: number;
}

export function ForestRow({ axis, row, tolerate, catchLimit }: ForestRowProps) {
  if (row.ratio === null) return null;
  const ratio = row.ratio;
  const label = `${formatChange(ratio)}, interval ${formatInterval(row.low, row.high)}`;
  const beyond = Math.abs(Math.log(ratio)) > axis.reach;
  return (
    <svg class={`forest-row tone-${lookOf(row.verdict).tone}`} width="100%" height="24" role="img" aria-label={label}>
      <Band axis={axis} tolerate={tolerate} catchLimit={catchLimit} />
      {row.low !== null && row.high !== null ? (
        <line
          class="interval"
          x1={percent(placeOf(axis, row.low))}
          x2={percent(placeOf(axis, row.high))}
          y1="12"
          y2="12"
        />
      ) : null}
      {beyond ? (
        <text class="beyond" x={ratio > 1 ? '99%' : '1%'} y="16" text-anchor={ratio > 1 ? 'end' : 'start'}>
          {ratio > 1 ? '▶' : '◀'}
        </text>
      ) : (
        <circle class="estimate" cx={percent(placeOf(axis, ratio))} cy="12" r="4" />
      )}
    </svg>
  );
}
