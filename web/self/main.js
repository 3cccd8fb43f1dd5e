// A page that simulates by itself: the engine steps here, and pulls act on it at once.
import { byId, element } from '../src/dom.js';
import { Lift } from '../src/lift.js';
import { Pulls } from '../src/pulls.js';
import { Stage } from '../src/stage.js';
import { loadTextures } from '../src/texture.js';
import { loadData, loadModule } from './data.js';
import { Solver } from './solver.js';

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
const origin = [0, 0, 0];
const mostSteps = 4; // in a picture, beyond which time is lost
const shownEvery = 250; // ms
const room = 0.15; // about the bodies, of their size

// What Stage draws, as Run has it.
function runOf({ facts, objects }, textures) {
  const looks = facts.objects.map(({ look }) => look && { ...look, color: look.color || undefined });
  const bodies = facts.objects.filter((o) => o.kind === 'body');
  // A body that is pulled leaves the box where it starts.
  const margin = room * Math.hypot(...facts.box[1].map((c, a) => c - facts.box[0][a]));
  const low = facts.box[0].map((c) => c - margin);
  const high = facts.box[1].map((c) => c + margin);
  return {
    live: true,
    shadowRoom: 0.3,
    subspace: null,
    modes: null,
    box: [low, high],
    action: [low, high],
    origin,
    materials: bodies.map((_, k) => k),
    objects,
    textures,
    header: {
      gravity: facts.gravity,
      planes: facts.planes.map((_, k) => ({ name: `plane ${k + 1}` })),
      fields: [],
      objects: facts.objects.map((o, k) => ({ ...o, groups: [[k, o.triangles]] })),
    },
    lookOf: (k) => looks[k],
  };
}

// What Pulls sends messages to, in place of a server.
class Simulation {
  constructor(data, module) {
    Object.assign(this, { data, module, client: 0, connected: false, socket: { free: true }, pulls: new Map() });
    this.settings = { gravity: data.facts.gravity, friction: data.facts.friction, iterations: data.facts.iterations };
    this.steps = 0;
    this.seconds = 0;
    this.handlers = {};
    this.lifts = data.weights.map((of, k) => of && new Lift(of, 0, data.facts.objects[k].vertices, origin));
    const grips = new Set(data.facts.grips);
    this.grips = [...grips];
  }

  on(event, handler) {
    (this.handlers[event] ??= []).push(handler);
  }

  tell(event, value) {
    for (const handler of this.handlers[event] ?? []) handler(value);
  }

  async reset() {
    this.connected = false;
    this.tell('connection', false);
    this.pulls.clear();
    this.solver = await Solver.start(this.module, this.data.model, (text) => this.tell('warning', text));
    this.apply();
    const { origin: center } = this.data.facts;
    this.gripPlaces = this.grips.map((v) => this.solver.place(v).map((c, a) => c - center[a]));
    this.connected = true;
    this.tell('connection', true);
  }

  apply() {
    this.solver.setGravity(this.settings.gravity);
    if (this.settings.friction !== null) this.solver.setFriction(this.settings.friction);
    this.solver.setIterations(this.settings.iterations);
  }

  set(changes) {
    Object.assign(this.settings, changes);
    this.apply();
  }

  // The vertex of the model that is nearest to a place at rest.
  gripNear(place) {
    let best = 0;
    let least = Infinity;
    this.restPlaces ??= this.gripPlaces;
    this.restPlaces.forEach((p, k) => {
      const distance = (p[0] - place[0]) ** 2 + (p[1] - place[1]) ** 2 + (p[2] - place[2]) ** 2;
      if (distance < least) [least, best] = [distance, k];
    });
    return this.grips[best];
  }

  // The pulled vertex of the model is near that of the picture: the target is moved by what lies between them.
  send(message) {
    const { origin: center } = this.data.facts;
    if (message.type === 'release') {
      this.solver.release(message.id);
      this.pulls.delete(message.id);
      return;
    }
    let pull = this.pulls.get(message.id);
    if (!pull) {
      const lift = this.lifts[message.object];
      const place = [0, 1, 2].map((a) => lift.rest[3 * message.vertex + a]);
      const grip = this.gripNear(place);
      const now = [0, 0, 0];
      lift.place(message.vertex, now, 0);
      const there = this.solver.place(grip);
      pull = { grip, offset: there.map((c, a) => c - center[a] - now[a]) };
      this.pulls.set(message.id, pull);
    }
    this.solver.pull(message.id, pull.grip, message.target.map((c, a) => c + center[a] + pull.offset[a]));
  }

  step() {
    const begin = performance.now();
    this.outcome = this.solver.step();
    this.seconds += (performance.now() - begin) / 1000;
    this.steps += 1;
  }

  move() {
    const { rows } = this.solver;
    const y = this.solver.coordinates();
    const coordinates = new Float64Array(3 * rows);
    for (let r = 0; r < rows; ++r) for (let a = 0; a < 3; ++a) coordinates[3 * r + a] = y[a * rows + r];
    for (const lift of this.lifts) lift?.move(coordinates);
  }

  frame() {
    const { planes, objects } = this.data.facts;
    return { lifts: this.lifts, positions: objects.map(() => null), planes, fields: [], pulls: [] };
  }
}

function slider(label, { min, max, step, value }, changed) {
  const output = element('output', {}, String(Number(value.toPrecision(4))));
  const input = element('input', { type: 'range', min, max, step, value, 'aria-label': label });
  input.addEventListener('input', () => {
    output.textContent = input.value;
    changed(Number(input.value));
  });
  return element('label', {}, element('span', {}, label), input, output);
}

