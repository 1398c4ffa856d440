// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeChange, counterRows, formatCount } from './counters';

const kernel = (counters: Record<string, number>) => ({ kernel: 'gemm', counters });

test('counters have names and units, and what moved most comes first', () => {
  const rows = counterRows(
    kernel({
      'gpu__time_duration.sum': 15100,
      'dram__bytes.sum': 22.4e6,
      'lts__t_sector_hit_rate.pct': 91.2,
      launch__registers_per_thread: 21,
      only_base: 1,
    }),
    kernel({
      'gpu__time_duration.sum': 180800,
      'dram__bytes.sum': 536.8e6,
      'lts__t_sector_hit_rate.pct': 90.1,
      launch__registers_per_thread: 32,
    }),
  );
  assert.deepEqual(
    rows.map(({ name, base, head, change }) => [name, base, head, change]),
    [
      ['DRAM traffic', '21.4 MiB', '512 MiB', '×24.0'],
      ['duration', '15.10 µs', '180.8 µs', '×12.0'],
      ['registers a thread', '21', '32', '+52.38 %'],
      ['L2 hit rate', '91.2 %', '90.1 %', '−1.1 points'],
    ],
  );
});

test('stalls are warps, and what appears or ends says so', () => {
  const stall = 'smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio';
  const [first, second] = counterRows(
    kernel({ [stall]: 14.8, 'sm__inst_executed_pipe_tensor.sum': 16380 }),
    kernel({ [stall]: 54.56, 'sm__inst_executed_pipe_tensor.sum': 0 }),
  );
  assert.deepEqual(
    [first!.name, first!.base, first!.head, first!.change],
    ['tensor instructions', '16.4 k', '0', 'gone'],
  );
  assert.deepEqual([second!.name, second!.head], ['stalled: long scoreboard', '54.56 warps']);
});

test('counts are short', () => {
  assert.deepEqual([0, 9743, 0.06, 974400, 30.81e6, 2.5e12].map(formatCount), [
    '0',
    '9743',
    '0.0600',
    '974 k',
    '30.8 M',
    '2.50 T',
  ]);
});

test('a change of device code is a kernel and its parts', () => {
  assert.deepEqual(
    codeChange(
      'ns::(anonymous namespace)::gemm<64, 2>: registers 21 -> 32, ' +
        'spills 0 -> 8 bytes (0 -> 1 stores, 0 -> 1 loads), BRA 2 -> 1',
    ),
    {
      kernel: 'ns::(anonymous namespace)::gemm<64, 2>',
      what: ['registers 21 → 32', 'spills 0 → 8 bytes (0 → 1 stores, 0 → 1 loads)', 'BRA 2 → 1'],
    },
  );
  assert.deepEqual(codeChange('and 4 more kernels'), { kernel: '', what: ['and 4 more kernels'] });
});
