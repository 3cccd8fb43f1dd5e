// The subspace of a scene: its clusters on the surface, its handles with their weights, and the cubature. The layout of
// the data is described in src/sinew/io/report_format.h.
import { inflate, loadBlob } from './blobs.js';
import { distinctColors } from './cluster_colors.js';
import { fieldLevels, Reader, Sequences } from './decode.js';

export class Subspace {
  constructor(header, bytes) {
    Object.assign(this, header); // clusters, handles, points: how many; planes, summary
    this.bytes = bytes;
    const ofFunctions = this.handles > 0 ? ['basis', 'blend'] : [];
    this.colors = ['cluster', ...ofFunctions, 'material', 'body'];
  }

  // Decodes, with places relative to the run's origin.
  place({ header, objects, origin }) {
    const bodies = header.objects.filter((o) => o.kind === 'body');
    const triangles = bodies.reduce((n, body) => n + body.triangles, 0);
    const reader = new Reader(this.bytes);
    const centerBox = reader.doubles(6);
    const pointBox = reader.doubles(6);
    const volumes = reader.doubles(2);
    this.range = [...reader.doubles(2)];
    const sequences = new Sequences(reader, 3 * this.handles + 4 * this.points + this.weights);
    this.centers = sequences.points(this.handles, centerBox, origin);
    this.middles = sequences.points(this.points, pointBox, origin);
    this.volumes = new Float32Array(this.points);
    sequences.next(this.points, volumes[0], volumes[1], fieldLevels, this.volumes, 0, 1);
    const weights = new Float32Array(this.weights);
    sequences.next(this.weights, ...this.range, fieldLevels, weights, 0, 1);
    const integers = reader.integers(2 * triangles + this.vertices + this.weights + this.handles);
    let at = 0;
    const take = (count) => integers.subarray(at, (at += count));
    const [own, beyond] = [take(triangles), take(triangles)];
    const [counts, handles] = [take(this.vertices), take(this.weights)];
    this.clusterOf = take(this.handles);
    this.handleOf = new Int32Array(this.clusters).fill(-1);
    this.clusterOf.forEach((cluster, handle) => {
      if (cluster >= 0) this.handleOf[cluster] = handle;
    });
    this.divide(header, objects, { own, beyond, counts, handles, weights });
    this.clusterColors = distinctColors(this.clusters, own, beyond);
    delete this.bytes;
  }

  // Gives each body its part of the lists.
  divide(header, objects, { own, beyond, counts, handles, weights }) {
    let [triangle, vertex, entry] = [0, 0, 0];
    this.bodies = [];
    header.objects.forEach((object, k) => {
      if (object.kind !== 'body') return;
      const end = triangle + object.triangles;
      objects[k].regions = { own: own.subarray(triangle, end), beyond: beyond.subarray(triangle, end) };
      triangle = end;
      const begin = new Uint32Array(object.vertices + 1);
      for (let v = 0; v < object.vertices; ++v) begin[v + 1] = begin[v] + counts[vertex++];
      const last = entry + begin[object.vertices];
      this.bodies.push({ begin, handles: handles.subarray(entry, last), weights: weights.subarray(entry, last) });
      entry = last;
    });
  }

  // The weights of a handle at the vertices of a body.
  weightsOf(handle, body) {
    const { begin, handles, weights } = this.bodies[body];
    const values = new Float32Array(begin.length - 1);
    for (let v = 0; v < values.length; ++v) {
      for (let k = begin[v]; k < begin[v + 1]; ++k) if (handles[k] === handle) values[v] = weights[k];
    }
    return values;
  }

  // [handle, weight] at a vertex, largest first.
  weightsAt(body, vertex) {
    const { begin, handles, weights } = this.bodies[body];
    const list = [];
    for (let k = begin[vertex]; k < begin[vertex + 1]; ++k) list.push([handles[k], weights[k]]);
    return list.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  }

  // Of handles without a cluster: one colour after the other.
  handleColor(handle) {
    const cluster = this.clusterOf[handle];
    return this.clusterColors[(cluster >= 0 ? cluster : handle) % this.clusterColors.length];
  }
}

// As Run has it of a run, with the subspace.
export async function loadSubspace() {
  const [header, data] = await loadBlob('subspace');
  return {
    subspace: new Subspace(header, await inflate(data)),
    box: header.box,
    summary: header.summary,
    warnings: [],
    unconverged: [],
    rows: { step: [] },
    frames: { step: [0], time: [0] },
    chunks: [],
    ranges: [],
    usual: [],
  };
}
