// The curves of materials, drawn by hand while the simulation goes on. What is drawn is asked of the server, an edit at a
// time; what it refuses snaps back, and why is told.
import { Chart, margin, roomy, Scale } from './chart.js';
import { element, svg } from './dom.js';
import { monotoneCubic } from './monotone.js';
import { StressPlot } from './stress_plot.js';
import { plain, quantity } from './units.js';

const height = 230;
const samples = 240; // of a curve
const magnet = 5; // pixels within which a point is caught by rest or zero
const tapTime = 400; // ms
const tapReach = 12; // pixels
const longestMessage = 16000; // bytes
const mostUndone = 100;

const precise = (value) => Number(value.toPrecision(4));
const entered = (text) => (text.trim() === '' ? NaN : Number(text.replace('−', '-').replace(',', '.')));
const prime = (name) => `${name}′`;
const pointsOf = ({ x, dy }) => (x.values ?? []).map((value, i) => ({ x: value, y: dy.values[i] }));
const tableOf = (points) => ({ x: points.map((p) => p.x), dy: points.map((p) => p.y) });

// The curves of a material as in a scene; null for those that it does not have.
function curvesOf(drawn) {
  const tables = drawn.curves.map((curve) => [curve.name, curve.x.values ? tableOf(pointsOf(curve)) : null]);
  return Object.fromEntries(tables);
}

export class CurveEditor {
  constructor(node, live) {
    Object.assign(this, { node, live, materials: {}, material: null, curve: 'a', points: [], selected: 0, undone: [] });
    Object.assign(this, { handles: [], drag: null, pending: false, next: null, refused: false, log: false });
    this.make();
    live.on('curves', (message) => this.told(message.materials));
    live.on('error', ({ material, message }) => this.refuse(material, message));
    live.on('connection', () => Object.assign(this, { pending: false, next: null, drag: null }));
  }

  // Whether errors about a material are told here.
  shows(material) {
    return material !== undefined && material in this.materials;
  }

  // ---- the parts of the page

