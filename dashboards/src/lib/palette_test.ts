// SPDX-License-Identifier: Apache-2.0
// The tones as people with each kind of colour blindness see them. The matrices are those of G. M. Machado, M. M.
// Oliveira and L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE
// Transactions on Visualization and Computer Graphics 15 (2009), at severity 1, applied to linear sRGB. Distances are
// CIE 1976.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { looks } from './verdict';

type Rgb = [number, number, number];

const visions: Record<string, number[]> = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

const tokens = readFileSync('src/style/tokens.css', 'utf8');
const colours = (block: RegExp) =>
  Object.fromEntries(
    [...block.exec(tokens)![1]!.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map((found) => [found[1]!, found[2]!]),
  );
const themes = {
  light: colours(/^:root \{([\s\S]*?)^\}/m),
  dark: colours(/^:root\[data-theme="dark"\] \{([\s\S]*?)^\}/m),
};

const linear = (hex: string) =>
  [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Rgb;
const seen = (matrix: number[], [r, g, b]: Rgb) =>
  [0, 3, 6].map((at) => Math.min(1, Math.max(0, matrix[at]! * r + matrix[at + 1]! * g + matrix[at + 2]! * b))) as Rgb;

function lab([r, g, b]: Rgb): Rgb {
  const f = (part: number) => (part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116);
  const [x, y, z] = [
    f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047),
    f(0.2126729 * r + 0.7151522 * g + 0.072175 * b),
    f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883),
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(linear(a)), luminance(linear(b))].sort((one, other) => other - one) as [
    number,
    number,
  ];
  return (high + 0.05) / (low + 0.05);
}

/** What a reader must never take for each other, and how far apart they are to everybody. */
const apart: [string, string, number][] = [
  ['faster', 'slower', 60],
  ['good', 'slower', 20],
  ['good', 'broken', 20],
  ['good', 'unsure', 25],
  ['slower', 'broken', 12],
  ['slower', 'unsure', 10],
  ['faster', 'broken', 12],
  ['broken', 'calm', 10],
  ['good', 'faster', 10],
  ['slower', 'calm', 20],
  ['faster', 'calm', 15],
  ['broken', 'unsure', 15],
];

for (const [theme, colour] of Object.entries(themes)) {
  for (const [vision, matrix] of Object.entries(visions))
    test(`${theme}: tones stay apart under ${vision}`, () => {
      for (const [a, b, least] of apart) {
        const [one, other] = [lab(seen(matrix, linear(colour[a]!))), lab(seen(matrix, linear(colour[b]!)))];
        const distance = Math.hypot(...one.map((part, i) => part - other[i]!));
        assert.ok(distance >= least, `${a} and ${b}: ${distance.toFixed(1)}, at least ${least}`);
      }
    });
  test(`${theme}: every tone can be read on the surface and on its own`, () => {
    for (const tone of ['good', 'faster', 'slower', 'broken', 'unsure', 'calm', 'busy'])
      for (const ground of ['surface', `${tone}-soft`]) {
        const found = contrast(colour[tone]!, colour[ground]!);
        assert.ok(found >= 4.5, `${tone} on ${ground}: ${found.toFixed(2)}`);
      }
  });
}

test('each look has a glyph and a word beside its colour, and tones that are near each other share no glyph', () => {
  for (const [name, { glyph, word }] of Object.entries(looks))
    assert.ok([...glyph].length === 1 && word.length > 0, name);
  const glyphs = (tone: string) =>
    Object.values(looks)
      .filter((one) => one.tone === tone)
      .map((one) => one.glyph);
  for (const [a, b] of apart) {
    const shared = glyphs(a).filter((one) => glyphs(b).includes(one));
    assert.deepEqual(shared, [], `${a} and ${b}`);
  }
});
