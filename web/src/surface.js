// The drawn surface of one body or obstacle. Vertices are split where the rest shape has a crease, so that edges stay
// sharp and the rest is shaded smoothly.
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
} from 'three';
import { LiftTextures, liftable, noLift, setLifted, shadowMaterial } from './lift_gpu.js';

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

// For every corner of a triangle its drawn vertex, and for every drawn vertex the vertex it stands for and the smooth
// place it belongs to, where normals are the same: kinds of corners, kindOf(corner), split further.
function splitAtCreases(positions, triangles, edges, kindOf) {
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
  const smoothPlace = [];
  const kinds = [];
  const index = Uint32Array.from(triangles, (vertex, corner) => {
    const r = root(corner);
    const kind = kindOf ? kindOf(corner) : 0;
    const key = r + kind * triangles.length;
    if (!drawn.has(key)) {
      drawn.set(key, source.length);
      source.push(vertex);
      smoothPlace.push(r);
      kinds.push(kind);
    }
    return drawn.get(key);
  });
  return { index, source, smoothPlace, kinds };
}

// Faces between materials share no drawn vertices with the surface: they have no normals. Appends to `source`.
// Where `apart` not even with each other: each may have colours of its own.
function unsplit(triangles, source, apart) {
  const drawn = new Map();
  return Uint32Array.from(triangles, (vertex) => {
    if (apart || !drawn.has(vertex)) {
      drawn.set(vertex, source.length);
      source.push(vertex);
    }
    return drawn.get(vertex);
  });
}

// Drawn vertices, of which some are at one smooth place: pairs of them and the first at that place.
function sharedPlaces(smoothPlace) {
  const first = new Map();
  const pairs = [];
  smoothPlace.forEach((place, i) => {
    if (first.has(place)) pairs.push(i, first.get(place));
    else first.set(place, i);
  });
  return Uint32Array.from(pairs);
}

export class Surface {
  // `facts` is the object's entry in the header, `shape` its rest positions and triangles, perhaps texture coordinates
  // and their numbers by corner (`imageCorners`), or the regions {own, beyond} of triangles, `materials` one a group. `liftUniforms`: what the materials draw reduced coordinates with.
  constructor(facts, shape, materials, lineColor, liftUniforms = noLift()) {
    this.facts = facts;
    this.liftUniforms = liftUniforms;
    const outside = facts.groups.reduce((n, group) => (isBetween(group) ? n : n + group[1]), 0);
    const triangles = shape.triangles.subarray(0, 3 * outside);
    const edges = edgesOf(triangles, facts.vertices);
    const { regions, imageCorners } = shape;
    const kindOf = regions
      ? (corner) => regions.own[Math.floor(corner / 3)]
      : imageCorners && ((corner) => imageCorners[corner]);
    const { index, source, smoothPlace, kinds } = splitAtCreases(shape.positions, triangles, edges, kindOf);
    this.kinds = kinds; // by drawn vertex
    const surfaceVertices = source.length;
    const between = unsplit(shape.triangles.subarray(3 * outside), source, Boolean(regions));
    this.shared = kindOf ? sharedPlaces(smoothPlace) : new Uint32Array(0);
    this.regions = regions;
    if (regions) {
      const inner = source.length - surfaceVertices;
      const sideOf = (list) => Int32Array.from({ length: inner }, (_, i) => list[outside + Math.floor(i / 3)]);
      this.ownRegion = Int32Array.from([...kinds, ...sideOf(regions.own)]);
      this.beyondRegion = Int32Array.from([...kinds, ...sideOf(regions.beyond)]);
    }
    this.index = index; // of the surface
    this.source = Uint32Array.from(source);
    this.positions = new BufferAttribute(new Float32Array(3 * source.length), 3).setUsage(DynamicDrawUsage);
    this.normals = new BufferAttribute(new Float32Array(3 * source.length), 3).setUsage(DynamicDrawUsage);
    this.values = new BufferAttribute(new Float32Array(source.length), 1).setUsage(DynamicDrawUsage);

    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('normal', this.normals);
    geometry.setAttribute('fieldValue', this.values);
    this.paints = regions
      ? ['paint', 'cutPaint', 'beyondPaint'].map((name) => {
          const attribute = new BufferAttribute(new Float32Array(3 * source.length), 3);
          geometry.setAttribute(name, attribute);
          return attribute;
        })
      : [];
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
    const material = liftable(new LineBasicMaterial({ color, transparent: true }), this.liftUniforms);
    const lines = new LineSegments(geometry, material);
    lines.frustumCulled = false;
    return lines;
  }

  setPositions(points) {
    if (this.lift) this.setLift(null);
    this.place(points);
  }

  place(points) {
    this.known = points;
    const positions = this.positions.array;
    this.spread(points, positions);
    this.updateNormals(positions, this.index);
    this.positions.needsUpdate = true;
    this.mesh.geometry.boundingSphere = null;
    this.mesh.geometry.boundingBox = null;
  }

