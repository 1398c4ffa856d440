// SPDX-License-Identifier: Apache-2.0
// A run's benchmarks under the GPU's roofs: by rate where its ceilings are known, else by share of the roof.
import { useEffect, useRef, useState } from 'preact/hooks';
import { getJson } from '../lib/api';
import { useData } from '../lib/data';
import { formatRate, plural } from '../lib/format';
import { Link, navigate } from '../lib/router';
import { decadesOf, placeOnLog, ticksOnLog, type Span } from '../lib/axis';
import { roofText, roofWord, type Roof, type RoofPoint, type RunCeilings } from '../lib/roofline';
import type { Run } from '../lib/types';
import { Loading, Section } from '../ui/parts';
import '../style/roofline.css';

const HEIGHT = 380;
const MARGIN = { left: 88, right: 26, top: 14, bottom: 44 };

/** Each limiting roof has a shape and a line of its own. */
const shapes = [
  'M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0',
  'M-5 -5H5V5H-5Z',
  'M0 -6.5L6.5 5H-6.5Z',
  'M0 -6.5L6.5 0L0 6.5L-6.5 0Z',
  'M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z',
];

export function RoofMark({ index }: { index: number }) {
  return (
    <svg
      class={`roof-mark roof-${(index % shapes.length) + 1}`}
      width="16"
      height="16"
      viewBox="-8 -8 16 16"
      aria-hidden="true"
    >
      <path d={shapes[index % shapes.length]} />
    </svg>
  );
}

function useWidth(): [preact.RefObject<HTMLDivElement>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [width, set] = useState(720);
  useEffect(() => {
    const seen = new ResizeObserver(([entry]) => set(Math.max(280, Math.round(entry!.contentRect.width))));
    seen.observe(element.current!);
    return () => seen.disconnect();
  }, []);
  return [element, width];
}

const power = (value: number) => (value >= 0.001 && value < 1e6 ? String(value) : value.toExponential(0));

interface Frame {
  x: (intensity: number) => number;
  y: (value: number) => number;
  wide: Span;
  tall: Span;
  width: number;
}

function Axes({ frame, byRate }: { frame: Frame; byRate: boolean }) {
  const { x, y, wide, tall, width } = frame;
  const bottom = HEIGHT - MARGIN.bottom;
  return (
    <g class="roof-axes">
      {ticksOnLog(wide).map((at) => (
        <g key={at}>
          <line x1={x(at)} x2={x(at)} y1={MARGIN.top} y2={bottom} />
          <text x={x(at)} y={bottom + 16} text-anchor="middle">
            {power(at)}
          </text>
        </g>
      ))}
      {ticksOnLog(tall).map((at) => (
        <g key={at}>
          <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(at)} y2={y(at)} />
          <text x={MARGIN.left - 8} y={y(at) + 4} text-anchor="end">
            {byRate ? formatRate(at, 'FLOP').replace('.00', '').replace('.0', '') : `${power(at * 100)} %`}
          </text>
        </g>
      ))}
      <text x={(MARGIN.left + width - MARGIN.right) / 2} y={HEIGHT - 8} text-anchor="middle">
        FLOP per byte
      </text>
    </g>
  );
}

function Roofs({ frame, roofs, byRate }: { frame: Frame; roofs: Roof[]; byRate: boolean }) {
  const { x, y, wide, tall } = frame;
  if (!byRate) return <line class="roof-line" x1={x(wide.low)} x2={x(wide.high)} y1={y(1)} y2={y(1)} />;
  return (
    <g>
      {roofs.map(({ roof, rate, is_memory: rising }, i) => {
        if (rate === null) return null;
        const clip = (at: number) => Math.min(tall.high, Math.max(tall.low, rising ? rate * at : rate));
        // A memory roof leaves the picture at its top or enters it from below: it is drawn between these two.
        const from = rising ? Math.max(wide.low, tall.low / rate) : wide.low;
        const to = rising ? Math.min(wide.high, tall.high / rate) : wide.high;
        return (
          <line
            key={roof}
            class={`roof-line roof-${(i % shapes.length) + 1}`}
            x1={x(from)}
            x2={x(to)}
            y1={y(clip(from))}
            y2={y(clip(to))}
          />
        );
      })}
    </g>
  );
}

