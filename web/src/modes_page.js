// The parts of a page of modes: list, plot, sliders of the motion, the bar below the picture, probe and summary.
import { byId, element } from './dom.js';
import { table } from './pages.js';
import { Plot } from './plot.js';
import { colors } from './plots.js';
import { plain, prefixFor, quantity } from './units.js';

const digits = [4, 5]; // of the smallest value that is not zero, of the largest
const mostDecimals = 5;
const mostNamed = 3; // bodies

// Values as the list tells them: in one unit and with equal decimals for all modes, so that numbers can be compared down
// a column.
class Column {
  constructor(modes) {
    const { of, unit } = modes.quantity;
    this.modes = modes;
    const largest = of.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const [factor, prefix] = prefixFor(largest, unit);
    this.factor = factor;
    this.unit = unit && `${prefix}${unit}`;
    const smallest = of.reduce((a, b) => (b > 0 ? Math.min(a, b) : a), largest);
    const decimals = [smallest, largest].map((v, k) => digits[k] - 1 - Math.floor(Math.log10(v / factor || 1)));
    this.decimals = Math.min(mostDecimals, Math.max(0, ...decimals));
  }

  number(mode) {
    if (this.modes.isRigid(mode)) return 'rigid';
    return (this.modes.quantity.of[mode] / this.factor).toFixed(this.decimals);
  }

  // With the unit.
  text(mode) {
    return this.number(mode) + (this.unit && !this.modes.isRigid(mode) ? ` ${this.unit}` : '');
  }
}

export class ModesControls {
  constructor(run, store, player) {
    Object.assign(this, { run, store, player, modes: run.modes, column: new Column(run.modes) });
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on('mode-play', 'click', () => player.toggle());
    on('mode-previous', 'click', () => this.step(-1));
    on('mode-next', 'click', () => this.step(1));
    on('mode-slider', 'input', (e) => this.choose(Number(e.target.value) - 1));
    on('amplitude', 'input', (e) => store.set({ amplitude: Number(e.target.value) / 100 }));
    on('period', 'input', (e) => store.set({ period: Number(e.target.value) }));
    byId('mode-slider').max = this.modes.count;
    this.makePlot();
    this.makeList();
    byId('mode-rigid').hidden = !this.modes.values.every((_, mode) => this.modes.isRigid(mode));
    byId('mode-rigid').replaceChildren(...this.rigidText());
    store.subscribe((state, changed) => this.update(state, changed));
  }

  choose(mode) {
    this.player.goto(mode);
  }

  step(by) {
    this.choose(this.store.state.frame + by);
  }

  makePlot() {
    const { name, unit, of } = this.modes.quantity;
    const facts = { id: 'modes', title: name[0].toUpperCase() + name.slice(1), unit, axis: 'mode', canLog: true };
    const series = [{ name, color: colors.one, values: of }];
    const go = (step) => this.player.gotoStep(step);
    this.plot = new Plot({ ...facts, series, points: true }, this.run.frames.step, go);
    byId('mode-plot').append(this.plot.node);
  }

  makeList() {
    const { modes, column } = this;
    byId('mode-column').textContent = modes.quantity.name + (column.unit ? ` [${column.unit}]` : '');
    this.rows = modes.values.map((_, mode) => {
      const text = column.number(mode);
      const attributes = { role: 'option', id: `mode-${mode + 1}`, 'aria-selected': 'false' };
      const row = element('div', attributes, element('span', {}, String(mode + 1)), element('span', {}, text));
      row.addEventListener('click', () => this.choose(mode));
      return row;
    });
    byId('mode-list').append(...this.rows);
    new ResizeObserver(() => this.reveal()).observe(byId('mode-list'));
  }

  update(state, changed) {
    if (changed.has('frame')) this.showMode(state.frame);
    if (changed.has('playing')) {
      const play = byId('mode-play');
      play.setAttribute('aria-pressed', String(state.playing));
      play.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
      play.title = `${state.playing ? 'Pause' : 'Play'} (Space)`;
    }
    if (changed.has('amplitude')) {
      byId('amplitude').value = 100 * state.amplitude;
      byId('amplitude-value').textContent = `${plain(100 * state.amplitude)} %`;
    }
    if (changed.has('period')) {
      byId('period').value = state.period;
      byId('period-value').textContent = quantity(state.period, 's');
    }
    if (changed.has('period') || changed.has('frame')) byId('slowed').textContent = this.slowed(state);
    if (changed.has('shown') && state.shown) this.showBodies(state.shown);
  }

