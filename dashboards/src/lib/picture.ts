// SPDX-License-Identifier: Apache-2.0
// A picture as a list of shapes: written as SVG, or painted for PNG. Texts are foreign: SVG escapes them.

export type Shape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string }
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number; stroke: string; width: number }
  | { kind: 'dot'; x: number; y: number; radius: number; fill: string }
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      fill: string;
      align: 'start' | 'middle' | 'end';
      size: number;
      bold?: boolean;
    };

export interface Picture {
  width: number;
  height: number;
  title: string;
  shapes: Shape[];
}

const FONT = 'system-ui, sans-serif';
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) =>
  text.replace(/[&<>"]/g, (one) => entities[one]!).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�');

type Attributes = Record<string, string | number | undefined>;

function element(name: string, attributes: Attributes, text?: string): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join('');
  return text === undefined ? `<${name}${written}/>` : `<${name}${written}>${escape(text)}</${name}>`;
}

function elementOf(shape: Shape): string {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, fill } = shape;
      return element('rect', { x, y, width, height, fill });
    }
    case 'line': {
      const { x1, y1, x2, y2, stroke, width } = shape;
      return element('line', { x1, y1, x2, y2, stroke, 'stroke-width': width, 'stroke-linecap': 'round' });
    }
    case 'dot':
      return element('circle', { cx: shape.x, cy: shape.y, r: shape.radius, fill: shape.fill });
    case 'text': {
      const { x, y, fill, size, align, bold, text } = shape;
      const weight = bold ? 600 : undefined;
      return element('text', { x, y, fill, 'font-size': size, 'text-anchor': align, 'font-weight': weight }, text);
    }
  }
}

export function svgOf({ width, height, title, shapes }: Picture): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="${FONT}" role="img">` +
    `<title>${escape(title)}</title>\n${shapes.map(elementOf).join('\n')}\n</svg>\n`
  );
}

const aligns = { start: 'left', middle: 'center', end: 'right' } as const;

function paint(ctx: CanvasRenderingContext2D, shape: Shape): void {
  if (shape.kind === 'line') {
    ctx.strokeStyle = shape.stroke;
    ctx.lineWidth = shape.width;
    ctx.beginPath();
    ctx.moveTo(shape.x1, shape.y1);
    ctx.lineTo(shape.x2, shape.y2);
    ctx.stroke();
    return;
  }
  ctx.fillStyle = shape.fill;
  if (shape.kind === 'rect') ctx.fillRect(shape.x, shape.y, shape.width, shape.height);
  else if (shape.kind === 'text') {
    ctx.font = `${shape.bold ? '600 ' : ''}${shape.size}px ${FONT}`;
    ctx.textAlign = aligns[shape.align];
    ctx.fillText(shape.text, shape.x, shape.y);
  } else {
    ctx.beginPath();
    ctx.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
    ctx.fill();
  }
}

const PNG_SIDE_MAX = 16000; // what browsers' canvases take

export function pngOf(picture: Picture): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  const scale = Math.min(2, PNG_SIDE_MAX / picture.height);
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  const ctx = canvas.getContext('2d')!;
  ctx.scale(scale, scale);
  ctx.lineCap = 'round';
  for (const shape of picture.shapes) paint(ctx, shape);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Hands a file to the person. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
