// Sliders and numbers for what can be changed while a simulation goes on.
import { element } from './dom.js';
import { plain } from './units.js';

const parts = 1000; // of a slider

function precise(value) {
  const short = Number(value.toPrecision(5));
  const size = Math.abs(short);
  return size >= 1e6 || (size > 0 && size < 1e-3) ? short.toExponential().replace('e+', 'e') : String(short);
}
const parsed = (text) => (text.trim() === '' ? NaN : Number(text.replace('−', '-').replace(',', '.')));
const powers = { '^2': '²', '^3': '³' };

// materials.NAME.PARAMETER: names may hold dots, as do the parameters of fibers.
function splitMaterial(key) {
  const [, name, parameter] = /^materials\.(.*?)\.(fiber\.\w+|[^.]*)$/.exec(key) ?? [null, null, key];
  return { name, parameter };
}

function labelOf(key, title) {
  const text = title?.split(';')[0].replaceAll("'", '’') ?? splitMaterial(key).parameter.replaceAll(/[_.]/g, ' ');
  return text[0].toUpperCase() + text.slice(1);
}

function groupOf(key, { group }) {
  return group ?? splitMaterial(key).name ?? 'Settings';
}

// A slider from least to most, linear or logarithmic.
class Scale {
  constructor({ least, most, log }) {
    Object.assign(this, { least, most, log: Boolean(log) && least > 0 });
  }

  place(value) {
    const { least, most } = this;
    const t = this.log
      ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
      : (value - least) / (most - least);
    return Math.round(parts * Math.min(Math.max(t, 0), 1));
  }

  value(place) {
    const t = place / parts;
    return this.log ? this.least * (this.most / this.least) ** t : this.least + t * (this.most - this.least);
  }
}

// One number, or a vector as its three numbers and a slider of its size.
class Setting {
  constructor(key, facts, send) {
    Object.assign(this, { key, send });
    this.vector = Array.isArray(facts.value);
    this.whole = Boolean(facts.whole);
    const { least, most } = facts;
    const largest = Math.max(Math.abs(least), Math.abs(most));
    this.scale = new Scale(this.vector ? { least: Math.max(least, 0), most: largest } : facts);
    const label = labelOf(key, facts.title);
    this.slider = element('input', { type: 'range', min: '0', max: String(parts), 'aria-label': label });
    this.slider.disabled = !(this.scale.most > this.scale.least);
    this.boxes = (this.vector ? facts.value : [0]).map((_, a) =>
      element('input', {
        type: 'text',
        inputmode: 'decimal',
        autocomplete: 'off',
        'aria-label': this.vector ? `${label} ${'xyz'[a]}` : label,
      }),
    );
    const unit = element('small', { class: 'unit' }, (facts.unit ?? '').replace(/\^[23]/g, (power) => powers[power]));
    const title = element('span', { class: 'name' }, label);
    const entry = element('span', { class: 'entry' }, ...this.boxes, unit);
    this.why = element('p', { class: 'refused', role: 'alert', hidden: true });
    this.node = element('div', { class: this.vector ? 'setting vector' : 'setting' }, title, entry, this.slider, this.why);
    this.node.dataset.key = key;
    this.slider.addEventListener('input', () => this.slid());
    for (const box of this.boxes) {
      box.addEventListener('change', () => this.entered());
      box.addEventListener('blur', () => box.getAttribute('aria-invalid') === 'true' || this.write());
    }
    this.show(facts);
  }

  // What the server says, unless a hand is on it.
  show({ value }) {
    this.value = value;
    if (this.node.contains(document.activeElement) && performance.now() - (this.touched ?? -1e9) < 1000) return;
    this.write();
  }

  // Whether a value is on its way to the simulation.
  setPending(value) {
    this.pending = value;
    this.states = 0;
    this.node.classList.toggle('pending', value !== undefined);
    this.node.setAttribute('aria-busy', String(value !== undefined));
  }

