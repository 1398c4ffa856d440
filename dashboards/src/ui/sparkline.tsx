// SPDX-License-Identifier: Apache-2.0
// A line without axes, for the shape of a series. Pure SVG; `label` is what a reader who cannot see it is told.
interface SparklineProps {
  values: readonly number[];
  label: string;
  width?: number;
  height?: number;
}

export function Sparkline({ values, label, width = 120, height = 28 }: SparklineProps) {
  if (values.length < 2) return <span class="dim">–</span>;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (i: number) => 2 + (i / (values.length - 1)) * (width - 6);
  const y = (value: number) => height - 3 - ((value - low) / span) * (height - 6);
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <svg
      class="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polyline points={points} />
      <circle cx={x(values.length - 1)} cy={y(values[values.length - 1]!)} r="2.2" />
    </svg>
  );
}