function controls(simulation, page) {
  const { facts } = simulation.data;
  const size = Math.hypot(...facts.gravity);
  const down = size > 0 ? facts.gravity.map((c) => c / size) : [0, -1, 0];
  const list = [
    slider('gravity', { min: -30, max: 30, step: 0.1, value: size }, (g) =>
      simulation.set({ gravity: down.map((c) => c * g) }),
    ),
    slider('iterations', { min: 1, max: 20, step: 1, value: Math.max(1, facts.iterations) }, (iterations) =>
      simulation.set({ iterations }),
    ),
  ];
  if (facts.friction !== null) {
    const range = { min: 0, max: 1, step: 0.01, value: facts.friction };
    list.push(slider('friction', range, (friction) => simulation.set({ friction })));
  }
  byId('self-settings').append(...list);
  byId('self-pause').addEventListener('click', () => page.pause(!page.paused));
  byId('self-step').addEventListener('click', () => page.advance());
  byId('self-reset').addEventListener('click', () => page.reset());
  document.addEventListener('keydown', (e) => {
    if (e.target instanceof HTMLInputElement) return;
    if (e.key === ' ') page.pause(!page.paused);
    else if (e.key === '.') page.advance();
    else if (e.key === 'Backspace') page.reset();
    else return;
    e.preventDefault();
  });
}

class Page {
  constructor(simulation, stage) {
    Object.assign(this, { simulation, stage, paused: false, behind: 0, told: 0, rate: 0 });
    this.state = { colorBy: 'material', probe: null };
  }

  async reset() {
    await this.simulation.reset();
    this.behind = 0;
    this.show();
  }

  pause(paused) {
    this.paused = paused;
    const button = byId('self-pause');
    button.textContent = paused ? 'Play' : 'Pause';
    button.setAttribute('aria-pressed', String(paused));
  }

  advance() {
    this.pause(true);
    this.steps(1);
  }

  steps(count) {
    try {
      for (let k = 0; k < count; ++k) this.simulation.step();
    } catch (error) {
      this.pause(true);
      this.notice(`The solver stopped: ${error.message}. Reset starts it anew.`);
      return;
    }
    this.show();
  }

  show() {
    this.simulation.move();
    this.stage.show(this.simulation.frame(), this.state);
    this.tell();
  }

  // Time goes on as on the wall, as far as the machine keeps up.
  run(now) {
    requestAnimationFrame((next) => this.run(next));
    const passed = Math.min(0.1, (now - (this.last ?? now)) / 1000);
    this.last = now;
    if (this.paused || !this.simulation.connected) return;
    const step = this.simulation.data.facts.time_step;
    this.behind = Math.min(this.behind + passed, mostSteps * step);
    const due = Math.floor(this.behind / step + 1e-9);
    if (due === 0) return;
    this.behind -= due * step;
    this.steps(due);
  }

  tell() {
    const now = performance.now();
    if (now - this.told < shownEvery) return;
    const { steps, seconds } = this.simulation;
    const { step, time } = this.simulation.solver.clock();
    const rate = this.counted === undefined ? 0 : ((steps - this.counted) * 1000) / (now - this.told);
    const cost = this.spent === undefined || steps === this.counted ? 0 : (1000 * (seconds - this.spent)) / (steps - this.counted);
    Object.assign(this, { told: now, counted: steps, spent: seconds, rate, cost });
    byId('self-clock').textContent = `${time.toFixed(2)} s · step ${step}`;
    byId('self-rate').textContent = `${rate.toFixed(0)} steps/s · ${cost.toFixed(1)} ms a step`;
  }

  notice(text) {
    const box = byId('notice');
    box.textContent = text ?? '';
    box.hidden = !text;
  }
}

async function start() {
  const data = await loadData();
  const { facts } = data;
  document.title = `${facts.name} – sinew`;
  byId('title').textContent = facts.name;
  byId('self-facts').textContent =
    `${facts.tets.toLocaleString('en')} tets · ${facts.handles} handles · ${facts.points} cubature points`;
  const run = runOf(data, await loadTextures(data.facts.images));
  const stage = new Stage(byId('view'), run);
  const simulation = new Simulation(data, await loadModule());
  const page = new Page(simulation, stage);
  const pulls = new Pulls(stage, simulation, { set: () => {} });
  controls(simulation, page);
  const theme = () => {
    document.documentElement.dataset.theme = systemDark.matches ? 'dark' : 'light';
    stage.setTheme(systemDark.matches);
  };
  systemDark.addEventListener('change', theme);
  theme();
  stage.setQuality('auto');
  stage.setStyle({ edges: 'none', flat: false });
  await page.reset();
  requestAnimationFrame((now) => page.run(now));
  // For tests and scripts.
  Object.assign(window.sinew, {
    facts: () => facts,
    clock: () => simulation.solver.clock(),
    coordinates: () => [...simulation.solver.coordinates()],
    pause: () => page.pause(true),
    play: () => page.pause(false),
    steps: (count) => page.steps(count),
    reset: () => page.reset(),
    set: (changes) => simulation.set(changes),
    rate: () => ({ steps: page.rate, milliseconds: page.cost, outcome: simulation.outcome }),
    place: (object, vertex) => stage.surfaces[object].pointOf(vertex).map((c, a) => c + facts.origin[a]),
    pixel: (object, vertex) => stage.pixelOf(stage.surfaces[object].pointOf(vertex)),
    pull: (object, vertex, target) => pulls.hold('script', object, vertex, target.map((c, a) => c - facts.origin[a])),
    release: () => pulls.release(),
    held: () => simulation.pulls.size,
  });
}

const ready = start();
window.sinew = { ready };
ready.catch((error) => {
  const box = byId('notice');
  box.textContent = error.message;
  box.hidden = false;
});
