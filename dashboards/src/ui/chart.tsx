// SPDX-License-Identifier: Apache-2.0
// Lines over commits. uPlot holds axes, scales and cursor; what lies between is drawn here by columns of pixels, so that
// the cost of a frame goes by the width of the plot and not by the number of commits. Drag moves, Shift and drag
// chooses a window, Ctrl and the wheel zoom; the keys do the same.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import '../style/plots.css';
import { clampWindow, columnsOf, rangeOf, spansOf, type Columns, type Line } from '../lib/history';

export interface Mark {
  at: number;
  /** A change of level is a full line, what was accepted a dotted one. */
  kind: 'change' | 'accepted' | 'promoted';
  text: string;
  /** Of one line; absent: of all. */
  line?: number;
}

export interface Level {
  name: string;
  from: number;
  to: number;
  value: number;
  strong: boolean;
}

export interface ChartModel {
  lines: Line[];
  marks: Mark[];
  levels: Level[];
  /** Under the horizontal axis, by position. */
  tick: (at: number) => string;
  format: (value: number) => string;
  count: number;
}

interface ChartProps {
  model: ChartModel;
  label: string;
  window: [number, number];
  setWindow: (window: [number, number]) => void;
  onCursor: (at: number | null) => void;
  onOpen: (at: number) => void;
}

export const dashes = [[], [9, 4], [2, 3], [12, 3, 2, 3], [5, 2], [1, 2]];
const LINES_MAX = 6;
export const lineNumber = (index: number) => (index % LINES_MAX) + 1;

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The colours of the present theme, read once a theme and not once a frame. */
function paletteOf() {
  return {
    text: colour('--text-dim'),
    grid: colour('--line'),
    shade: colour('--band-catch'),
    font: colour('--font'),
    good: colour('--good'),
    surface: colour('--surface'),
    lines: Array.from({ length: LINES_MAX }, (_, i) => colour(`--line-${i + 1}`)),
  };
}
type Palette = ReturnType<typeof paletteOf>;

