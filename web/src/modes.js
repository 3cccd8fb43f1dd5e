// The modes of a scene: their values and, decoded when asked for, their displacements at the surface. A mode stands
// where a run has a frame. The layout of the data is described in src/sinew/io/report_format.h.
import { inflate, loadBlob } from './blobs.js';
import { Reader, Sequences } from './decode.js';

const displacementLevels = 65534;
const still = 1e-3; // a body that moves by less, over the largest displacement, does not count as moved

// How modes of a kind are called, where its name is not enough.
const kindWords = {
  linear: 'linear modes',
  inertia: 'inertia modes',
  derivatives: 'mode derivatives',
  inertia_derivatives: 'derivatives of inertia modes',
  quadratic: 'quadratic modes',
  pod: 'modes of frames (POD)',
  vibrations: 'vibrations about a state',
  buckling: 'buckling shapes',
};

// Of the box of some shapes.
function diagonalOf(shapes) {
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((c) => -c);
  for (const shape of shapes) {
    for (let i = 0; i < shape.length; ++i) {
      low[i % 3] = Math.min(low[i % 3], shape[i]);
      high[i % 3] = Math.max(high[i % 3], shape[i]);
    }
  }
  return shapes.length > 0 ? Math.hypot(...high.map((c, a) => c - low[a])) : 0;
}

export class Modes {
  constructor(header, order, pieces) {
    Object.assign(this, header); // kind, values, box, diagonal, planes, vertices, summary
    this.order = new Reader(order).integers(this.vertices); // of the vertices in the data
    this.data = pieces.filter((_, k) => k % 2 === 1);
    this.count = this.values.length;
    // Modes of frames have shares of energy, buckling shapes factors on the load, all others omega^2.
    this.hasFrequencies = this.kind !== 'pod' && this.kind !== 'buckling';
    this.quantity = this.quantityOf(this.kind);
  }

  // told: what stands beside the number of a mode.
  quantityOf(kind) {
    const of = this.values;
    if (kind === 'pod') return { name: 'share of energy', unit: '', of, told: (value) => `${value} of energy` };
    if (kind === 'buckling') return { name: 'load factor', unit: '', of, told: (value) => `load × ${value}` };
    const frequencies = of.map((v) => Math.sqrt(Math.max(v, 0)) / (2 * Math.PI));
    return { name: 'frequency', unit: 'Hz', of: frequencies, told: (value) => value };
  }

  get words() {
    return kindWords[this.kind] ?? `${this.kind.replaceAll('_', ' ')} modes`;
  }

  isRigid(mode) {
    return this.hasFrequencies && this.values[mode] === 0;
  }

  // What to show at first: nothing is learned from rigid motions.
  get first() {
    return Math.max(0, this.values.findIndex((_, mode) => !this.isRigid(mode)));
  }

  // As a frame: for each body the displacements (interleaved) over the largest one, and their lengths as the field.
  async decode(mode, { header, objects, origin }) {
    const reader = new Reader(await inflate(this.data[mode]));
    const [low, high] = reader.doubles(2);
    const sequences = new Sequences(reader, 3 * this.vertices);
    const all = new Float32Array(3 * this.vertices);
    const component = new Float32Array(this.vertices);
    for (let axis = 0; axis < 3; ++axis) {
      sequences.next(this.vertices, low, high, displacementLevels, component, 0, 1);
      for (let i = 0; i < component.length; ++i) all[3 * this.order[i] + axis] = component[i];
    }
    const lengths = new Float32Array(this.vertices);
    let largest = 0;
    for (let v = 0; v < lengths.length; ++v) {
      lengths[v] = Math.sqrt(all[3 * v] ** 2 + all[3 * v + 1] ** 2 + all[3 * v + 2] ** 2);
      largest = Math.max(largest, lengths[v]);
    }
    const scale = 1 / (largest || 1);
    for (let i = 0; i < all.length; ++i) all[i] *= scale;
    for (let v = 0; v < lengths.length; ++v) lengths[v] *= scale;
    let vertex = 0;
    const divided = header.objects.map(({ kind, vertices }) => {
      if (kind !== 'body') return null;
      const [begin, end] = [vertex, (vertex += vertices)];
      return { displacements: all.subarray(3 * begin, 3 * end), lengths: lengths.subarray(begin, end) };
    });
    const bodies = divided.filter(Boolean);
    const moved = divided.flatMap((body, k) => (body?.lengths.some((length) => length > still) ? [k] : []));
    return {
      index: mode,
      step: mode + 1,
      time: 0,
      ranges: [[0, 1]],
      planes: this.planes.map(({ point, normal }) => ({ point: point.map((c, a) => c - origin[a]), normal })),
      positions: objects.map(() => null),
      displacements: divided.map((body) => body?.displacements ?? null),
      fields: [bodies.map((body) => body.lengths)],
      moved, // numbers of bodies
      diagonal: diagonalOf(moved.map((k) => objects[k].positions)) || this.diagonal,
      quantum: (high - low) / displacementLevels / (largest || 1),
    };
  }
}

// About the bodies at rest, over their diagonal: what stays in the picture, and where shadows are drawn.
const room = 0.015;
const shadowRoom = 0.12;

// As Run has it of a run, with the modes.
export async function loadModes() {
  const [header, order, ...pieces] = await loadBlob('modes');
  const modes = new Modes(header, await inflate(order), pieces);
  const numbers = modes.values.map((_, k) => k + 1);
  const grown = (corner, sign) => corner.map((c) => c + sign * room * modes.diagonal);
  return {
    modes,
    shadowRoom,
    box: [grown(header.box[0], -1), grown(header.box[1], 1)],
    summary: header.summary,
    warnings: [],
    unconverged: [],
    rows: { step: numbers },
    frames: { step: numbers, time: numbers.map(() => 0) },
    chunks: [],
    ranges: [[0, 1]],
    usual: [[0, 1]],
  };
}
