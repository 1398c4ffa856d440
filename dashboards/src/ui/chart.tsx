// SPDX-License-Identifier: Apache-2.0
// Lines over commits. uPlot holds axes, scales and cursor; chart_draw.ts draws what lies between. Drag moves, Shift and
// drag chooses a window, Ctrl and the wheel zoom; the keys do the same.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import '../style/plots.css';
import { clampWindow, rangeOf } from '../lib/history';
import { colour, draw, drawEpochs, paletteOf, type ChartModel, type Palette } from './chart_draw';

interface ChartProps {
  model: ChartModel;
  label: string;
  window: [number, number];
  setWindow: (window: [number, number]) => void;
  onCursor: (at: number | null) => void;
  onOpen: (at: number) => void;
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
    padding: [10, 46, 0, 0],
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

/** What a key does to the window or the cursor; false where it does nothing. */
function answerKey(
  u: uPlot,
  event: KeyboardEvent,
  count: number,
  move: (from: number, to: number) => void,
  open: (at: number) => void,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { min, max } = u.scales.x as { min: number; max: number };
  const step = (max - min) * 0.1;
  const cursor = u.cursor.idx ?? Math.round((min + max) / 2);
  const point = (at: number) => u.setCursor({ left: u.valToPos(Math.min(Math.max(at, 0), count - 1), 'x'), top: 10 });
  const keys: Record<string, () => void> = {
    ArrowLeft: () => (event.shiftKey ? move(min - step, max - step) : point(cursor - 1)),
    ArrowRight: () => (event.shiftKey ? move(min + step, max + step) : point(cursor + 1)),
    '+': () => move(min + step, max - step),
    '-': () => move(min - step, max + step),
    '0': () => move(0, Infinity),
    Enter: () => open(cursor),
  };
  const answer = keys[event.key];
  answer?.();
  return answer !== undefined;
}

function PlotTools({ zoom, all }: { zoom: (factor: number) => void; all: () => void }) {
  return (
    <div class="plot-tools">
      <span class="help">
        Drag to move, <kbd>Shift</kbd>+drag to select a range, <kbd>Ctrl</kbd>+wheel to zoom
      </span>
      <div class="actions" role="group" aria-label="Zoom">
        <button type="button" onClick={() => zoom(0.6)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom(1 / 0.6)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={all}>
          All
        </button>
      </div>
    </div>
  );
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
    if (!u || !answerKey(u, event, latest.current.model.count, move, onOpen)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const zoom = (factor: number) => {
    const { min, max } = plot.current!.scales.x as { min: number; max: number };
    const [middle, half] = [(min + max) / 2, ((max - min) / 2) * factor];
    move(middle - half, middle + half);
  };
  return (
    <>
      <div ref={element} class="history-plot" tabIndex={0} role="application" aria-label={label} onKeyDown={keys} />
      <PlotTools zoom={zoom} all={() => move(0, Infinity)} />
    </>
  );
}
