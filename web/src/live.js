// A live simulation as a source of frames. Of what comes the newest frame is drawn, once a picture; parts of the page
// listen to what the server tells (`on`), and ask it for things.
import { inflate } from './blobs.js';
import { Reader } from './decode.js';
import { Lift } from './lift.js';
import { decodeLiveFrame, decodeWeights } from './live_frame.js';
import { liveAddress, LiveSocket } from './live_socket.js';

const samples = 150; // vertices that tell where a reduced body is

async function fetched(path) {
  const response = await fetch(liveAddress(path), { cache: 'no-store' });
  if (!response.ok) throw new Error(`live/${path}: the server answered with status ${response.status}`);
  return response;
}

// As Run has it of a run. The box is that of the bodies at rest.
export async function loadLive() {
  const text = await (await fetched('mesh')).text();
  const [header, data] = JSON.parse(text);
  const reader = new Reader(await inflate(data));
  const boxes = header.objects.map(() => reader.doubles(6));
  const bodies = boxes.filter((_, k) => header.objects[k].kind === 'body');
  const corner = (from, pick) => [0, 1, 2].map((a) => pick(...bodies.map((box) => box[from + a])));
  return {
    meshPieces: [header, data],
    live: new Live(text),
    box: [corner(0, Math.min), corner(3, Math.max)],
    summary: {},
    warnings: [],
    unconverged: [],
    rows: { step: [] },
    frames: { step: [0], time: [0] },
    chunks: [],
    ranges: [], // of each field what came so far
    usual: [],
  };
}

export class Live {
  constructor(meshText) {
    Object.assign(this, { meshText, listeners: {}, connected: false, rate: null, fps: 0, drawn: null, fresh: null });
    this.state = { paused: true, finished: false, method: '', methods: [], settings: {}, recording: null, viewers: 0 };
    this.weights = null; // their number and the bodies' lifts
  }

  // Before the rest, when the page is there.
  start(run, store) {
    Object.assign(this, { run, store });
    store.subscribe((_, changed) => {
      if (changed.has('colorBy')) this.askColor();
    });
    this.socket = new LiveSocket({
      open: () => this.opened(),
      text: (message) => this.text(message),
      binary: (buffer) => this.binary(buffer),
      lost: () => this.lost(),
    });
    this.first = new Promise((resolve) => {
      this.firstDrawn = resolve;
    });
  }

  on(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }

  tell(type, message) {
    for (const listener of this.listeners[type] ?? []) listener(message);
  }

  send(message) {
    this.socket.send(message);
  }

  // ---- connection

  // A server that was started anew may simulate something else: then the page begins again too.
  async opened() {
    const known = this.wasOpen;
    this.wasOpen = true;
    this.weights = this.wanted = null;
    this.askColor();
    if (known) {
      const text = await fetched('mesh').then((r) => r.text(), () => this.meshText);
      if (text !== this.meshText) location.reload();
    }
  }

  lost() {
    this.connected = false;
    this.fresh = null;
    this.rate = null;
    this.tell('connection', false);
  }

  text(message) {
    if (message.type === 'hello') {
      this.client = message.client;
      this.connected = true;
      if (message.version !== 1) {
        this.tell('error', { message: 'Server and page have different versions; reload the page' });
      }
      this.tell('connection', true);
    } else if (message.type === 'state') {
      this.state = { ...this.state, ...message };
      this.store.set({ playing: !this.state.paused && !this.state.finished });
      this.follow(this.state.weights);
    } else if (message.type === 'rows') {
      this.rate = message.rate;
      this.outcome = message.rows.at(-1)?.outcome ?? null;
    }
    this.tell(message.type, message);
  }

  // Fetches weights of a new number.
  async follow(number) {
    if (number === null || number === undefined || this.wanted === number) return;
    this.wanted = number;
    try {
      const weights = decodeWeights(await (await fetched('weights')).arrayBuffer());
      if (this.wanted !== number) return;
      let first = 0;
      const lifts = this.run.header.objects.map(({ kind, vertices }) => {
        if (kind !== 'body') return null;
        first += vertices;
        return new Lift(weights, first - vertices, vertices, this.run.origin);
      });
      this.weights = { number: weights.number, rows: 4 * weights.handles, lifts };
    } catch (error) {
      this.wanted = null; // the next state tries again
      this.tell('error', { message: error.message });
    }
    this.ask();
  }

