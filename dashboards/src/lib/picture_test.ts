// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { svgOf } from './picture';

test('foreign text is text in an SVG file', () => {
  const svg = svgOf({
    width: 10,
    height: 10,
    title: '</title><script>',
    shapes: [{ kind: 'text', x: 1, y: 2, text: `<img onerror="x">&\u0001`, fill: '#000', align: 'start', size: 12 }],
  });
  assert.ok(!/<script|<img|\u0001/.test(svg));
  assert.match(svg, /&lt;img onerror=&quot;x&quot;&gt;&amp;/);
});
