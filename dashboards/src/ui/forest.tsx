// SPDX-License-Identifier: Apache-2.0
// The forest plot's parts: one axis that all rows share, and a row's ratio with its interval against the band of
// tolerate and catch. The axis is linear about no change and logarithmic further out (asinh), so that 1 % and a
// factor of 3 can be told on one picture.
import { placeOf, ticksOf, tickText, type Axis, type Estimate } from '../lib/axis';
import { formatChange, formatInterval } from '../lib/format';
import { lookOf } from '../lib/verdict';

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
