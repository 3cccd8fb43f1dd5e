// What the colours mean: the map with its numbers for a field, names for materials.
import { byId, element } from './dom.js';
import { colorMapGradient } from './colors.js';
import { cutNotes } from './cut_note.js';
import { handleName } from './subspace_page.js';
import { heldColor } from './subspace_view.js';
import { plain, prefixFor, quantity, words } from './units.js';

// Of the largest value: where a logarithmic scale ends below.
const smallestPart = 1e-4;

const rangeNotes = {
  usual: '98 % of all values',
  material: '98 % of each material',
  run: 'the whole run', frame: 'this frame', custom: 'your own range',
};
const farApart = 5; // of materials' ranges: each has its own then
const everyLive = 200; // ms between legends of a live simulation

// Without the peaks of single impacts; from zero, unless the values lie close together.
export function usualRange(run, field) {
  const [low, high] = run.usual[field] ?? run.ranges[field] ?? [0, 0];
  return [low < 0.5 * high ? Math.min(0, low) : low, high];
}

// By material [low, high], or null where one range does for all: of fields that are of a size in all materials.
export function materialRanges(run, field) {
  const ranges = run.usualByMaterial?.[field]?.map(([low, high]) => [low < 0.5 * high ? Math.min(0, low) : low, high]);
  const highs = ranges?.map(([, high]) => high).filter((high) => high > 0) ?? [];
  return highs.length > 1 && Math.max(...highs) > farApart * Math.min(...highs) ? ranges : null;
}

export class Legend {
  constructor(run, stage, store) {
    Object.assign(this, { run, stage, store });
    store.subscribe((state, changed) => {
      if (['colorBy', 'rangeMode', 'customRange', 'log', 'map', 'shown', 'handle', 'clip', 'hidden'].some((key) => changed.has(key))) this.update(state);
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
  note(state, field, high, log, mode) {
    if (this.run.subspace) return [element('p', { class: 'note' }, `${handleName(this.run, state.handle)}; grey: 0`)];
    if (this.run.modes) return [element('p', { class: 'note' }, 'length relative to the largest')];
    const note = this.run.live && mode === 'run' ? 'all values so far' : rangeNotes[mode];
    const notes = [note + (log ? ', logarithmic' : '')];
    const largest = this.run.ranges[this.run.header.fields.indexOf(field)]?.[1] ?? 0;
    if (mode === 'usual' && largest > high) notes.push(`largest ${quantity(largest, field.unit)}`);
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

  // Of each scale [low, high], with its map: signed values have a map whose middle is zero.
  scaleOf(state, [low, high], log, map) {
    if (log) return [Math.max(low, high * smallestPart), high];
    if (map !== 'coolwarm' || low >= 0 || high <= 0 || state.rangeMode === 'custom') return [low, high];
    const most = Math.max(high, -low);
    return [-most, most];
  }

  showScale(box, state, range) {
    const field = this.run.header.fields.findIndex((f) => f.name === state.colorBy);
    const { unit, name } = this.run.header.fields[field] ?? { name: 'weight', unit: '' };
    const own = state.rangeMode === 'material' ? materialRanges(this.run, field) : null;
    const log = state.log && range[1] > 0;
    const map = state.map ?? (range[0] < 0 && range[1] > 0 ? 'coolwarm' : 'viridis');
    const ranges = (own ?? [range]).map((r) => this.scaleOf(state, r, log, map));
    this.stage?.setRange((material) => ranges[own ? material : 0], log, map);
    const now = performance.now();
    const clipped = String(Boolean(state.clip));
    const same = box.dataset.field === state.colorBy && box.dataset.map === map && box.dataset.clipped === clipped;
    if (this.run.live && now - this.writtenAt < everyLive && same) return;
    this.writtenAt = now;
    const largest = Math.max(...ranges.flat().map(Math.abs));
    const [factor, prefix] = prefixFor(largest, unit);
    const single = !own && !log;
    const bar = element('div', { class: 'bar' });
    bar.style.background = colorMapGradient(map, 'to top');
    const columns = ranges.map((r) => this.numbers(r, log, single ? (value) => plain(value / factor) : (value) => quantity(value, unit)));
    const spans = ranges.map(([low, high]) => `${plain(low)} to ${plain(high)} ${unit}`).join('; ');
    const [low, high] = ranges[0];
    Object.assign(box.dataset, { field: state.colorBy, map, low, high, clipped });
    const names = own && [element('span', {}), ...this.run.materials.map((m) => element('span', {}, this.run.header.materials[m]))];
    box.replaceChildren(
      element('h2', {}, single && unit ? `${words(name)} [${prefix}${unit}]` : words(name)),
      ...(names ? [element('div', { class: 'columns' }, ...names)] : []),
      element('div', { class: 'scale', role: 'img', 'aria-label': `from ${spans}` }, bar, ...columns),
      ...this.note(state, this.run.header.fields[field], high, log, state.rangeMode === 'material' && !own ? 'usual' : state.rangeMode),
      ...cutNotes(this.run, state).map((text) => element('p', { class: 'note' }, text)),
    );
  }

  numbers([low, high], log, text) {
    const numbers = element('div', { class: 'numbers' });
    const parts = high > low ? 4 : 0;
    for (let k = 0; k <= parts; ++k) {
      const t = parts ? k / parts : 0;
      const exact = log ? low * (high / low) ** t : low + t * (high - low);
      const value = Math.abs(exact) < 1e-6 * Math.max(Math.abs(low), Math.abs(high)) ? 0 : exact; // rounding
      const label = element('span', {}, text(value));
      label.style.top = `${100 * (1 - t)}%`;
      numbers.append(label);
    }
    return numbers;
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
