// The drawn surface of one body or obstacle. Vertices are split where the rest shape has a crease, so that edges stay
// sharp and the rest is shaded smoothly.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Mesh } from 'three';

// Round parts of few facets stay smooth, edges of boxes sharp.
const creaseCosine = Math.cos((52 * Math.PI) / 180);

// Groups of triangles between two materials name the one beyond.
export const isBetween = (group) => group.length > 2;

function faceNormals(positions, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = positions[b] - positions[a],
      uy = positions[b + 1] - positions[a + 1],
      uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a],
      vy = positions[c + 1] - positions[a + 1],
      vz = positions[c + 2] - positions[a + 2];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

// The edges of triangles: for each the corners at its two ends, in one or two triangles.
function edgesOf(triangles, vertexCount) {
  const edges = new Map();
  for (let corner = 0; corner < triangles.length; ++corner) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const low = Math.min(triangles[corner], triangles[next]);
    const high = Math.max(triangles[corner], triangles[next]);
    const key = low * vertexCount + high;
    const ends = triangles[corner] === low ? [corner, next] : [next, corner];
    const other = edges.get(key);
    if (other) other.push(ends);
    else edges.set(key, [ends]);
  }
  return edges;
}

// For every corner of a triangle its drawn vertex, and for every drawn vertex the vertex it stands for.
function splitAtCreases(positions, triangles, edges) {
  const parent = Uint32Array.from({ length: triangles.length }, (_, i) => i);
  const root = (i) => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const normals = faceNormals(positions, triangles);
  const smooth = (a, b) => {
    const i = a - (a % 3),
      j = b - (b % 3);
    const dot = normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2];
    return (
      dot >
      creaseCosine *
        Math.hypot(normals[i], normals[i + 1], normals[i + 2]) *
        Math.hypot(normals[j], normals[j + 1], normals[j + 2])
    );
  };
  for (const [first, second] of edges.values()) {
    if (!second || !smooth(first[0], second[0])) continue;
    for (const end of [0, 1]) parent[root(first[end])] = root(second[end]);
  }
  const drawn = new Map();
  const source = [];
  const index = Uint32Array.from(triangles, (vertex, corner) => {
    const r = root(corner);
    if (!drawn.has(r)) {
      drawn.set(r, source.length);
      source.push(vertex);
    }
    return drawn.get(r);
  });
  return { index, source };
}

// Faces between materials share no drawn vertices with the surface: they have no normals. Appends to `source`.
function unsplit(triangles, source) {
  const drawn = new Map();
  return Uint32Array.from(triangles, (vertex) => {
    if (!drawn.has(vertex)) {
      drawn.set(vertex, source.length);
      source.push(vertex);
    }
    return drawn.get(vertex);
  });
}

export class Surface {
  // `facts` is the object's entry in the header, `shape` its rest positions and triangles, `materials` one a group.
  constructor(facts, shape, materials, lineColor) {
    this.facts = facts;
    const outside = facts.groups.reduce((n, group) => (isBetween(group) ? n : n + group[1]), 0);
    const triangles = shape.triangles.subarray(0, 3 * outside);
    const edges = edgesOf(triangles, facts.vertices);
    const { index, source } = splitAtCreases(shape.positions, triangles, edges);
    const between = unsplit(shape.triangles.subarray(3 * outside), source);
    this.index = index; // of the surface
    this.source = Uint32Array.from(source);
    this.positions = new BufferAttribute(new Float32Array(3 * source.length), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(3 * source.length), 3).setUsage(DynamicDrawUsage);
    this.values = new BufferAttribute(new Float32Array(source.length), 1).setUsage(DynamicDrawUsage);

    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('fieldValue', this.values);
    const all = new Uint32Array(index.length + between.length);
    all.set(index);
    all.set(between, index.length);
    geometry.setIndex(new BufferAttribute(all, 1));
    let at = 0;
    facts.groups.forEach(([, count], group) => {
      geometry.addGroup(3 * at, 3 * count, group);
      at += count;
    });
    this.mesh = new Mesh(geometry, materials);
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.userData.surface = this;
    this.lines = this.makeLines(edges, lineColor);
    this.node = new Group().add(this.mesh, this.lines);
    this.setPositions(shape.positions);
  }

  makeLines(edges, color) {
    const ends = new Uint32Array(2 * edges.size);
    let at = 0;
    for (const [[a, b]] of edges.values()) {
      ends[at++] = this.index[a];
      ends[at++] = this.index[b];
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setIndex(new BufferAttribute(ends, 1));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ color, transparent: true }));
    lines.frustumCulled = false;
    return lines;
  }

  setPositions(points) {
    this.points = points;
    const { source, index } = this;
    const positions = this.positions.array;
    for (let i = 0; i < source.length; ++i) {
      const from = 3 * source[i];
      positions[3 * i] = points[from];
      positions[3 * i + 1] = points[from + 1];
      positions[3 * i + 2] = points[from + 2];
    }
    this.updateNormals(positions, index);
    this.positions.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
    this.mesh.geometry.boundingBox = null;
  }

  // Weighted by area.
  updateNormals(positions, index) {
    const normals = this.normals.array.fill(0);
    const faces = faceNormals(positions, index);
    for (let corner = 0; corner < index.length; ++corner) {
      const face = corner - (corner % 3);
      const at = 3 * index[corner];
      normals[at] += faces[face];
      normals[at + 1] += faces[face + 1];
      normals[at + 2] += faces[face + 2];
    }
    for (let at = 0; at < normals.length; at += 3) {
      const length = Math.hypot(normals[at], normals[at + 1], normals[at + 2]) || 1;
      normals[at] /= length;
      normals[at + 1] /= length;
      normals[at + 2] /= length;
    }
    this.normals.needsUpdate = true;
  }

  // One value a vertex, or null.
  setValues(values) {
    if (!values) return;
    const target = this.values.array;
    for (let i = 0; i < target.length; ++i) target[i] = values[this.source[i]];
    this.values.needsUpdate = true;
  }

  get vertexCount() {
    return this.facts.vertices;
  }
}