  make() {
    const button = (text, title, action) => {
      const made = element('button', { type: 'button', title }, text);
      made.addEventListener('click', action);
      return made;
    };
    const check = (text, title, change) => {
      const box = element('input', { type: 'checkbox' });
      box.addEventListener('change', () => change(box.checked));
      return [box, element('label', { class: 'check', title }, box, text)];
    };
    this.choice = element('select', { id: 'curves-material' });
    this.choice.addEventListener('change', () => this.choose(this.choice.value, this.curve));
    this.choiceRow = element('label', { class: 'row' }, 'Material ', this.choice);
    this.kinds = element('div', { class: 'kinds', role: 'group', 'aria-label': 'Curve' });
    this.heading = element('h3');
    const [, log] = check('log', 'Logarithmic axis, linear near zero', (on) => {
      this.log = on;
      this.draw();
    });
    this.picture = svg('svg', { class: 'curve', role: 'group' });
    this.picture.style.height = `${height}px`;
    this.back = svg('g');
    this.group = svg('g'); // of the handles
    this.picture.append(this.back, this.group);
    this.inputs = ['x', 'y'].map((key) => {
      const input = element('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off' });
      input.dataset.key = key;
      input.addEventListener('change', () => this.enter());
      return input;
    });
    this.unit = element('span', { class: 'unit' });
    this.number = element('span', { class: 'fine' });
    this.add = button('Add', 'Add a point after this one (Insert), or double-click the plot', () => this.addNext());
    this.remove = button('Remove', 'Remove the point (Delete)', () => this.removePoint());
    const entry = element('div', { class: 'row point' }, this.number, this.inputs[0], this.inputs[1], this.unit);
    [this.mend, this.mendLabel] = check(
      'Keep the rest state',
      'Shifts a curve so that the material has no stress at rest. If off, edits that cause stress at rest are refused.',
      () => this.change(this.points),
    );
    this.mend.id = 'curves-mend';
    this.undo = button('Undo', 'Undo the last edit', () => this.takeBack());
    this.copy = button('Copy', 'Copy the material in scene format', () => this.copyMaterial());
    const actions = element('div', { class: 'row' }, this.add, this.remove, this.undo, this.copy);
    this.problem = element('p', { class: 'warning', role: 'alert', hidden: true }, element('span'));
    this.hint = element(
      'p',
      { class: 'hint' },
      'Drag points to move them; double-click to add one. Arrow keys move the focused point (with Shift ten times as far); Delete removes the point.',
    );
    this.editor = element(
      'section',
      { class: 'plot editor' },
      this.kinds,
      element('header', {}, this.heading, log),
      this.picture,
      entry,
      actions,
      this.mendLabel,
      this.problem,
      this.hint,
    );
    this.response = new StressPlot('Stress');
    const legend = element('legend', {}, 'Curves of materials');
    this.node.append(element('fieldset', {}, legend, this.choiceRow, this.editor, this.response.node));
    this.node.hidden = true;
    this.picture.addEventListener('pointerdown', (e) => this.press(e));
    this.picture.addEventListener('pointermove', (e) => this.move(e));
    for (const type of ['pointerup', 'pointercancel']) this.picture.addEventListener(type, (e) => this.lift(e));
    this.picture.addEventListener('keydown', (e) => this.key(e));
    this.picture.addEventListener('focusin', (e) => this.select(this.handles.indexOf(e.target)));
    new ResizeObserver(() => this.draw()).observe(this.editor);
  }

  // ---- what the server tells

  told(materials) {
    const first = this.material === null;
    Object.assign(this.materials, materials);
    if (first || !(this.material in this.materials)) {
      this.node.hidden = false;
      const names = Object.keys(this.materials);
      this.choice.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
      this.choiceRow.hidden = names.length === 1;
      this.choose(names.find((name) => this.materials[name].curves) ?? names[0], 'a');
      return;
    }
    if (!(this.material in materials)) return;
    this.response.show(this.facts);
    this.answered(null);
  }

  // An edit was followed, or not for a reason.
  answered(problem) {
    this.pending = false;
    this.refused = problem !== null;
    this.problem.hidden = problem === null;
    this.problem.firstElementChild.textContent = problem ?? '';
    if (this.next) this.pump();
    else if (!this.drag) this.load();
    else this.draw();
  }

  refuse(material, message) {
    if (this.shows(material)) this.answered(message);
  }

  get facts() {
    return this.materials[this.material];
  }

  get known() {
    return this.facts.curves?.find((curve) => curve.name === this.curve);
  }

  choose(material, name) {
    Object.assign(this, { material, drag: null, next: null });
    this.choice.value = material;
    const { curves } = this.facts;
    this.editor.hidden = !curves;
    this.response.show(this.facts);
    if (!curves) return;
    this.curve = curves.some((c) => c.name === name && c.x.values) ? name : 'a';
    this.selected = 0;
    this.problem.hidden = true;
    this.load();
  }

  // The curve as the server has it.
  load() {
    if (!this.facts?.curves) return;
    if (!this.known.x.values) this.curve = 'a';
    this.points = pointsOf(this.known);
    this.mend.checked = this.facts.rest === 'mend';
    this.showKinds();
    this.draw();
  }

  // A curve that the material does not have begins as zero where a has its ends, which changes nothing.
  showKinds() {
    const kinds = this.facts.curves.map(({ name, description, x }) => {
      const has = Boolean(x.values);
      const label = has ? prime(name) : `+ ${prime(name)}`;
      const made = element('button', { type: 'button', title: `${has ? '' : 'Add the '}${description}` }, label);
      made.setAttribute('aria-pressed', String(name === this.curve));
      made.addEventListener('click', () => {
        if (has) {
          this.choose(this.material, name);
        } else {
          const ends = this.facts.curves[0].x.values;
          const xs = [...new Set([ends[0], 1, ends.at(-1)])].sort((a, b) => a - b);
          this.remember();
          this.curve = name;
          this.change(xs.map((value) => ({ x: value, y: 0 })));
        }
      });
      return made;
    });
    const { required } = this.known;
    if (!required) {
      const made = element('button', { type: 'button', title: `Remove ${prime(this.curve)}` }, `− ${prime(this.curve)}`);
      made.addEventListener('click', () => {
        this.remember();
        this.ask({ [this.curve]: null });
      });
      kinds.push(made);
    }
    this.kinds.replaceChildren(...kinds);
  }

  // ---- edits

  change(points) {
    this.points = points;
    this.ask({ [this.curve]: tableOf(points) });
    this.draw();
  }

  // One edit at a time is on its way; of those that come meanwhile the last one counts.
  ask(curves) {
    const rest = this.mend.checked ? 'mend' : 'exact';
    this.next = { type: 'curves', material: this.material, curves, rest };
    this.pump();
  }

  pump() {
    if (this.pending || !this.next) return;
    const message = this.next;
    this.next = null;
    if (JSON.stringify(message).length > longestMessage) {
      this.answered('The curve has too many points to send.');
      return;
    }
    this.pending = true;
    this.live.send(message);
  }

  remember() {
    const state = JSON.stringify([this.material, curvesOf(this.facts), this.facts.rest]);
    if (state !== this.undone.at(-1)) this.undone.push(state);
    if (this.undone.length > mostUndone) this.undone.shift();
  }

  takeBack() {
    const now = (name) => JSON.stringify([name, curvesOf(this.materials[name]), this.materials[name].rest]);
    while (this.undone.length > 0) {
      const text = this.undone.pop();
      const [material, curves, rest] = JSON.parse(text);
      if (text === now(material)) continue;
      if (material !== this.material) this.choose(material, this.curve);
      this.mend.checked = rest === 'mend';
      this.ask(curves);
      return;
    }
    this.draw();
  }

  async copyMaterial() {
    const given = Object.entries(curvesOf(this.facts)).filter(([, table]) => table !== null);
    const material = { model: this.facts.model, ...Object.fromEntries(given), rest: this.facts.rest };
    try {
      await navigator.clipboard.writeText(JSON.stringify(material));
      this.copy.textContent = 'Copied';
    } catch {
      this.copy.textContent = 'Not allowed';
    }
    setTimeout(() => (this.copy.textContent = 'Copy'), 1500);
  }

  // A point between its neighbours, and within what is allowed.
  placed(index, x, y) {
    const { x: xs, dy } = this.known;
    const gap = 1e-4 * (this.points.at(-1).x - this.points[0].x);
    const low = index > 0 ? this.points[index - 1].x + gap : Math.max(xs.least, gap);
    const high = index < this.points.length - 1 ? this.points[index + 1].x - gap : xs.most;
    const within = (value, least, most) => Math.min(Math.max(value, least), most);
    const kept = x === this.points[index]?.x ? x : within(precise(x), low, high);
    return { x: kept, y: within(y, dy.least, dy.most) };
  }

  movePoint(index, x, y) {
    this.change(this.points.with(index, this.placed(index, x, y)));
  }

  addPoint(x, y) {
    const index = this.points.findIndex((p) => p.x >= x);
    const at = index < 0 ? this.points.length : index;
    if (this.points[at]?.x === x) return -1;
    this.points = this.points.toSpliced(at, 0, { x, y });
    this.selected = at;
    return at;
  }

  // On the curve, in the middle of the piece behind the selected point; behind the last one as far again.
  addNext() {
    const { points, selected } = this;
    const last = selected === points.length - 1;
    const [from, to] = last ? [selected - 1, selected] : [selected, selected + 1];
    const x = last ? 2 * points[to].x - points[from].x : (points[from].x + points[to].x) / 2;
    this.remember();
    this.addPoint(precise(x), precise(monotoneCubic(...Object.values(tableOf(points)))(x)));
    this.change(this.points);
    this.handles[this.selected]?.focus({ preventScroll: true });
  }

  removePoint() {
    if (this.points.length <= 2) return;
    this.remember();
    const points = this.points.toSpliced(this.selected, 1);
    this.selected = Math.min(this.selected, points.length - 1);
    this.change(points);
    this.handles[this.selected]?.focus({ preventScroll: true });
  }

  enter() {
    const [x, y] = this.inputs.map((input) => entered(input.value));
    const good = [x > 0, Number.isFinite(y)];
    this.inputs.forEach((input, k) => input.setAttribute('aria-invalid', String(!good[k])));
    if (!good.every(Boolean)) return;
    this.remember();
    // As typed: whether points ascend is the engine's to say.
    const [factor] = [this.chart.factor];
    this.change(this.points.with(this.selected, { x, y: y * factor }));
  }

  // ---- pointers and keys

  local(event) {
    const rect = this.picture.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  press(event) {
    if (event.button !== 0 || !this.chart || this.drag) return;
    const [left, top] = this.local(event);
    let index = this.handles.indexOf(event.target.closest('.handle'));
    if (index < 0) {
      const last = this.tap;
      this.tap = { at: event.timeStamp, left, top };
      const again = last && event.timeStamp - last.at < tapTime && Math.hypot(left - last.left, top - last.top) < tapReach;
      const [x, y] = this.chart.at(left, top);
      if (!again || !(x > 0)) return;
      this.tap = null;
      this.remember();
      index = this.addPoint(precise(x), precise(y));
      if (index < 0) return;
      this.drag = { id: event.pointerId, chart: this.chart, offset: [0, 0], moved: true };
      this.change(this.points);
    } else {
      const { x, y } = this.points[index];
      const offset = [this.chart.left(x) - left, this.chart.top(y) - top];
      this.drag = { id: event.pointerId, chart: this.chart, offset, moved: false };
    }
    this.select(index);
    this.handles[index].focus({ preventScroll: true });
    this.picture.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  move(event) {
    const { drag } = this;
    if (!drag || drag.id !== event.pointerId) return;
    const [left, top] = this.local(event).map((c, k) => c + drag.offset[k]);
    if (!drag.moved) {
      drag.moved = true;
      this.remember();
    }
    let [x, y] = drag.chart.at(left, top);
    if (Math.abs(drag.chart.left(1) - left) < magnet) x = 1;
    if (Math.abs(drag.chart.top(0) - top) < magnet) y = 0;
    this.movePoint(this.selected, x, precise(y));
  }

  lift(event) {
    if (this.drag?.id !== event.pointerId) return;
    this.drag = null;
    if (!this.pending && !this.next) this.load();
    else this.draw();
  }

  key(event) {
    const index = this.handles.indexOf(event.target);
    const { key, shiftKey } = event;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrows[key]) {
      const { x, y } = this.points[index];
      const size = shiftKey ? 10 : 1;
      const [across, up] = arrows[key].map((step) => step * size);
      // In pixels of the picture, so that a step is one that can be seen.
      const [atX, atY] = this.chart.at(this.chart.left(x) + 2 * across, this.chart.top(y) - 2 * up);
      this.remember();
      this.movePoint(index, across === 0 ? x : atX, up === 0 ? y : precise(atY));
    } else if (key === 'Delete' || key === 'Backspace') {
      this.removePoint();
    } else if (key === 'Insert') {
      this.addNext();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  select(index) {
    if (index < 0) return;
    this.selected = index;
    this.showPoint();
  }

  // ---- the picture

  // While a point is dragged the frame stays.
  frame(width) {
    if (this.drag?.chart && this.drag.chart.width === width) return this.drag.chart;
    const xs = this.points.map((p) => p.x);
    const ys = this.points.map((p) => p.y);
    const [low, high] = roomy(xs, 0.07, 1);
    const sizes = ys.map(Math.abs).filter((y) => y > 0);
    const largest = Math.max(...sizes, 0);
    const small = this.log && largest > 0 ? Math.max(Math.min(...sizes), 1e-4 * largest) : 0;
    const y = new Scale(...(largest > 0 ? roomy(ys, 0.12, 0) : [-1, 1]), small);
    return new Chart(this.picture, { x: new Scale(Math.max(low, 0), high), y, width, height, unit: this.known.dy.unit });
  }

  draw() {
    const width = this.editor.clientWidth;
    if (!width || this.points.length < 2 || !this.facts?.curves) return;
    const chart = this.frame(width);
    this.chart = chart;
    this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.picture.setAttribute('aria-label', `${this.known.description}: ${this.points.length} points`);
    const over = this.curve === 'a' ? 'stretch' : this.curve === 'b' ? 'product of two stretches' : 'ratio of volumes';
    this.heading.replaceChildren(
      `${this.material}: ${prime(this.curve)} `,
      element('small', {}, `[${chart.prefix}${chart.unit}] over the ${over}`),
    );
    this.back.replaceChildren(...this.clip(chart), chart.grid(), this.curvePaths(chart));
    this.placeHandles(chart);
    this.undo.disabled = this.undone.length === 0;
    this.remove.disabled = this.points.length <= 2;
    this.showPoint();
  }

  clip({ inner }) {
    const rect = svg('rect', { x: margin.left, y: margin.top, width: inner.width, height: inner.height });
    return [svg('defs', {}, svg('clipPath', { id: 'curve-clip' }, rect))];
  }

  curvePaths(chart) {
    const { x: xs, dy } = tableOf(this.points);
    const ascending = xs.every((x, i) => i === 0 || x > xs[i - 1]);
    const group = svg('g', { 'clip-path': 'url(#curve-clip)' });
    if (!ascending) return group;
    const curve = monotoneCubic(xs, dy);
    const piece = (kind, from, to) => {
      if (!(to > from)) return;
      const at = Array.from({ length: samples + 1 }, (_, i) => from + ((to - from) * i) / samples);
      group.append(svg('path', { class: kind, d: chart.path(at, at.map(curve)) }));
    };
    piece('line beyond', chart.x.low, xs[0]);
    piece('line', xs[0], xs.at(-1));
    piece('line beyond', xs.at(-1), chart.x.high);
    return group;
  }

  // Handles stay the elements that they are, so that one in focus stays there.
  placeHandles(chart) {
    while (this.handles.length < this.points.length) {
      const handle = svg('g', { class: 'handle', tabindex: '0', role: 'slider' });
      handle.append(svg('circle', { class: 'reach', r: 13 }), svg('circle', { class: 'dot', r: 5 }));
      this.handles.push(handle);
      this.group.append(handle);
    }
    for (const handle of this.handles.splice(this.points.length)) handle.remove();
    this.points.forEach(({ x, y }, k) => {
      const handle = this.handles[k];
      handle.setAttribute('transform', `translate(${chart.left(x).toFixed(1)} ${chart.top(y).toFixed(1)})`);
      handle.setAttribute('aria-label', `Point ${k + 1} of ${prime(this.curve)}`);
      handle.setAttribute('aria-valuenow', String(y));
      handle.setAttribute('aria-valuetext', `${plain(x, 4)}, ${quantity(y, chart.unit)}`);
    });
  }

  showPoint() {
    this.selected = Math.min(this.selected, this.points.length - 1);
    const point = this.points[this.selected];
    this.handles.forEach((handle, k) => {
      handle.classList.toggle('selected', k === this.selected);
      handle.classList.toggle('refused', k === this.selected && this.refused && Boolean(this.drag));
    });
    if (!point || !this.chart) return;
    this.number.textContent = `Point ${this.selected + 1}`;
    this.unit.textContent = `${this.chart.prefix}${this.chart.unit}`;
    const labels = [`Position of the point`, `Value of the point [${this.unit.textContent}]`];
    [point.x, point.y / this.chart.factor].forEach((value, k) => {
      this.inputs[k].setAttribute('aria-label', labels[k]);
      if (this.inputs[k] === document.activeElement) return;
      this.inputs[k].value = String(Number(value.toPrecision(5)));
      this.inputs[k].removeAttribute('aria-invalid');
    });
  }

  // ---- for tests and scripts

  status() {
    const { material, curve, points, selected, materials, pending } = this;
    return { material, curve, points, selected, materials, waiting: pending || this.next !== null };
  }

  // Where a point is on the page, in pixels.
  placeOf(index) {
    const rect = this.picture.getBoundingClientRect();
    const { x, y } = this.points[index];
    return [rect.left + this.chart.left(x), rect.top + this.chart.top(y)];
  }
}
