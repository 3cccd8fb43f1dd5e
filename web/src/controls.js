// The controls of the panel's first page and the buttons over the picture, in both directions with the store.
import { obstacleColor } from './colors.js';
import { byId, element } from './dom.js';
import { usualRange } from './legend.js';
import { isBetween } from './surface.js';
import { quantity } from './units.js';

const icons = {
  frame: 'M1.5 5V1.5H5M11 1.5h3.5V5M14.5 11v3.5H11M5 14.5H1.5V11M5 5h6v6H5z',
  wire: 'M8 1.5 14.5 13h-13zM4.7 7.3h6.6M8 13 4.7 7.3M8 13l3.3-5.7',
  clip: 'M2 5l6-3 6 3v6l-6 3-6-3zM8 2v12',
  follow: 'M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM8 1v3.5M8 11.5V15M1 8h3.5M11.5 8H15',
  video: 'M1.5 3.5h9v9h-9zM10.5 7l4-2.5v7l-4-2.5',
  picture: 'M1.5 4.5h3l1-2h5l1 2h3v9h-13zM8 6.3a2.6 2.6 0 1 1 0 5.2 2.6 2.6 0 0 1 0-5.2z',
};

export const edgeModes = ['none', 'over', 'only'];

export class Controls {
  constructor(run, stage, store, actions) {
    Object.assign(this, { run, stage, store });
    this.makeColors();
    this.makeObjects();
    this.makeSurface();
    this.makeClip();
    this.makeButtons(actions);
    store.subscribe((state, changed) => this.update(state, changed));
  }

  makeColors() {
    const select = byId('color-by');
    select.append(...this.run.colors.map(([value, name]) => element('option', { value }, name)));
    if (this.run.live) {
      byId('range-mode').querySelector('[value="usual"]').remove();
      byId('range-mode').querySelector('[value="run"]').textContent = 'all values so far';
    }
    if (!(this.run.usualByMaterial?.length > 0)) byId('range-mode').querySelector('[value="material"]').remove();
    select.addEventListener('change', () => this.store.set({ colorBy: select.value }));
    byId('color-map').addEventListener('change', (e) => this.store.set({ map: e.target.value || null }));
    byId('log').addEventListener('change', (e) => this.store.set({ log: e.target.checked }));
    byId('range-mode').addEventListener('change', (e) => this.setRangeMode(e.target.value));
    for (const id of ['range-low', 'range-high']) byId(id).addEventListener('change', () => this.readRange());
  }

  // A chosen range starts as what is shown.
  setRangeMode(mode) {
    const { state } = this.store;
    const field = this.run.header.fields.findIndex((f) => f.name === state.colorBy);
    if (mode === 'custom' && field >= 0) {
      const ranges = { frame: state.shown?.ranges[field] ?? this.run.ranges[field], run: this.run.ranges[field] };
      this.store.set({ rangeMode: mode, customRange: [...(ranges[state.rangeMode] ?? usualRange(this.run, field))] });
    } else {
      this.store.set({ rangeMode: mode });
    }
  }

  readRange() {
    const inputs = [byId('range-low'), byId('range-high')];
    const values = inputs.map((input) => (input.value.trim() === '' ? NaN : Number(input.value.replace('−', '-'))));
    const good = values.every(Number.isFinite) && values[0] < values[1];
    inputs.forEach((input, k) =>
      input.setAttribute(
        'aria-invalid',
        String(!Number.isFinite(values[k]) || (!good && values.every(Number.isFinite))),
      ),
    );
    if (good) this.store.set({ customRange: values });
  }

  makeObjects() {
    const { header } = this.run;
    this.swatches = [];
    const entry = (name, note) => {
      const box = element('input', { type: 'checkbox', 'data-name': name });
      box.checked = true;
      box.addEventListener('change', () => {
        const hidden = new Set(this.store.state.hidden);
        if (box.checked) hidden.delete(name);
        else hidden.add(name);
        this.store.set({ hidden });
      });
      const swatch = element('span', { class: 'swatch' });
      this.swatches.push(swatch);
      return element(
        'li',
        {},
        element('label', {}, box, swatch, element('span', { class: 'name' }, name), element('small', {}, note)),
      );
    };
    byId('objects').append(
      ...header.objects.map((o) => {
        const triangles = o.groups.reduce((n, group) => (isBetween(group) ? n : n + group[1]), 0);
        return entry(o.name, o.kind === 'body' ? `${triangles.toLocaleString('en')} triangles` : 'obstacle');
      }),
      ...header.planes.map((p) => entry(p.name, 'plane')),
    );
    byId('show-all').addEventListener('click', () => this.store.set({ hidden: new Set() }));
  }

