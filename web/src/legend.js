// What the colours mean: the map with its numbers for a field, names for materials.
import { byId, element } from './dom.js';
import { colorMapGradient } from './colors.js';
import { handleName } from './subspace_page.js';
import { heldColor } from './subspace_view.js';
import { plain, prefixFor, quantity, words } from './units.js';

// Of the largest value: where a logarithmic scale ends below.
const smallestPart = 1e-4;

const rangeNotes = { usual: '98 % of all values', run: 'the whole run', frame: 'this frame', custom: 'your own range' };
const everyLive = 200; // ms between legends of a live simulation

// Without the peaks of single impacts; from zero, unless the values lie close together.
export function usualRange(run, field) {
  const [low, high] = run.usual[field] ?? run.ranges[field] ?? [0, 0];
  return [low < 0.5 * high ? Math.min(0, low) : low, high];
}

export class Legend {
  constructor(run, stage, store) {
    Object.assign(this, { run, stage, store });
    store.subscribe((state, changed) => {
      if (['colorBy', 'rangeMode', 'customRange', 'log', 'map', 'shown', 'handle'].some((key) => changed.has(key))) this.update(state);
    });
  }

  // [low, high] of the field in its unit, or null.
  range(state) {
    if (this.run.subspace) return state.colorBy === 'basis' ? this.run.subspace.range : null;
    const field = this.run.header.fields.findIndex((f) => f.name === state.colorBy);
    if (field < 0) return null;
    if (state.rangeMode === 'custom' && state.customRange) return state.customRange;
    const known = this.run.ranges[field] ?? [0, 0];
    if (state.rangeMode === 'frame' && state.shown) return state.shown.ranges[field] ?? known;
    return state.rangeMode === 'run' ? known : usualRange(this.run, field);
  }

  // The largest value, where it is above the scale.
  note(state, field, high, log) {
    if (this.run.subspace) return [element('p', { class: 'note' }, `${handleName(this.run, state.handle)}; grey: 0`)];
    if (this.run.modes) return [element('p', { class: 'note' }, 'length relative to the largest')];
    const note = this.run.live && state.rangeMode === 'run' ? 'all values so far' : rangeNotes[state.rangeMode];
    const notes = [note + (log ? ', logarithmic' : '')];
    const largest = this.run.ranges[this.run.header.fields.indexOf(field)]?.[1] ?? 0;
    if (state.rangeMode === 'usual' && largest > high) notes.push(`largest ${quantity(largest, field.unit)}`);
    return notes.map((text) => element('p', { class: 'note' }, text));
  }

  update(state) {
    const box = byId('legend');
    const range = this.range(state);
    if (range) this.showScale(box, state, range);
    else if (state.colorBy === 'material') this.showMaterials(box);
    else if (state.colorBy === 'cluster') this.showClusters(box);
    else if (state.colorBy === 'blend') this.showBlend(box);
    box.hidden = state.colorBy === 'body';
  }

  showScale(box, state, [low, high]) {
    const log = state.log && high > 0;
    if (log) low = Math.max(low, high * smallestPart);
    const map = state.map ?? (low < 0 && high > 0 ? 'coolwarm' : 'viridis');
    if (map === 'coolwarm' && low < 0 && high > 0 && state.rangeMode !== 'custom') {
      high = Math.max(high, -low); // the middle of the map is zero
      low = -high;
    }
    this.stage?.setRange(low, high, log, map);
    const now = performance.now();
    if (this.run.live && now - this.writtenAt < everyLive && box.dataset.field === state.colorBy && box.dataset.map === map) return;
    this.writtenAt = now;
    box.dataset.field = state.colorBy;
    box.dataset.map = map;
    const field = this.run.header.fields.find((f) => f.name === state.colorBy) ?? { name: 'weight', unit: '' };
    const [factor, prefix] = prefixFor(Math.max(Math.abs(low), Math.abs(high)), field.unit);
    const numbers = element('div', { class: 'numbers' });
    const parts = high > low ? 4 : 0;
    for (let k = 0; k <= parts; ++k) {
      const t = parts ? k / parts : 0;
      const exact = log ? low * (high / low) ** t : low + t * (high - low);
      const value = Math.abs(exact) < 1e-6 * Math.max(Math.abs(low), Math.abs(high)) ? 0 : exact; // rounding
      const label = element('span', {}, log ? quantity(value, field.unit) : plain(value / factor));
      label.style.top = `${100 * (1 - t)}%`;
      numbers.append(label);
    }
    const bar = element('div', { class: 'bar' });
    bar.style.background = colorMapGradient(map, 'to top');
    box.dataset.low = low;
    box.dataset.high = high;
    box.replaceChildren(
      element('h2', {}, log ? words(field.name) : `${words(field.name)}${field.unit ? ` [${prefix}${field.unit}]` : ''}`),
      element(
        'div',
        { class: 'scale', role: 'img', 'aria-label': `from ${plain(low)} to ${plain(high)} ${field.unit}` },
        bar,
        numbers,
      ),
      ...this.note(state, field, high, log),
    );
  }

  showClusters(box) {
    const { clusters } = this.run.subspace;
    const text = clusters === 1 ? '1 cluster' : `${clusters.toLocaleString('en')} clusters`;
    const note = clusters > 1 ? 'colours repeat; neighbouring clusters differ' : '';
    box.replaceChildren(element('h2', {}, text), element('p', { class: 'note' }, note));
  }

  showBlend(box) {
    const swatch = element('span', { class: 'swatch' });
    swatch.style.background = heldColor;
    box.replaceChildren(
      element('h2', {}, 'blend of all functions'),
      element('p', { class: 'note' }, 'handles’ colours, mixed by their weights'),
      element('ul', { class: 'names' }, element('li', {}, swatch, 'fixed vertices, which no handle moves')),
    );
  }

  showMaterials(box) {
    const items = this.run.materials.map((material) => {
      const swatch = element('span', { class: 'swatch' });
      swatch.style.background = this.stage ? this.stage.materialColor(material) : 'none';
      return element('li', {}, swatch, this.run.header.materials[material]);
    });
    box.replaceChildren(element('h2', {}, 'material'), element('ul', { class: 'names' }, ...items));
  }
}