function drawEpochs(u: uPlot, model: ChartModel, palette: Palette): void {
  const line = model.lines[0];
  if (!line) return;
  const { ctx, bbox } = u;
  ctx.fillStyle = palette.shade;
  for (const [index, span] of spansOf(line).entries()) {
    if (index % 2 === 0) continue;
    const left = Math.max(bbox.left, u.valToPos(span.from - 0.5, 'x', true));
    const right = Math.min(bbox.left + bbox.width, u.valToPos(span.to + 0.5, 'x', true));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

function drawBand(
  ctx: CanvasRenderingContext2D,
  columns: Columns,
  x: (i: number) => number,
  y: (value: number) => number,
): void {
  for (const [index, start] of columns.starts.entries()) {
    const end = columns.starts[index + 1] ?? columns.x.length;
    ctx.beginPath();
    for (let i = start; i < end; ++i) ctx.lineTo(x(i), y(columns.high[i]!));
    for (let i = end - 1; i >= start; --i) ctx.lineTo(x(i), y(columns.low[i]!));
    ctx.closePath();
    ctx.fill();
  }
}

function drawMiddle(
  ctx: CanvasRenderingContext2D,
  columns: Columns,
  x: (i: number) => number,
  y: (value: number) => number,
): void {
  ctx.beginPath();
  let next = 0;
  for (let i = 0; i < columns.x.length; ++i) {
    if (i === columns.starts[next]) {
      ctx.moveTo(x(i), y(columns.mid[i]!));
      ++next;
    } else {
      ctx.lineTo(x(i), y(columns.mid[i]!));
    }
  }
  ctx.stroke();
}

function drawLine(u: uPlot, line: Line, index: number, palette: Palette, ratio: number): void {
  const { ctx, bbox } = u;
  const { min, max } = u.scales.x as { min: number; max: number };
  const columns = columnsOf(line, min, max, bbox.width / ratio);
  const y_min = u.scales.y!.min!;
  const y_scale = bbox.height / (u.scales.y!.max! - y_min);
  const x = (i: number) => bbox.left + columns.x[i]! * ratio;
  const y = (value: number) => bbox.top + bbox.height - (value - y_min) * y_scale;
  ctx.strokeStyle = ctx.fillStyle = palette.lines[index % LINES_MAX]!;
  ctx.globalAlpha = 0.22;
  drawBand(ctx, columns, x, y);
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1.6 * ratio;
  ctx.setLineDash(dashes[index % LINES_MAX]!.map((length) => length * ratio));
  drawMiddle(ctx, columns, x, y);
  ctx.setLineDash([]);
  if (columns.x.length * 9 > bbox.width / ratio) return;
  for (let i = 0; i < columns.x.length; ++i) {
    ctx.beginPath();
    ctx.arc(x(i), y(columns.mid[i]!), 2.6 * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** On a rim of the surface, so that it can be read over lines. */
function write(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  palette: Palette,
  ratio: number,
): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 4 * ratio;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, x, y);
  ctx.restore();
  ctx.fillText(text, x, y);
}

function drawLevels(u: uPlot, levels: readonly Level[], palette: Palette, ratio: number): void {
  const { ctx, bbox } = u;
  ctx.font = `${11 * ratio}px ${palette.font}`;
  ctx.textAlign = 'left';
  const written: { y: number; right: number }[] = [];
  for (const level of levels) {
    const y = u.valToPos(level.value, 'y', true);
    const left = Math.max(bbox.left, u.valToPos(level.from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, u.valToPos(level.to, 'x', true));
    if (right <= left || y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = palette.good;
    ctx.fillStyle = palette.good;
    ctx.lineWidth = (level.strong ? 2 : 1.2) * ratio;
    ctx.setLineDash([8 * ratio, 5 * ratio]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(right, y);
    ctx.stroke();
    const text = `${level.strong ? '⚓ ' : ''}${level.name}`;
    if (written.some((one) => Math.abs(one.y - y) < 13 * ratio && left < one.right)) continue;
    written.push({ y, right: left + ctx.measureText(text).width + 8 * ratio });
    write(ctx, text, left + 4 * ratio, y - 5 * ratio, palette, ratio);
  }
  ctx.setLineDash([]);
}

const markGlyphs = { change: '', accepted: '✓ ', promoted: '⚑ ' };

function drawMarks(u: uPlot, marks: readonly Mark[], palette: Palette, ratio: number): void {
  const { ctx, bbox } = u;
  ctx.font = `600 ${11 * ratio}px ${palette.font}`;
  ctx.textAlign = 'left';
  const free = [-Infinity, -Infinity, -Infinity];
  for (const mark of marks) {
    const x = u.valToPos(mark.at, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = mark.line === undefined ? palette.text : palette.lines[mark.line % LINES_MAX]!;
    ctx.lineWidth = 1.2 * ratio;
    ctx.setLineDash(mark.kind === 'change' ? [] : [2 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const text = markGlyphs[mark.kind] + mark.text;
    const width = ctx.measureText(text).width + 8 * ratio;
    const left = x + width > bbox.left + bbox.width ? x - width : x;
    const row = free.findIndex((end) => end < left);
    if (row < 0) continue;
    free[row] = left + width;
    write(ctx, text, left + 4 * ratio, bbox.top + (12 + row * 14) * ratio, palette, ratio);
  }
  ctx.setLineDash([]);
}

function draw(u: uPlot, model: ChartModel, palette: Palette): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineJoin = 'round';
  for (const [index, line] of model.lines.entries()) drawLine(u, line, index, palette, ratio);
  drawLevels(u, model.levels, palette, ratio);
  drawMarks(u, model.marks, palette, ratio);
  ctx.restore();
}

interface Hooks {
  model: ChartModel;
  palette: Palette;
  /** What is to be seen next: uPlot ranges the vertical axis before it takes the horizontal one over. */
  window: [number, number];
  onCursor: (at: number | null) => void;
}

function optionsOf(hooks: Hooks, width: number, height: number): uPlot.Options {
  const axis = {
    stroke: () => hooks.palette.text,
    font: `12px ${colour('--font')}`,
    grid: { stroke: () => hooks.palette.grid, width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, 30, 0, 0],
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    scales: {
      x: { time: false, auto: false },
      y: { range: () => rangeOf(hooks.model.lines, ...hooks.window) },
    },
    axes: [
      {
        ...axis,
        space: 110,
        size: 34,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
        values: (_, splits) => splits.map(hooks.model.tick),
      },
      { ...axis, size: 90, values: (_, splits) => splits.map(hooks.model.format) },
    ],
    series: [{}, ...hooks.model.lines.map(() => ({ paths: () => null, points: { show: false } }))],
    hooks: {
      drawClear: [(u) => drawEpochs(u, hooks.model, hooks.palette)],
      draw: [(u) => draw(u, hooks.model, hooks.palette)],
      setCursor: [(u) => hooks.onCursor(u.cursor.left! >= 0 ? (u.cursor.idx ?? null) : null)],
    },
  };
}

const dataOf = (model: ChartModel): uPlot.AlignedData =>
  [
    Float64Array.from({ length: model.count }, (_, i) => i),
    ...model.lines.map((line) => line.value),
  ] as uPlot.AlignedData;

/** Dragging and the wheel; answers how to take the listeners out again. */
function installPointer(
  u: uPlot,
  element: HTMLElement,
  move: (from: number, to: number) => void,
  open: (at: number) => void,
): () => void {
  const over = u.over;
  let start: { x: number; from: number; to: number; choose: boolean; moved: boolean } | null = null;
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    start = { x: event.clientX, from: u.scales.x!.min!, to: u.scales.x!.max!, choose: event.shiftKey, moved: false };
    over.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (!start) return;
    const pixels = event.clientX - start.x;
    if (Math.abs(pixels) > 3 && !start.moved) {
      start.moved = true;
      element.classList.add('dragging');
    }
    if (!start.moved) return;
    const left = over.getBoundingClientRect().left;
    if (start.choose) {
      u.setSelect(
        { left: Math.min(start.x, event.clientX) - left, width: Math.abs(pixels), top: 0, height: over.clientHeight },
        false,
      );
      return;
    }
    const shift = (pixels / over.clientWidth) * (start.to - start.from);
    move(start.from - shift, start.to - shift);
  };
  const up = (event: PointerEvent) => {
    if (!start) return;
    const left = over.getBoundingClientRect().left;
    if (!start.moved) open(Math.round(u.posToVal(event.clientX - left, 'x')));
    else if (start.choose) {
      const ends = [start.x - left, event.clientX - left].map((at) => u.posToVal(at, 'x')).sort((a, b) => a - b);
      u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      move(ends[0]!, ends[1]!);
    }
    start = null;
    element.classList.remove('dragging');
  };
  const wheel = (event: WheelEvent) => {
    const { min, max } = u.scales.x as { min: number; max: number };
    const width = max - min;
    if (event.ctrlKey || event.metaKey) {
      const at = u.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
      const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.004)));
      move(at - (at - min) * factor, at + (max - at) * factor);
    } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      const shift = (event.deltaX / over.clientWidth) * width;
      move(min + shift, max + shift);
    } else {
      return;
    }
    event.preventDefault();
  };
  const all = () => move(0, Infinity);
  over.addEventListener('pointerdown', down);
  over.addEventListener('pointermove', drag);
  over.addEventListener('pointerup', up);
  over.addEventListener('pointercancel', up);
  over.addEventListener('wheel', wheel, { passive: false });
  over.addEventListener('dblclick', all);
  return () => over.replaceChildren();
}

/** Tells of a change of theme, by the page's choice or the system's. */
function onTheme(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  media.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', listener);
  };
}

export function Chart({ model, label, window: shown, setWindow, onCursor, onOpen }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const held = useRef<Hooks>();
  const show = (min: number, max: number) => {
    held.current!.window = [min, max];
    plot.current!.setScale('x', { min, max });
  };
  const latest = useRef({ model, setWindow, onCursor, onOpen, shown });
  latest.current = { model, setWindow, onCursor, onOpen, shown };

  const move = (from: number, to: number) => {
    const { count } = latest.current.model;
    if (!plot.current) return;
    const [min, max] = clampWindow(from, to === Infinity ? count - 1 : to, count);
    show(min, max);
    latest.current.setWindow([min, max]);
  };

  useEffect(() => {
    const box = element.current!;
    const hooks: Hooks = {
      model,
      palette: paletteOf(),
      window: latest.current.shown,
      onCursor: (at) => latest.current.onCursor(at),
    };
    performance.mark('history-draw');
    const u = new uPlot(optionsOf(hooks, box.clientWidth, box.clientHeight), dataOf(model), box);
    plot.current = u;
    held.current = hooks;
    show(...latest.current.shown);
    queueMicrotask(() => performance.measure('history-draw', 'history-draw'));
    const outPointer = installPointer(u, box, move, (at) => latest.current.onOpen(at));
    const outTheme = onTheme(() => {
      hooks.palette = paletteOf();
      u.redraw();
    });
    const resized = new ResizeObserver(() => u.setSize({ width: box.clientWidth, height: box.clientHeight }));
    resized.observe(box);
    return () => {
      outPointer();
      outTheme();
      resized.disconnect();
      u.destroy();
      plot.current = undefined;
    };
  }, [model]);

  useEffect(() => {
    const scale = plot.current?.scales.x;
    if (scale && (scale.min !== shown[0] || scale.max !== shown[1])) show(...shown);
  }, [shown[0], shown[1]]);

  const keys = (event: KeyboardEvent) => {
    const u = plot.current;
    if (!u || event.ctrlKey || event.metaKey || event.altKey) return;
    const { min, max } = u.scales.x as { min: number; max: number };
    const step = (max - min) * 0.1;
    const cursor = u.cursor.idx ?? Math.round((min + max) / 2);
    const point = (at: number) =>
      u.setCursor({ left: u.valToPos(Math.min(Math.max(at, 0), latest.current.model.count - 1), 'x'), top: 10 });
    if (event.key === 'ArrowLeft') event.shiftKey ? move(min - step, max - step) : point(cursor - 1);
    else if (event.key === 'ArrowRight') event.shiftKey ? move(min + step, max + step) : point(cursor + 1);
    else if (event.key === '+') move(min + step, max - step);
    else if (event.key === '-') move(min - step, max + step);
    else if (event.key === '0') move(0, Infinity);
    else if (event.key === 'Enter') onOpen(cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const zoom = (factor: number) => () => {
    const { min, max } = plot.current!.scales.x as { min: number; max: number };
    const [middle, half] = [(min + max) / 2, ((max - min) / 2) * factor];
    move(middle - half, middle + half);
  };
  return (
    <>
      <div ref={element} class="history-plot" tabIndex={0} role="application" aria-label={label} onKeyDown={keys} />
      <div class="plot-tools">
        <span class="help">
          Drag to move, <kbd>Shift</kbd> and drag to choose a window, <kbd>Ctrl</kbd> and wheel to zoom
        </span>
        <div class="acts" role="group" aria-label="Window">
          <button type="button" onClick={zoom(0.6)} aria-label="Zoom in">
            +
          </button>
          <button type="button" onClick={zoom(1 / 0.6)} aria-label="Zoom out">
            −
          </button>
          <button type="button" onClick={() => move(0, Infinity)}>
            All
          </button>
        </div>
      </div>
    </>
  );
}
