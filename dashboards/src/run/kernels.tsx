// SPDX-License-Identifier: Apache-2.0
// A benchmark's kernels by the device's clock: what each took on either side, the one that changed most first.
import { formatChange, formatInterval, formatLaunches } from '../lib/format';
import type { DeviceComparison, KernelComparison } from '../lib/types';
import { Badge } from '../ui/parts';

function KernelRow({ one }: { one: KernelComparison }) {
  return (
    <tr>
      <td>
        <details>
          <summary>{one.kernel}</summary>
          <code class="wrap">{one.full_name}</code>
        </details>
      </td>
      <td>{one.grid}</td>
      <td>{formatLaunches(one.base_ns, one.base_launches)}</td>
      <td>{formatLaunches(one.head_ns, one.head_launches)}</td>
      <td>{formatChange(one.ratio)}</td>
      <td>{formatInterval(one.ratio_low, one.ratio_high)}</td>
      <td>
        <Badge name={one.verdict} />
      </td>
    </tr>
  );
}

export function Kernels({ device }: { device: DeviceComparison }) {
  return (
    <>
      <p class="wrap">{device.reason}</p>
      <table class="table compact">
        <thead>
          <tr>
            {['Kernel', 'Grid', 'Base', 'Head', 'Change', '99 % interval', 'Verdict'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {device.kernels.map((one) => (
            <KernelRow key={`${one.full_name} ${one.grid} ${one.block}`} one={one} />
          ))}
        </tbody>
      </table>
    </>
  );
}