  // Stripes for bodies of several materials.
  paintSwatches(colorBy) {
    this.swatches.forEach((swatch, k) => {
      const isPlane = k >= this.run.header.objects.length;
      const colors = isPlane ? [obstacleColor] : (this.stage?.swatch(k, colorBy) ?? ['transparent']);
      const stops = colors.map((c, i) => `${c} ${(100 * i) / colors.length}% ${(100 * (i + 1)) / colors.length}%`);
      swatch.style.background = `linear-gradient(90deg, ${stops.join(', ')})`;
    });
  }

  makeSurface() {
    byId('edges').addEventListener('change', (e) => this.store.set({ edges: e.target.value }));
    byId('flat').addEventListener('change', (e) => this.store.set({ flat: e.target.checked }));
  }

  makeClip() {
    this.clip = { axis: 0, at: 0.5, flip: false };
    const change = (part) => {
      Object.assign(this.clip, part);
      this.store.set({ clip: byId('clip').checked ? { ...this.clip } : null });
    };
    byId('clip').addEventListener('change', () => change({}));
    byId('clip-at').addEventListener('input', (e) => change({ at: Number(e.target.value) }));
    byId('clip-flip').addEventListener('change', (e) => change({ flip: e.target.checked }));
    for (const radio of document.getElementsByName('clip-axis')) {
      radio.addEventListener('change', () => change({ axis: Number(radio.value) }));
    }
  }

  toggleClip() {
    this.store.set({ clip: this.store.state.clip ? null : { ...this.clip } });
  }

  nextEdges() {
    const { edges } = this.store.state;
    this.store.set({ edges: edgeModes[(edgeModes.indexOf(edges) + 1) % edgeModes.length] });
  }

  makeButtons(actions) {
    const button = (id, label, key, icon, action) => {
      const node = element('button', { type: 'button', id, title: `${label} (${key})`, 'aria-label': label });
      node.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${icons[icon]}"/></svg>`;
      node.addEventListener('click', action);
      byId('view-actions').append(node);
    };
    button('do-frame', 'Fit view', 'F', 'frame', actions.frame);
    button('do-wire', 'Mesh edges', 'W', 'wire', () => this.nextEdges());
    button('do-clip', 'Clip plane', 'C', 'clip', () => this.toggleClip());
    if (this.run.live || !(this.run.subspace || this.run.modes))
      button('do-follow', 'Follow the moving body', 'V', 'follow', () => this.store.set({ follow: !this.store.state.follow }));
    button('do-picture', 'Save a picture', 'P', 'picture', actions.picture);
    if (actions.video) button('do-video', 'Save a video', 'E', 'video', actions.video);
  }

  update(state, changed) {
    const isField = this.run.header.fields.some((f) => f.name === state.colorBy);
    if (changed.has('colorBy')) {
      byId('color-by').value = state.colorBy;
      byId('range-controls').hidden = !isField || Boolean(this.run.modes); // displacements of modes have one range
      this.paintSwatches(state.colorBy);
      if (state.rangeMode === 'custom') this.store.set({ rangeMode: this.run.defaultRange }); // the numbers were of another field
    }
    if (changed.has('rangeMode') || changed.has('customRange')) this.showRange(state);
    if (changed.has('hidden')) {
      for (const box of byId('objects').querySelectorAll('input')) box.checked = !state.hidden.has(box.dataset.name);
    }
    if (changed.has('edges')) {
      byId('edges').value = state.edges;
      byId('do-wire').setAttribute('aria-pressed', String(state.edges !== 'none'));
    }
    if (changed.has('follow')) byId('do-follow')?.setAttribute('aria-pressed', String(state.follow));
    if (changed.has('map')) byId('color-map').value = state.map ?? '';
    if (changed.has('log')) byId('log').checked = state.log;
    if (changed.has('flat')) byId('flat').checked = state.flat;
    if (changed.has('clip')) this.showClip(state.clip);
  }

  showRange({ rangeMode, customRange }) {
    byId('range-mode').value = rangeMode;
    byId('custom-range').hidden = rangeMode !== 'custom';
    if (rangeMode !== 'custom' || !customRange) return;
    byId('range-low').value = Number(customRange[0].toPrecision(5));
    byId('range-high').value = Number(customRange[1].toPrecision(5));
  }

  showClip(clip) {
    byId('clip').checked = Boolean(clip);
    byId('clip-controls').hidden = !clip;
    byId('do-clip').setAttribute('aria-pressed', String(Boolean(clip)));
    if (!clip) return;
    this.clip = { ...clip };
    byId('clip-at').value = clip.at;
    byId('clip-flip').checked = clip.flip;
    document.getElementsByName('clip-axis')[clip.axis].checked = true;
    const place = this.stage ? this.stage.clipPosition(clip) + this.run.origin[clip.axis] : 0;
    byId('clip-value').textContent = `${'xyz'[clip.axis]} = ${quantity(place, 'm')}`;
  }
}
