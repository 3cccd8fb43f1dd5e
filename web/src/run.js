// The data of a run: what stands still is here from the start, frames are fetched and decoded when asked for.
import { actionBox } from './action.js';
import { inflate, loadBlob } from './blobs.js';
import { decodeFrame, decodeMesh } from './decode.js';
import { element } from './dom.js';
import { decodeInsideFrame, decodeInsides } from './inside.js';
import { loadLive } from './live.js';
import { loadModes } from './modes.js';
import { loadSubspace } from './subspace.js';
import { loadTextures } from './texture.js';
import { words } from './units.js';

const frameCacheBytes = 256e6;
const chunkCacheBytes = 256e6;

// Keeps what was used last, as far as it fits.
class Cache {
  constructor(limit) {
    this.limit = limit;
    this.size = 0;
    this.entries = new Map();
  }

  get(key) {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key, value, size) {
    this.size += size;
    this.entries.set(key, { value, size });
    for (const [oldest, entry] of this.entries) {
      if (this.size <= this.limit || oldest === key) break;
      this.entries.delete(oldest);
      this.size -= entry.size;
    }
  }
}

// Of an object, those beyond its inner faces among them.
export function materialsOf({ groups }) {
  const all = groups.flatMap(([material, , beyond]) => (beyond === undefined ? [material] : [material, beyond]));
  return [...new Set(all)].sort((a, b) => a - b);
}

async function loadFacts() {
  const [header, data] = await loadBlob('run');
  return { warnings: header.warnings, ...JSON.parse(new TextDecoder().decode(await inflate(data))) };
}

// Only a live page talks to a server.
function forbidConnections() {
  const rule = element('meta', { 'http-equiv': 'Content-Security-Policy', content: "connect-src 'none'" });
  document.head.append(rule);
}

export class Run {
  static async load() {
    const page = JSON.parse(document.getElementById('sinew-page').textContent);
    const run = new Run();
    Object.assign(run, { kind: page.kind, embedded: page.embedded });
    if (page.kind !== 'live') forbidConnections();
    const kinds = { run: loadFacts, subspace: loadSubspace, modes: loadModes, live: loadLive };
    const facts = kinds[page.kind]();
    const [meshHeader, meshBytes] = page.kind === 'live' ? (await facts).meshPieces : await loadBlob('mesh');
    run.header = meshHeader;
    Object.assign(run, await facts);
    run.origin = [0, 1, 2].map((a) => (run.box[0][a] + run.box[1][a]) / 2);
    const [outside, inside] = meshBytes.split('.');
    run.objects = decodeMesh(await inflate(outside), run.header, run.origin);
    run.insideBytes = inside; // decoded when a cut shows it
    run.textures = await loadTextures(run.header.images);
    run.materials = [...new Set(run.header.objects.filter((o) => o.kind === 'body').flatMap(materialsOf))].sort(
      (a, b) => a - b,
    );
    run.usualByMaterial = run.usual_by_material;
    run.subspace?.place(run);
    run.prepare();
    return run;
  }

  prepare() {
    this.frameCache = new Cache(frameCacheBytes);
    this.chunkCache = new Cache(chunkCacheBytes);
    this.pending = new Map();
    this.chunkOf = [];
    this.chunks.forEach((count, chunk) => {
      for (let i = 0; i < count; ++i) this.chunkOf.push([chunk, i]);
    });
    this.reasons = new Map(this.unconverged);
    this.frameCount = this.frames.step.length;
    this.lastStep = Math.max(this.rows.step.at(-1) ?? 0, this.frames.step.at(-1) ?? 0);
    this.firstStep = this.frames.step[0] ?? 0;
  }

  // The box of the motion that a camera should show: low and high corner.
  get action() {
    return this.frames.focus?.length > 0 ? actionBox(this.frames.focus) : this.box;
  }

  // Colour, roughness, metalness, opacity, texture of a material, as the scene or its kind has them (scene key `look`).
  lookOf(material) {
    return this.header.looks?.[material];
  }

  // What a colour tells best at first.
  get defaultColor() {
    if (this.subspace) return 'cluster';
    if (this.modes) return 'displacement';
    const natural = this.materials.some((material) => this.lookOf(material)?.color);
    return natural || this.materials.length > 1 ? 'material' : 'body';
  }

