// SPDX-License-Identifier: Apache-2.0
// Static files with hashed names into dist/, which the C++ build embeds. Nothing is inlined: the server's
// Content-Security-Policy allows files of its own only.
import { defineConfig } from 'vite';

export default defineConfig({
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2021',
    outDir: process.env.KG_DIST ?? 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
