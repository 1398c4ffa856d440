// SPDX-License-Identifier: Apache-2.0
// Every page of the application, one entry each. A pattern here is also a route of the server
// (server/api/endpoints.cpp), which answers it with the application, so that a link can be opened anywhere. A page's
// code is fetched when it is first shown.
import type { FunctionComponent } from 'preact';

export interface PageProps {
  parameters: Record<string, string>;
}

export interface PageEntry {
  pattern: string;
  /** In the navigation, with the letter that goes there after g. */
  nav?: { label: string; key: string };
  title: string;
  load: () => Promise<{ default: FunctionComponent<PageProps> }>;
}

export const pages: PageEntry[] = [
  { pattern: '/', nav: { label: 'Overview', key: 'o' }, title: 'Overview', load: () => import('./pages/overview') },
  { pattern: '/runs', nav: { label: 'Runs', key: 'r' }, title: 'Runs', load: () => import('./pages/runs') },
  { pattern: '/runs/{id}', title: 'Run', load: () => import('./pages/run') },
  {
    pattern: '/benchmarks',
    nav: { label: 'Benchmarks', key: 'b' },
    title: 'Benchmarks',
    load: () => import('./pages/benchmarks'),
  },
  { pattern: '/history', nav: { label: 'History', key: 'h' }, title: 'History', load: () => import('./pages/history') },
  { pattern: '/compare', nav: { label: 'Compare', key: 'c' }, title: 'Compare', load: () => import('./pages/compare') },
  {
    pattern: '/roofline',
    nav: { label: 'Roofline', key: 'f' },
    title: 'Roofline',
    load: () => import('./pages/roofline'),
  },
  {
    pattern: '/bisections',
    nav: { label: 'Bisections', key: 'i' },
    title: 'Bisections',
    load: () => import('./pages/bisections'),
  },
  { pattern: '/bisections/{id}', title: 'Bisection', load: () => import('./pages/bisection') },
  {
    pattern: '/baselines',
    nav: { label: 'Baselines', key: 'l' },
    title: 'Baselines',
    load: () => import('./pages/baselines'),
  },
  {
    pattern: '/testbeds',
    nav: { label: 'Testbeds', key: 't' },
    title: 'Testbeds',
    load: () => import('./pages/testbeds'),
  },
  {
    pattern: '/attempts',
    nav: { label: 'Attempts', key: 'a' },
    title: 'Attempts',
    load: () => import('./pages/attempts'),
  },
  { pattern: '/admin', nav: { label: 'Admin', key: 'm' }, title: 'Admin', load: () => import('./pages/admin') },
];