  // What a field's colours span at first: of a live simulation nobody knows the whole.
  get defaultRange() {
    return this.live ? 'frame' : this.usualByMaterial?.length > 0 ? 'material' : 'usual';
  }

  get tabs() {
    if (this.live) return ['live', 'plots', 'view', 'scene'];
    if (this.modes) return ['modes', 'view', 'summary', 'scene'];
    return this.subspace ? ['view', 'summary', 'scene'] : ['view', 'plots', 'summary', 'warnings', 'scene'];
  }

  // What surfaces can be coloured by: [name, words].
  get colors() {
    const fields = this.header.fields.map((f) => f.name);
    const names = this.subspace ? this.subspace.colors : ['body', 'material', ...fields];
    return names.map((name) => [name, words(name)]);
  }

  // The last frame that is not later than a step.
  frameOfStep(step) {
    let low = 0;
    let high = this.frameCount - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.frames.step[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The index into the rows of a step, or -1.
  rowOfStep(step) {
    const row = step - (this.rows.step[0] ?? 1);
    return this.rows.step[row] === step ? row : -1;
  }

  async chunk(number) {
    const known = this.chunkCache.get(number);
    if (known) return known;
    const name = `frames_${String(number).padStart(6, '0')}`;
    if (!this.pending.has(name)) {
      const loading = loadBlob(name).then((pieces) => {
        this.chunkCache.set(
          number,
          pieces,
          pieces.reduce((n, p) => n + (p.length ?? 200), 0),
        );
        return pieces;
      });
      this.pending.set(
        name,
        loading.finally(() => this.pending.delete(name)),
      );
    }
    return this.pending.get(name);
  }

  // The frame with its step, time and ranges of the fields; decoded frames are kept.
  async frame(index) {
    const name = `frame ${index}`;
    const known = this.frameCache.get(index);
    if (!known && !this.pending.has(name)) {
      this.pending.set(
        name,
        this.decode(index).finally(() => this.pending.delete(name)),
      );
    }
    const frame = known ?? (await this.pending.get(name));
    if (this.showsInside) await this.loadInside(frame);
    return frame;
  }

  // Gives a frame the insides of bodies, if the run has them.
  loadInside(frame) {
    if (!this.insideBytes || frame.insides) return frame;
    frame.loadingInside ??= this.decodeInside(frame).finally(() => delete frame.loadingInside);
    return frame.loadingInside;
  }

  async decodeInside(frame) {
    this.insides ??= decodeInsides(await inflate(this.insideBytes), this.header);
    const [chunk, place] = this.chunkOf[frame.index];
    const [outside, inside] = (await this.chunk(chunk))[2 * place + 1].split('.');
    frame.withoutInside = !inside; // written by a version before
    if (!inside) return;
    const bytes = [await inflate(outside), await inflate(inside)];
    frame.insides = decodeInsideFrame(...bytes, this.header, this.origin, frame.moved ?? [], this.insides);
  }

  async decode(index) {
    if (this.subspace) return this.restFrame(index);
    if (this.modes) return this.modeFrame(index);
    const [chunk, place] = this.chunkOf[index];
    const pieces = await this.chunk(chunk);
    const head = pieces[2 * place];
    const [outside, inside = ''] = pieces[2 * place + 1].split('.');
    const bytes = await inflate(outside);
    const frame = { ...head, index, ...decodeFrame(bytes, this.header, this.origin, head.moved) };
    this.frameCache.set(index, frame, 2 * bytes.length + 8 * inside.length);
    return frame;
  }

  async modeFrame(mode) {
    const frame = await this.modes.decode(mode, this);
    this.frameCache.set(mode, frame, 16 * this.modes.vertices);
    return frame;
  }

  restFrame(index) {
    const local = (point) => point.map((c, a) => c - this.origin[a]);
    const planes = (this.subspace?.planes ?? []).map(({ point, normal }) => ({ point: local(point), normal }));
    return { index, step: 0, time: 0, ranges: [], planes, positions: this.objects.map(() => null), fields: [], quantum: 0 };
  }

  // Starts fetching what playback needs next, and decoding the next frame.
  prefetch(index) {
    if (index + 1 < this.chunkOf.length) this.frame(index + 1).catch(() => {});
    const next = this.chunkOf[index]?.[0] + 1;
    if (next < this.chunks.length) this.chunk(next).catch(() => {});
  }
}
