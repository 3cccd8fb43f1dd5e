// Numbers as people read them: few digits, SI prefixes.

const prefixes = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];

// The prefix under which a size is written; units that take none get a factor of 1.
// A prefix of m^2 would be squared, and kg has one already.
const withoutPrefix = /^kg|^[A-Za-z]+\^/;

export function prefixFor(size, unit) {
  if (!unit || withoutPrefix.test(unit) || !(size > 0) || !Number.isFinite(size)) return [1, ''];
  for (const [factor, name] of prefixes) {
    if (size >= 0.9995 * factor) return [factor, name];
  }
  return [1, ''];
}

export function plain(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3)
    return value
      .toExponential(digits - 1)
      .replace('e+', 'e')
      .replace('-', '−');
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

// A quantity with its unit: 12.3 kPa.
export function quantity(value, unit, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const [factor, prefix] = prefixFor(Math.abs(value), unit);
  return `${plain(value / factor, digits)}${unit ? ` ${prefix}${unit}` : ''}`;
}

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  if (seconds < 90) return quantity(seconds, 's');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 90) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Round values that divide an interval into about `count` parts.
export function ticks(low, high, count = 4) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) values.push(k * step);
  return values;
}

const labels = { von_mises: 'von Mises stress', strain: 'equivalent strain', basis: 'one function', blend: 'blend of all functions' };

export const words = (name) => labels[name] ?? name.replaceAll('_', ' ');

// Times of a run with equal digits: as many decimals as tell neighbouring frames apart.
export function clock(times) {
  const end = Math.max(...[times[0], times.at(-1)].map(Math.abs));
  let gap = Infinity;
  for (let i = 1; i < times.length; ++i) gap = Math.min(gap, times[i] - times[i - 1]);
  const [factor, prefix] = end >= 0.1 || end === 0 ? [1, ''] : prefixFor(end, 's');
  const decimals =
    gap > 0 && gap < Infinity ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(gap / factor) - 1e-9))) : 0;
  return (time) => `${(time / factor).toFixed(decimals)} ${prefix}s`;
}
