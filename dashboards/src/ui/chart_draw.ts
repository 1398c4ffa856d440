// SPDX-License-Identifier: Apache-2.0
// What lies between the axes of a chart over commits, drawn by columns of pixels: the cost of a frame depends on the
// width of the plot and not on the number of commits.
import uPlot from 'uplot';
import { columnsOf, spansOf, type Columns, type Line } from '../lib/history';

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

export const dashes = [[], [9, 4], [2, 3], [12, 3, 2, 3], [5, 2], [1, 2]];
const LINES_MAX = 6;
export const lineNumber = (index: number) => (index % LINES_MAX) + 1;

export const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The colours of the present theme, read once a theme and not once a frame. */
export function paletteOf() {
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
export type Palette = ReturnType<typeof paletteOf>;

export function drawEpochs(u: uPlot, model: ChartModel, palette: Palette): void {
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

export function draw(u: uPlot, model: ChartModel, palette: Palette): void {
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
