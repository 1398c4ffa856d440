// SPDX-License-Identifier: Apache-2.0
// The names of the lines and their figures below the chart.
import { useState } from 'preact/hooks';
import { formatChange, formatExact, formatTime } from '../lib/format';
import type { Line } from '../lib/history';
import { Link } from '../lib/router';
import { dashes, lineNumber } from '../ui/chart_draw';
import { Badge, Hash } from '../ui/parts';
import { formatFigure, type Model } from './model';

function Swatch({ index }: { index: number }) {
  return (
    <svg width="26" height="10" aria-hidden="true">
      <line
        class={`line-${lineNumber(index)}`}
        x1="0"
        x2="26"
        y1="5"
        y2="5"
        stroke-width="2.5"
        stroke-dasharray={dashes[index % dashes.length]!.join(' ')}
      />
    </svg>
  );
}

interface ReadoutProps {
  model: Model;
  to: string;
  tell: { current: (at: number | null) => void };
  remove: (line: Line) => void;
}

/** The lines' names and their figures under the cursor; the newest ones where there is no cursor. */
export function Readout({ model, to, tell, remove }: ReadoutProps) {
  const [at, set] = useState<number | null>(null);
  tell.current = set;
  const newest = (line: Line) => {
    for (let i = line.points.length - 1; i >= 0; --i) if (line.points[i]) return i;
    return 0;
  };
  const stop = at === null ? undefined : model.stops[at];
  return (
    <>
      <p class="readout" aria-live="polite">
        {stop ? (
          <>
            <Link to={`/runs/${stop.run}`}>Run #{stop.run}</Link>
            <Hash value={stop.commit} />
            <span title={formatExact(stop.finished_at)}>{formatTime(stop.finished_at)}</span>
          </>
        ) : (
          <span class="dim">Latest values. Hover over a commit for its values; click to open its run.</span>
        )}
      </p>
      <ul class="plot-lines" aria-label="Lines">
        {model.lines.map((line, index) => {
          const place = at ?? newest(line);
          const point = line.points[place];
          const spread =
            point?.side === 'head' ? `± ${formatChange(1 + point.spread_ns / 2 / point.median_ns).slice(1)}` : '';
          return (
            <li key={index}>
              <Swatch index={index} />
              <span class="name">
                {line.name} <span class="dim">{line.testbed}</span>
              </span>
              <span class="value">{point && line.value[place]! > 0 ? formatFigure(line.value[place]!, to) : '–'}</span>
              <span class="value spread dim" title="Half the range of the process medians">
                {spread}
              </span>
              <span class="verdict">
                {point?.side === 'head' ? (
                  <Badge name={point.verdict} />
                ) : point ? (
                  <span class="dim">as base</span>
                ) : null}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${line.name} on ${line.testbed}`}
                onClick={() => remove(line)}
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