const words = (one: RoofPoint): string =>
  `${one.benchmark}: ${roofText(one)}${one.rate === null ? '' : `, ${formatRate(one.rate, 'FLOP')}`}`;

interface RooflineProps {
  points: RoofPoint[];
  /** Those of the run. */
  roofs: Roof[];
  /** Where a click on a point leads. */
  to: (point: RoofPoint) => string;
}

export function RooflinePlot({ points, roofs: all, to }: RooflineProps) {
  const [element, width] = useWidth();
  const [told, tell] = useState<RoofPoint>();
  const byRate = points.some((one) => one.rate !== null);
  const shown = points.filter((one) => one.intensity > 0 && (!byRate || one.rate !== null));
  const roofs = all.filter(({ roof }) => points.some((one) => one.roof === roof));
  const placeOf = ({ roof }: RoofPoint) => roofs.findIndex((one) => one.roof === roof) % shapes.length;
  const wide = decadesOf(
    shown.map((one) => one.intensity),
    { low: 1, high: 10 },
  );
  const heights = shown.flatMap((one) => (byRate ? [one.rate!, one.roof_rate!] : [one.fraction]));
  const tall = decadesOf(
    heights,
    byRate ? { low: Math.min(...heights), high: Math.max(...heights) } : { low: 0.1, high: 1 },
  );
  const frame: Frame = {
    wide,
    tall,
    width,
    x: (at) => MARGIN.left + placeOnLog(wide, at) * (width - MARGIN.left - MARGIN.right),
    y: (at) => HEIGHT - MARGIN.bottom - placeOnLog(tall, at) * (HEIGHT - MARGIN.top - MARGIN.bottom),
  };
  const placed = (one: RoofPoint) =>
    `${frame.x(one.intensity).toFixed(1)} ${frame.y(byRate ? one.rate! : one.fraction).toFixed(1)}`;
  return (
    <div class="roofline" ref={element}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Roofline of ${plural(shown.length, 'benchmark')}; the table below has the figures.`}
      >
        <Axes frame={frame} byRate={byRate} />
        <Roofs frame={frame} roofs={roofs} byRate={byRate} />
        {shown.map((one) => (
          <path
            key={`${one.suite}/${one.benchmark}`}
            class={`roof-point roof-${placeOf(one) + 1}`}
            d={shapes[placeOf(one)]}
            transform={`translate(${placed(one)})`}
            onMouseEnter={() => tell(one)}
            onClick={() => navigate(to(one))}
          >
            <title>{words(one)}</title>
          </path>
        ))}
      </svg>
      <p class="roof-told" aria-live="polite">
        {told ? words(told) : <span class="dim">Hover over a benchmark for its figures; click to open it.</span>}
      </p>
      <p class="roof-key">
        {roofs.map(({ roof }, i) => (
          <span key={roof}>
            <RoofMark index={i} /> limited by {roofWord(roof)}
          </span>
        ))}
        {shown.length < points.length ? (
          <span class="dim">
            {plural(points.length - shown.length, 'benchmark')} without FLOP or a known rate, listed in the table only
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** The rates measured on the GPU of a run, and its benchmarks under them; null while they are not known. */
export function useRoofline(run: number | undefined): RunCeilings | null {
  const path = run === undefined ? '' : `/api/v1/runs/${run}/ceilings`;
  const { data } = useData(path, (signal) => getJson<RunCeilings>(path, signal));
  return data ?? null;
}

export const pointTarget = (run: number) => (one: RoofPoint) =>
  `/runs/${run}?${new URLSearchParams({ open: `${one.suite}/${one.benchmark}` })}`;

/** The section of the run's page. */
export function RunRoofline({ run }: { run: Run }) {
  const any = run.comparisons.some((one) => one.roof);
  const roofline = useRoofline(any ? run.id : undefined);
  if (!any) return null;
  return (
    <Section
      title="Roofline"
      note={
        <Link to={`/roofline?${new URLSearchParams({ repository: run.repository, run: String(run.id) })}`}>
          full roofline
        </Link>
      }
    >
      {roofline ? (
        <RooflinePlot points={roofline.points} roofs={roofline.roofs} to={pointTarget(run.id)} />
      ) : (
        <Loading lines={12} />
      )}
    </Section>
  );
}