  showMode(mode) {
    const value = this.column.text(mode);
    byId('mode-slider').value = mode + 1;
    byId('mode-slider').setAttribute('aria-valuetext', `mode ${mode + 1}, ${value}`);
    byId('mode-name').replaceChildren(
      `mode ${mode + 1}`,
      element('small', {}, this.modes.quantity.told(value)),
    );
    this.plot.setCursor(mode);
    const row = this.rows[mode];
    this.chosen?.setAttribute('aria-selected', 'false');
    row.setAttribute('aria-selected', 'true');
    this.chosen = row;
    byId('mode-list').setAttribute('aria-activedescendant', row.id);
    this.reveal();
  }

  // Scrolls the list to the chosen row; scrollIntoView would scroll the panel, too.
  reveal() {
    if (!this.chosen) return;
    const list = byId('mode-list');
    const top = this.chosen.offsetTop - list.offsetTop;
    const room = this.chosen.offsetHeight; // its neighbours show that there are more
    const least = top + 2 * room - list.clientHeight;
    list.scrollTop = Math.max(Math.min(list.scrollTop, top - room), least);
  }

  // Of scenes of several bodies, which of them the mode moves.
  showBodies({ moved }) {
    const bodies = this.run.header.objects.filter(({ kind }) => kind === 'body');
    const names = moved.slice(0, mostNamed).map((k) => this.run.header.objects[k].name);
    const all = moved.length === bodies.length ? 'all bodies' : `${moved.length} of ${bodies.length} bodies`;
    byId('mode-bodies').hidden = bodies.length < 2;
    byId('mode-bodies').textContent = `Moves ${moved.length > mostNamed ? all : names.join(', ')}.`;
  }

  rigidText() {
    const bodies = this.run.header.objects.filter(({ kind }) => kind === 'body').length;
    return [
      'All modes are rigid motions; each free body has six. To see how bodies deform, compute more modes with ',
      element('code', {}, `--count ${6 * bodies + 20}`),
      ', or inertia modes with ',
      element('code', {}, '--kind inertia'),
      '.',
    ];
  }

  // How the motion in the picture compares with the real one.
  slowed({ frame, period }) {
    const frequency = this.modes.hasFrequencies ? this.modes.quantity.of[frame] : 0;
    if (!(frequency > 0)) return '';
    const factor = frequency * period;
    const times = factor >= 1 ? `${plain(factor)} times slower` : `${plain(1 / factor)} times faster`;
    return `One oscillation takes ${quantity(1 / frequency, 's')}; here it is ${times}.`;
  }
}

// What a click on a surface tells: where the vertex rests, and its displacement over the largest one.
export function modeProbeRows({ modes, objects, origin, header }, frame, { object, vertex }) {
  const rest = [0, 1, 2].map((a) => objects[object].positions[3 * vertex + a] + origin[a]);
  const rows = rest.map((c, a) => [`${'xyz'[a]} at rest`, quantity(c, 'm', 4)]);
  const moved = frame.displacements[object];
  if (moved) {
    const parts = [0, 1, 2].map((a) => moved[3 * vertex + a]);
    rows.push(...parts.map((u, a) => [`displacement ${'xyz'[a]}`, plain(u)]));
    rows.push([`length of the ${header.fields[0].name}`, plain(Math.hypot(...parts))]);
  }
  return rows;
}

export function modesBadges({ modes, summary: s }) {
  const list = [
    modes.words,
    `${modes.count.toLocaleString('en')} ${modes.count === 1 ? 'mode' : 'modes'}`,
    `${s.vertices.toLocaleString('en')} vertices`,
    `${s.tets.toLocaleString('en')} tets`,
  ];
  byId('badges').replaceChildren(...list.map((text) => element('span', { class: 'badge' }, text)));
}

export function modesSummary(run, quantum) {
  const { modes, summary: s } = run;
  const rigid = modes.values.filter((_, mode) => modes.isRigid(mode)).length;
  const column = new Column(modes);
  const told = rigid < modes.count;
  byId('page-summary').replaceChildren(
    table('Modes', [
      ['scene', s.scene],
      ['kind', modes.words],
      ['modes', modes.count],
      ['rigid', modes.hasFrequencies ? rigid : null],
      ['lowest frequency', modes.hasFrequencies && told ? column.text(modes.first) : null],
      ['highest frequency', modes.hasFrequencies && told ? column.text(modes.count - 1) : null],
      ['lowest load factor', modes.kind === 'buckling' ? column.text(0) : null],
      ['share of the total energy', modes.kind === 'pod' ? plain(modes.values.reduce((a, b) => a + b, 0), 5) : null],
      ['vertices', s.vertices],
      ['tets', s.tets],
      ['version', run.header.version],
    ]),
    table('This page', [
      ['vertices of the surface', modes.vertices],
      ['rounding error over the largest displacement', `± ${plain(quantum / 2, 2)}`],
    ]),
  );
}