  // The simulation says what it has: what was sent has arrived, or a second message proves that it counts no more.
  arrived({ value }) {
    if (this.pending === undefined) return;
    this.states += 1;
    if (this.states > 1 || JSON.stringify(value) === JSON.stringify(this.pending)) this.setPending(undefined);
  }

  // After a refusal: why, and what there is, also where a hand is on it. Whether that can be seen.
  refuse(facts, why) {
    this.setPending(undefined);
    this.why.textContent = why;
    this.why.hidden = false;
    this.restore(facts);
    return this.why.checkVisibility();
  }

  restore(facts) {
    if (!facts) return;
    this.value = facts.value;
    if (this.node.contains(document.activeElement)) document.activeElement.blur();
    this.write();
  }

  write() {
    const values = this.vector ? this.value : [this.value];
    this.boxes.forEach((box, a) => {
      if (box !== document.activeElement || !this.node.contains(box)) box.value = precise(values[a]);
      box.removeAttribute('aria-invalid');
    });
    this.slider.value = this.scale.place(this.vector ? Math.hypot(...values) : values[0]);
    this.slider.setAttribute('aria-valuetext', plain(this.vector ? Math.hypot(...values) : values[0]));
  }

  // A vector keeps its direction; from zero it goes down.
  slid() {
    const size = this.scale.value(Number(this.slider.value));
    if (this.vector) {
      const length = Math.hypot(...this.value);
      if (length > 0) this.direction = this.value.map((c) => c / length);
      this.value = (this.direction ?? [0, -1, 0]).map((c) => Number((c * size).toPrecision(4)) || 0);
    } else {
      this.value = this.whole ? Math.round(size) : Number(size.toPrecision(4));
    }
    this.change();
  }

  entered() {
    const values = this.boxes.map((box) => parsed(box.value));
    this.boxes.forEach((box, a) => box.setAttribute('aria-invalid', String(!Number.isFinite(values[a]))));
    if (!values.every(Number.isFinite)) return;
    this.value = this.vector ? values : values[0];
    this.change();
  }

  change() {
    this.touched = performance.now();
    this.why.hidden = true;
    this.write();
    this.send(this.key, this.value);
  }
}

export class Settings {
  constructor(node, live) {
    Object.assign(this, { node, live, all: new Map(), waiting: new Map() });
    live.on('state', () => this.update(live.state.settings));
    live.on('connection', () => this.all.forEach((setting) => setting.setPending(undefined)));
  }

  // Tells of a refusal at its control. Whether that can be seen.
  shows(key, why) {
    return Boolean(this.all.get(key)?.refuse(this.live.state.settings[key], why));
  }

  update(settings) {
    const keys = Object.keys(settings);
    const range = ({ value, least, most, log, unit }) => JSON.stringify([least, most, log, unit, Array.isArray(value)]);
    const shape = keys.map((key) => `${key} ${range(settings[key])}`).join('\n');
    if (shape !== this.shape) this.make(settings);
    this.shape = shape;
    for (const key of keys) {
      if (!this.waiting.has(key)) this.all.get(key).arrived(settings[key]);
      this.all.get(key).show(settings[key]);
    }
  }

  make(settings) {
    this.all.clear();
    const groups = new Map();
    for (const [key, facts] of Object.entries(settings)) {
      const setting = new Setting(key, facts, (...change) => this.send(...change));
      this.all.set(key, setting);
      const name = groupOf(key, facts);
      if (!groups.has(name)) groups.set(name, element('fieldset', {}, element('legend', {}, name)));
      groups.get(name).append(setting.node);
    }
    this.node.replaceChildren(...groups.values());
  }

  // Once a picture at most.
  send(key, value) {
    if (this.waiting.size === 0) {
      requestAnimationFrame(() => {
        for (const [each, last] of this.waiting) this.live.send({ type: 'set', key: each, value: last });
        this.waiting.clear();
      });
    }
    this.waiting.set(key, value);
    this.all.get(key).setPending(value);
  }
}