  // ---- frames

  binary(buffer) {
    this.fresh = { buffer, weights: this.state.weights };
    this.ask();
  }

  ask() {
    if (this.asked || !this.fresh) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
    });
  }

  // Frames of weights that have not come yet wait for them; those of weights that no longer count are left out.
  draw() {
    if (!this.fresh) return;
    const { buffer, weights } = this.fresh;
    const frame = decodeLiveFrame(buffer, this.run.header, this.run.origin);
    if (frame.coordinates && weights !== this.state.weights) {
      this.fresh = null;
      this.send({ type: 'seen', frame: frame.number });
      return;
    }
    if (frame.coordinates) {
      if (this.weights?.number !== weights || this.weights.rows !== frame.coordinates.length / 3) return;
      frame.lifts = this.weights.lifts;
      for (const lift of frame.lifts) lift?.move(frame.coordinates);
    }
    this.fresh = null;
    frame.box = this.boxOf(frame);
    frame.ranges.forEach((range, field) => {
      const known = (this.run.ranges[field] ??= [...range]);
      this.run.ranges[field] = [Math.min(known[0], range[0]), Math.max(known[1], range[1])];
    });
    this.run.frames.step[0] = frame.step;
    this.run.frames.time[0] = frame.time;
    this.count(frame);
    this.store.set({ shown: frame });
    this.tell('frame', frame);
    this.firstDrawn();
    this.send({ type: 'seen', frame: frame.number });
  }

  // Pictures a second, smoothed.
  count(frame) {
    const now = performance.now();
    if (this.drawn) {
      const gap = Math.max(now - this.drawn.at, 1);
      const share = Math.min(1, gap / 500);
      this.fps += share * (1000 / gap - this.fps);
    }
    this.drawn = { at: now, number: frame.number, step: frame.step, bytes: frame.bytes };
  }

  // Low and high corner of the bodies.
  boxOf({ lifts, boxes }) {
    const low = [Infinity, Infinity, Infinity];
    const high = low.map((c) => -c);
    const take = (points, at) => {
      for (let a = 0; a < 3; ++a) {
        low[a] = Math.min(low[a], points[at + a]);
        high[a] = Math.max(high[a], points[at + a]);
      }
    };
    for (const box of boxes) [0, 3].forEach((at) => take(box, at));
    for (const lift of lifts ?? []) {
      const points = lift?.some(samples) ?? [];
      for (let at = 0; at < points.length; at += 3) take(points, at);
    }
    return [low, high];
  }

  // ---- what is asked of the server

  askColor() {
    const { colorBy } = this.store.state;
    const field = this.run.header.fields.some((f) => f.name === colorBy) ? colorBy : null;
    if (field === null && !this.colored) return;
    this.colored = field !== null;
    this.send({ type: 'color', field });
  }

  pause(on) {
    this.send({ type: 'pause', on });
  }

  toggle() {
    this.pause(!this.state.paused);
  }

  step() {
    this.send({ type: 'step' });
  }

  reset() {
    this.send({ type: 'reset' });
  }

  toggleRecord() {
    this.send({ type: 'record', on: this.state.recording === null });
  }

  // ---- as main.js asks a player

  defaultSpeed() {
    return 1;
  }

  // The first frame, or after some time the bodies at rest.
  async arrived() {
    await Promise.race([this.first, new Promise((resolve) => setTimeout(resolve, 2000))]);
    if (!this.store.state.shown) this.store.set({ shown: this.run.restFrame(0) });
  }

  status() {
    const { connected, drawn, fps, state } = this;
    const { number = 0, step = 0, bytes = 0 } = drawn ?? {};
    return { connected, frame: number, step, fps, bytes, method: state.method, paused: state.paused };
  }
}
