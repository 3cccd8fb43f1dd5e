// One plot over the steps or what else is counted, drawn as SVG: lines or stacked areas with dashed lines over them,
// linear or logarithmic, with reference lines. The names below the title show the values at the pointer, else at the shown step; a click goes to the
// step.
import { element, svg } from './dom.js';
import { plain, prefixFor, quantity, ticks } from './units.js';

const margin = { left: 46, right: 8, top: 6, bottom: 18 };
const height = 150;

const finite = (values) => values.filter((v) => v !== null && Number.isFinite(v));

function bounds(arrays) {
  let low = Infinity;
  let high = -Infinity;
  for (const values of arrays) {
    for (const v of values) {
      if (v === null || !Number.isFinite(v)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  return [low, high];
}

export class Plot {
  // facts: {id, title, unit, series: [{name, color, values}], stacked, lines: likewise, log, canLog, references: [{name, value}],
  // marks, axis: what is counted instead of steps, points: true where each value has a dot}
  constructor(facts, steps, onPick) {
    Object.assign(this, { facts, steps, onPick, log: Boolean(facts.log), cursor: null, hover: null });
    this.names = element('div', { class: 'series' });
    this.picture = svg('svg', { role: 'img', 'aria-label': this.summary() });
    const header = element('header', {}, element('h3', {}, facts.title));
    if (facts.canLog) header.append(this.logSwitch());
    this.node = element('section', { class: 'plot', id: `plot-${facts.id}` }, header, this.names, this.picture);
    this.picture.addEventListener('pointermove', (e) => this.point(this.indexAt(e)));
    this.picture.addEventListener('pointerleave', () => this.point(null));
    this.picture.addEventListener('click', (e) => onPick(this.steps[this.indexAt(e)]));
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  get all() {
    return [...this.facts.series, ...(this.facts.lines ?? [])];
  }

  get axis() {
    return this.facts.axis ?? 'step';
  }

  summary() {
    const { title, unit } = this.facts;
    const parts = this.all.map(({ name, values }) => {
      const [low, high] = bounds([values]);
      return low <= high ? `${name} from ${quantity(low, unit)} to ${quantity(high, unit)}` : `${name}: none`;
    });
    return `${title} over the ${this.axis}s: ${parts.join(', ')}`;
  }

  logSwitch() {
    const box = element('input', { type: 'checkbox' });
    box.checked = this.log;
    box.addEventListener('change', () => {
      this.log = box.checked;
      this.draw();
    });
    return element('label', { class: 'check' }, box, 'log');
  }

  // Stacked series become running sums; [bottom, top] of each.
  layers() {
    const { series, stacked } = this.facts;
    const lines = (this.facts.lines ?? []).map(({ values }) => ({ top: values, dashed: true }));
    if (!stacked) return [...series.map(({ values }) => ({ top: values })), ...lines];
    let bottom = new Array(this.steps.length).fill(0);
    const areas = series.map(({ values }) => {
      const top = values.map((v, i) => bottom[i] + (v ?? 0));
      const layer = { bottom, top };
      bottom = top;
      return layer;
    });
    return [...areas, ...lines];
  }

  scale(layers) {
    const references = (this.facts.references ?? []).map((r) => r.value);
    let [low, high] = bounds([...layers.map((l) => l.top), references]);
    if (!(low <= high)) return null;
    if (this.log) {
      const positive = finite([...layers.flatMap((l) => l.top), ...references]).filter((v) => v > 0);
      [low, high] = bounds([positive]);
      if (!(low <= high)) return null;
      low = Math.max(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) - 16);
      high = Math.max(Math.ceil(Math.log10(high)), low + 1);
    } else {
      low = Math.min(low, 0);
      high = Math.max(high, 0);
      if (low === high) high = low + 1;
      const pad = 0.04 * (high - low);
      if (low < 0) low -= pad;
      if (high > 0) high += pad;
    }
    return { low, high };
  }

  draw() {
    const width = this.node.clientWidth;
    if (!width || this.steps.length === 0) return;
    this.width = width;
    this.shownLog = this.log;
    this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const layers = this.layers();
    const scale = this.scale(layers);
    this.picture.replaceChildren();
    this.paths = null;
    if (!scale) {
      this.picture.append(svg('text', { x: margin.left, y: height / 2 }, 'no values'));
      return;
    }
    this.grid = svg('g');
    this.curves = svg('g');
    this.fit(scale, width);
    this.picture.append(this.grid, this.curves);
    this.axes(scale);
    this.marks();
    this.paths = layers.map((layer, k) => this.layer(layer, this.all[k].color));
    for (const { name, value } of this.facts.references ?? []) this.reference(name, value);
    this.cursorLine = svg('line', { class: 'cursor', y1: margin.top, y2: height - margin.bottom });
    this.hoverLine = svg('line', { class: 'hover', y1: margin.top, y2: height - margin.bottom });
    this.picture.append(this.cursorLine, this.hoverLine);
    this.place();
  }

  // How steps and values lie in the picture.
  fit({ low, high }, width) {
    const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
    const first = this.steps[0];
    const span = Math.max(this.steps.at(-1) - first, 1);
    this.x = (step) => margin.left + (inner.width * (step - first)) / span;
    this.y = (value) => {
      if (this.log && !(value > 0)) return null;
      const v = this.log ? Math.max(Math.log10(value), low) : value;
      return margin.top + inner.height * (1 - (v - low) / (high - low));
    };
  }

  // The lists have grown, or lost their first rows: curves and axes follow, the rest stays.
  grow() {
    const width = this.node.clientWidth;
    const layers = this.layers();
    const scale = width ? this.scale(layers) : null;
    if (!this.paths || !scale || width !== this.width || this.log !== this.shownLog || layers.length !== this.paths.length) {
      this.draw();
      return;
    }
    this.fit(scale, width);
    this.grid.replaceChildren();
    this.axes(scale);
    layers.forEach((layer, k) => this.paths[k].setAttribute('d', this.outline(layer)));
    this.picture.setAttribute('aria-label', this.summary());
    if (this.hover !== null) this.hover = Math.min(this.hover, this.steps.length - 1);
    this.place();
  }

  // Other curves; grow() draws them.
  setSeries(series) {
    const same = series.length === this.facts.series.length && series.every((s, k) => s === this.facts.series[k]);
    this.facts.series = series;
    if (!same) this.paths = null;
  }

  axes({ low, high }) {
    const unit = this.facts.unit;
    const linear = ticks(low, high, 4);
    const [factor, prefix] = this.log ? [1, ''] : prefixFor(Math.max(Math.abs(low), Math.abs(high)), unit);
    const every = Math.ceil((high - low) / 6);
    const marks = this.log
      ? Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, k) => low + k * every).map((p) => [
          10 ** p,
          `1e${p}`.replace('-', '−'),
        ])
      : linear.map((v) => [v, plain(v / factor)]);
    for (const [value, label] of marks) {
      const y = this.y(value);
      this.grid.append(
        svg('line', { class: 'grid', x1: margin.left, x2: this.width - margin.right, y1: y, y2: y }),
        svg('text', { x: margin.left - 5, y: y + 3.5, 'text-anchor': 'end' }, label),
      );
    }
    const title = this.node.querySelector('h3');
    title.replaceChildren(this.facts.title, ...(unit ? [' ', element('small', {}, `[${prefix}${unit}]`)] : []));
    const count = Math.max(2, Math.min(6, Math.floor(this.width / 70)));
    for (const step of ticks(this.steps[0], this.steps.at(-1), count).filter(Number.isInteger)) {
      this.grid.append(svg('text', { x: this.x(step), y: height - 4, 'text-anchor': 'middle' }, String(step)));
    }
  }

  marks() {
    for (const step of this.facts.marks ?? []) {
      const x = this.x(step);
      this.picture.append(
        svg('line', { class: 'mark', x1: x, x2: x, y1: height - margin.bottom, y2: height - margin.bottom + 5 }),
      );
    }
  }

  // Of the values that fall into one column of the picture, the smallest and the largest are drawn.
  thinned(values) {
    const columns = Math.max(1, Math.floor(this.width - margin.left - margin.right));
    if (values.length <= 3 * columns) return values.map((_, i) => i);
    const chosen = [];
    const size = values.length / columns;
    for (let c = 0; c < columns; ++c) {
      let least = -1;
      let most = -1;
      for (let i = Math.floor(c * size); i < Math.floor((c + 1) * size); ++i) {
        if (values[i] === null) continue;
        if (least < 0 || values[i] < values[least]) least = i;
        if (most < 0 || values[i] > values[most]) most = i;
      }
      if (least < 0) chosen.push(Math.floor(c * size));
      else chosen.push(...(least === most ? [least] : [Math.min(least, most), Math.max(least, most)]));
    }
    return chosen;
  }

  // Points of a curve as pieces of a path; a missing value interrupts it.
  path(values, indices) {
    let text = '';
    let open = false;
    for (const i of indices) {
      const y = values[i] === null ? null : this.y(values[i]);
      if (y === null) {
        open = false;
        continue;
      }
      const at = `${this.x(this.steps[i]).toFixed(1)},${y.toFixed(1)}`;
      text += open ? `L${at}` : `M${at}h0`;
      open = true;
    }
    return text;
  }

  // The path of a layer.
  outline({ bottom, top }) {
    const indices = this.thinned(top);
    if (!bottom) return this.path(top, indices);
    const corner = (values, i) => `${this.x(this.steps[i]).toFixed(1)},${this.y(values[i]).toFixed(1)}`;
    const there = indices.map((i) => corner(top, i));
    const back = indices.toReversed().map((i) => corner(bottom, i));
    return `M${[...there, ...back].join('L')}Z`;
  }

  layer(layer, color) {
    const d = this.outline(layer);
    const path = layer.bottom
      ? svg('path', { fill: color, stroke: color, 'stroke-width': 0.5, d })
      : svg('path', { class: 'line', d, 'stroke-linecap': 'round' });
    if (!layer.bottom) path.style.stroke = color; // may be a variable of the theme
    if (layer.dashed) path.style.strokeDasharray = '1 4';
    this.curves.append(path);
    if (this.facts.points) this.curves.append(this.dots(layer.top, color));
    return path;
  }

  // A round end of no length at each value.
  dots(values, color) {
    const there = values.map((v, i) => [this.x(this.steps[i]), v === null ? null : this.y(v)]);
    const d = there.filter(([, y]) => y !== null).map(([x, y]) => `M${x.toFixed(1)},${y.toFixed(1)}h0`);
    const path = svg('path', { class: 'line', d: d.join(''), 'stroke-linecap': 'round' });
    path.style.stroke = color;
    path.style.strokeWidth = Math.min(5, Math.max(2, this.width / (2 * values.length)));
    return path;
  }

  reference(name, value) {
    const y = this.y(value);
    if (y === null) return;
    this.picture.append(
      svg('line', { class: 'reference', x1: margin.left, x2: this.width - margin.right, y1: y, y2: y }),
      svg('text', { x: this.width - margin.right - 2, y: y - 3, 'text-anchor': 'end' }, name),
    );
  }

  indexAt(event) {
    const rect = this.picture.getBoundingClientRect();
    const inner = this.width - margin.left - margin.right;
    const t = (event.clientX - rect.left - margin.left) / inner;
    const wanted = this.steps[0] + Math.min(Math.max(t, 0), 1) * (this.steps.at(-1) - this.steps[0]);
    const rest = Math.round(wanted);
    const later = this.steps.findIndex((step) => step >= rest);
    return later < 0 ? this.steps.length - 1 : later;
  }

  point(index) {
    this.hover = index;
    this.place();
  }

  setCursor(index) {
    this.cursor = index;
    this.place();
  }

  place() {
    if (!this.cursorLine) return;
    const set = (line, index) => {
      line.style.display = index === null || index < 0 ? 'none' : '';
      if (index === null || index < 0) return;
      const x = this.x(this.steps[index]);
      line.setAttribute('x1', x);
      line.setAttribute('x2', x);
    };
    set(this.cursorLine, this.cursor);
    set(this.hoverLine, this.hover);
    const at = this.hover ?? this.cursor;
    const step = at === null || at < 0 ? null : this.steps[at];
    this.names.replaceChildren(
      ...(step === null ? [] : [element('span', {}, `${this.axis} ${step}`)]),
      ...this.all.map(({ name, color, values }) => {
        const key = element('i');
        key.style.background = color;
        const value = step === null ? '' : quantity(values[at], this.facts.unit);
        return element('span', {}, key, name, ' ', element('b', {}, value));
      }),
    );
  }
}
