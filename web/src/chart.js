// The frame of a picture of values over stretches: how both lie in it, its grid, and numbers beside it.
import { svg } from './dom.js';
import { plain, prefixFor, ticks } from './units.js';

export const margin = { left: 46, right: 10, top: 8, bottom: 20 };

// Linear, or logarithmic away from zero on both sides: values up to `small` in size lie near zero.
export class Scale {
  constructor(low, high, small = 0) {
    Object.assign(this, { low, high, small });
    this.ends = [this.bend(low), this.bend(high)];
  }

  bend(value) {
    return this.small > 0 ? Math.asinh(value / this.small) : value;
  }

  // 0 at the low end, 1 at the high one; also beyond.
  share(value) {
    return (this.bend(value) - this.ends[0]) / (this.ends[1] - this.ends[0]);
  }

  value(share) {
    const bent = this.ends[0] + share * (this.ends[1] - this.ends[0]);
    return this.small > 0 ? this.small * Math.sinh(bent) : bent;
  }

  ticks(count) {
    if (!(this.small > 0)) return ticks(this.low, this.high, count);
    const powers = [];
    const top = Math.floor(Math.log10(Math.max(-this.low, this.high)) + 1e-9);
    for (let p = Math.ceil(Math.log10(this.small) - 1e-9); p <= top; ++p) powers.push(10 ** p);
    const every = Math.ceil((2 * powers.length) / (count + 2));
    const some = powers.filter((_, k) => (powers.length - 1 - k) % every === 0);
    return [0, ...some, ...some.map((v) => -v)].filter((v) => v >= this.low && v <= this.high);
  }
}

export class Chart {
  // x and y are scales; width and height in pixels.
  constructor(picture, { x, y, width, height, unit }) {
    Object.assign(this, { picture, x, y, width, height, unit });
    this.inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
    [this.factor, this.prefix] = prefixFor(Math.max(Math.abs(y.low), Math.abs(y.high)), unit);
  }

  left(value) {
    return margin.left + this.inner.width * this.x.share(value);
  }

  top(value) {
    return margin.top + this.inner.height * (1 - this.y.share(value));
  }

  // The values at a place in the picture.
  at(left, top) {
    return [
      this.x.value((left - margin.left) / this.inner.width),
      this.y.value(1 - (top - margin.top) / this.inner.height),
    ];
  }

  // The grid; the lines of rest (x = 1) and zero stand out.
  grid() {
    const group = svg('g');
    const line = (kind, x1, y1, x2, y2) => group.append(svg('line', { class: kind, x1, y1, x2, y2 }));
    const right = margin.left + this.inner.width;
    const bottom = margin.top + this.inner.height;
    for (const value of this.y.ticks(4)) {
      const y = this.top(value);
      line(value === 0 ? 'axis' : 'grid', margin.left, y, right, y);
      group.append(svg('text', { x: margin.left - 5, y: y + 3.5, 'text-anchor': 'end' }, plain(value / this.factor)));
    }
    for (const value of this.x.ticks(Math.max(2, Math.floor(this.inner.width / 60)))) {
      const x = this.left(value);
      line('grid', x, margin.top, x, bottom);
      group.append(svg('text', { x, y: this.height - 5, 'text-anchor': 'middle' }, plain(value)));
    }
    const rest = this.left(1);
    if (rest >= margin.left && rest <= right) line('axis', rest, margin.top, rest, bottom);
    return group;
  }

  path(xs, ys) {
    return xs.map((x, i) => `${i === 0 ? 'M' : 'L'}${this.left(x).toFixed(1)},${this.top(ys[i]).toFixed(1)}`).join('');
  }
}

// Low and high end with room around the values; `always` lie between.
export function roomy(values, share, ...always) {
  const low = Math.min(...values, ...always);
  const high = Math.max(...values, ...always);
  const room = share * (high - low || Math.abs(high) || 1);
  return [low - room, high + room];
}