  // From vertices to drawn vertices.
  spread(points, positions) {
    const { source } = this;
    for (let i = 0; i < source.length; ++i) {
      const from = 3 * source[i];
      positions[3 * i] = points[from];
      positions[3 * i + 1] = points[from + 1];
      positions[3 * i + 2] = points[from + 2];
    }
  }

  // From now on moves by reduced coordinates (lift.js); null: by positions again.
  setLift(lift) {
    this.textures?.dispose();
    this.mesh.customDepthMaterial?.dispose();
    this.lift = this.textures = null;
    if (lift) {
      this.place(lift.rest);
      this.lift = lift;
      this.textures = new LiftTextures(lift, { index: this.index, source: this.source, normals: this.normals.array });
    }
    const uniforms = this.textures?.uniforms ?? noLift();
    for (const [name, { value }] of Object.entries(uniforms)) this.liftUniforms[name].value = value;
    for (const material of this.mesh.material) setLifted(material, Boolean(lift), true);
    setLifted(this.lines.material, Boolean(lift));
    this.mesh.customDepthMaterial = lift ? shadowMaterial(this.liftUniforms) : undefined;
  }

  // Follows a lift that has moved.
  follow(lift) {
    if (this.lift !== lift) this.setLift(lift);
    this.textures.update();
    this.known = null;
  }

  // Positions of the vertices now. Those that only the GPU has are made when they are asked for.
  get points() {
    return (this.known ??= this.lift.places());
  }

  pointOf(vertex) {
    const place = [0, 0, 0];
    if (this.known) return place.map((_, a) => this.known[3 * vertex + a]);
    this.lift.place(vertex, place, 0);
    return place;
  }

  get box() {
    return new Box3().setFromArray(this.points);
  }

  // What rays can meet: the mesh, or a copy with the positions of now where the mesh has those at rest.
  get solid() {
    if (!this.lift) return this.mesh;
    const { geometry, material } = this.mesh;
    this.copy ??= new Mesh(new BufferGeometry());
    this.copy.material = material;
    this.copy.userData.surface = this;
    if (this.copied !== this.points) {
      const positions = new Float32Array(3 * this.source.length);
      this.copied = this.points;
      this.spread(this.points, positions);
      this.copy.geometry = new BufferGeometry().setIndex(geometry.index);
      this.copy.geometry.setAttribute('position', new BufferAttribute(positions, 3));
      this.copy.geometry.groups = geometry.groups;
    }
    return this.copy;
  }

  // Weighted by area. This is most of the work of a frame: one pass over the triangles, without arrays in between.
  updateNormals(positions, index) {
    const normals = this.normals.array.fill(0);
    for (let t = 0; t < index.length; t += 3) {
      const a = 3 * index[t];
      const b = 3 * index[t + 1];
      const c = 3 * index[t + 2];
      const ux = positions[b] - positions[a];
      const uy = positions[b + 1] - positions[a + 1];
      const uz = positions[b + 2] - positions[a + 2];
      const vx = positions[c] - positions[a];
      const vy = positions[c + 1] - positions[a + 1];
      const vz = positions[c + 2] - positions[a + 2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      normals[a] += nx;
      normals[a + 1] += ny;
      normals[a + 2] += nz;
      normals[b] += nx;
      normals[b + 1] += ny;
      normals[b + 2] += nz;
      normals[c] += nx;
      normals[c + 1] += ny;
      normals[c + 2] += nz;
    }
    this.shareNormals(normals);
    for (let at = 0; at < normals.length; at += 3) {
      const square = normals[at] ** 2 + normals[at + 1] ** 2 + normals[at + 2] ** 2;
      const length = Math.sqrt(square) || 1; // Math.hypot takes several times as long
      normals[at] /= length;
      normals[at + 1] /= length;
      normals[at + 2] /= length;
    }
    this.normals.needsUpdate = true;
  }

  // Drawn vertices that only their regions split get the sum of their normals.
  shareNormals(normals) {
    const { shared } = this;
    for (let k = 0; k < shared.length; k += 2) {
      for (let a = 0; a < 3; ++a) normals[3 * shared[k + 1] + a] += normals[3 * shared[k] + a];
    }
    for (let k = 0; k < shared.length; k += 2) {
      for (let a = 0; a < 3; ++a) normals[3 * shared[k] + a] = normals[3 * shared[k + 1] + a];
    }
  }

  // Of a surface with regions: front(vertex, region) and cut(region) in linear light.
  setPaint(front, cut) {
    const [paint, own, beyond] = this.paints;
    for (let i = 0; i < this.source.length; ++i) {
      paint.array.set(front(this.source[i], this.ownRegion[i]), 3 * i);
      own.array.set(cut(this.ownRegion[i]), 3 * i);
      beyond.array.set(cut(this.beyondRegion[i]), 3 * i);
    }
    for (const attribute of this.paints) attribute.needsUpdate = true;
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
