// SPDX-License-Identifier: Apache-2.0
// Numbers and times as people read them. Pure; format_test.ts holds it.

const NONE = '–';

function digits(value: number, significant = 3): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, significant - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 6));
}

/** "831 ns", "12.4 µs", "3.21 ms", "1.50 s". */
export function formatNs(ns: number | null | undefined, significant = 4): string {
  if (ns === null || ns === undefined || !Number.isFinite(ns)) return NONE;
  const steps: [number, string][] = [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
  ];
  for (const [size, unit] of steps) if (Math.abs(ns) >= size) return `${digits(ns / size, significant)} ${unit}`;
  return `${digits(ns, significant)} ns`;
}

/** The time of one launch, and how often an iteration launches it where that is not once: "991 ns × 2". */
export function formatLaunches(ns: number | null, launches: number): string {
  if (ns === null || launches === 1) return formatNs(ns);
  return `${formatNs(ns)} × ${Number(launches.toPrecision(3))}`;
}

/** A ratio as a change: "+4.12 %", "−0.30 %"; from a factor of 2 on "×2.31". */
export function formatChange(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio) || ratio <= 0) return NONE;
  if (ratio >= 2 || ratio <= 0.5) return `×${digits(ratio)}`;
  return formatPercent(ratio - 1);
}

/** A fraction as signed per cent. */
export function formatPercent(fraction: number, decimals = 2): string {
  const text = Math.abs(fraction * 100).toFixed(decimals);
  const sign = Number(text) === 0 ? '±' : fraction < 0 ? '−' : '+';
  return `${sign}${text} %`;
}

export function formatInterval(low: number | null | undefined, high: number | null | undefined): string {
  if (low === null || low === undefined || high === null || high === undefined) return NONE;
  return `${formatChange(low)} to ${formatChange(high)}`;
}

/** Rates: "812 TFLOP/s", "3.35 TB/s". */
export function formatRate(per_second: number, unit: string): string {
  const steps: [number, string][] = [
    [1e15, 'P'],
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  for (const [size, prefix] of steps)
    if (Math.abs(per_second) >= size) return `${digits(per_second / size)} ${prefix}${unit}/s`;
  return `${digits(per_second)} ${unit}/s`;
}

export function formatBytes(bytes: number): string {
  const steps: [number, string][] = [
    [1 << 30, 'GiB'],
    [1 << 20, 'MiB'],
    [1 << 10, 'KiB'],
  ];
  for (const [size, unit] of steps) if (bytes >= size) return `${digits(bytes / size)} ${unit}`;
  return `${bytes} B`;
}

/** "8.2 s", "3 min 20 s", "2 h 5 min", "4 d". */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return NONE;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  const [minutes, hours, days] = [Math.floor(whole / 60), Math.floor(whole / 3600), Math.floor(whole / 86400)];
  if (hours < 1) return `${minutes} min` + (whole % 60 ? ` ${whole % 60} s` : '');
  if (days < 2) return `${hours} h` + (minutes % 60 ? ` ${minutes % 60} min` : '');
  return `${days} d`;
}

/** How long ago, coarse: "just now", "5 min ago", "3 d ago". */
export function formatAge(then: string | number, now: number): string {
  const seconds = (now - new Date(then).getTime()) / 1000;
  if (seconds < 45) return 'just now';
  const steps: [number, string][] = [
    [86400 * 365, 'y'],
    [86400 * 30, 'mo'],
    [86400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ];
  for (const [size, unit] of steps)
    if (seconds >= size * 0.95) return `${Math.max(1, Math.round(seconds / size))} ${unit} ago`;
  return '1 min ago';
}

/** The local time of day, or date and time where that is another day. */
export function formatTime(then: string | number, now = Date.now()): string {
  const at = new Date(then);
  const time = at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  if (new Date(now).toDateString() === at.toDateString()) return time;
  return `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' })}, ${time}`;
}

/** Of an axis: the day, the time where all of it is one day, the time with seconds where it is a few minutes. */
export function formatTick(then: string | number, first: string | number, last: string | number): string {
  const [at, from, to] = [new Date(then), new Date(first), new Date(last)];
  const second = Math.abs(to.getTime() - from.getTime()) < 600_000 ? '2-digit' : undefined;
  if (second || from.toDateString() === to.toDateString())
    return at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second });
  return at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: '2-digit' });
}

/** To the millisecond, local and UTC: for titles. */
export function formatExact(then: string | number): string {
  const at = new Date(then);
  return `${at.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })} · ${at.toISOString()}`;
}

export function shortHash(hash: string): string {
  return hash.slice(0, 10);
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function formatMoney(amount: number | null | undefined): string {
  if (amount === null || amount === undefined) return NONE;
  return amount < 0.995 ? amount.toFixed(4).replace(/0{1,2}$/, '') : amount.toFixed(2);
}
