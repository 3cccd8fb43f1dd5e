// The insides of bodies: tets, and positions and fields at all of their vertices, those on the surface first. The layout
// is described in src/sinew/io/report_format.h.
import { fieldLevels, positionLevels, Reader, Sequences } from './decode.js';

const parentCount = 6;
const positionUnit = 8;

const unfold = (coded) => (coded >>> 1) ^ -(coded & 1); // zigzag

const plain = (reader, count) => Int32Array.from(reader.planes(count, 4), unfold);

function decodeBody(reader, { vertices: surface, inside }) {
  const { vertices, stored, tets: groups } = inside;
  const none = 0xffffffff;
  const placeOf = new Uint32Array(surface + vertices).fill(none); // by rank
  reader.integers(vertices).forEach((rank, k) => {
    placeOf[rank] = surface + k;
  });
  let next = 0;
  for (let rank = 0; rank < placeOf.length; ++rank) if (placeOf[rank] === none) placeOf[rank] = next++;
  const count = groups.reduce((n, [, tets]) => n + tets, 0);
  const ranks = reader.integers(count);
  const tets = new Uint32Array(4 * count);
  for (let corner = 0; corner < 4; ++corner) {
    if (corner > 0) plain(reader, count).forEach((more, t) => (ranks[t] += more));
    for (let t = 0; t < count; ++t) tets[4 * t + corner] = placeOf[ranks[t]];
  }
  const parents = new Uint32Array(parentCount * vertices);
  const weights = new Int32Array(parentCount * vertices);
  for (let k = 0; k < parentCount; ++k) {
    reader.integers(vertices).forEach((parent, v) => (parents[parentCount * v + k] = parent));
    plain(reader, vertices).forEach((weight, v) => (weights[parentCount * v + k] = weight));
  }
  return { surface, vertices, stored, groups, tets, parents, weights };
}

// By object, null for those without.
export function decodeInsides(bytes, header) {
  const reader = new Reader(bytes);
  return header.objects.map((object) => (object.inside ? decodeBody(reader, object) : null));
}

// Fills the levels inside: those of the surface are there.
function predict(body, levels, residuals, at, unit, most) {
  const { surface, vertices, stored, parents, weights } = body;
  for (let v = 0, p = 0; v < vertices; ++v, p += parentCount) {
    let sum = 128;
    for (let k = p; k < p + parentCount; ++k) sum += weights[k] * levels[parents[k]];
    let level = sum >> 8;
    if (v < stored) level += unit * unfold(residuals[at + v]);
    if (most > 0) level = Math.min(Math.max(level, 0), most);
    levels[surface + v] = level;
  }
}

// By object, null for those without: {positions, fields}. `bytes` are those of the frame, `inner` those of its inside.
export function decodeInsideFrame(bytes, inner, header, origin, moved, bodies) {
  const outer = new Reader(bytes);
  const moving = header.objects.map((o, k) => o.moves || moved.includes(k));
  const fieldCount = header.fields.length;
  outer.doubles(6 * header.planes.length);
  const boxes = header.objects.map((_, k) => (moving[k] ? outer.doubles(6) : null));
  const ranges = header.objects.map((o) => (o.kind === 'body' ? header.fields.map(() => outer.doubles(2)) : null));
  let total = 0;
  header.objects.forEach((o, k) => {
    total += o.vertices * ((moving[k] ? 3 : 0) + (o.kind === 'body' ? fieldCount : 0));
  });
  const known = new Sequences(outer, total);
  const reader = new Reader(inner);
  const units = bodies.map((body) => (body ? reader.doubles(fieldCount) : null));
  const residuals = reader.planes(bodies.reduce((n, body) => n + (body ? (3 + fieldCount) * body.stored : 0), 0), 2);
  let at = 0;
  const next = (object, body, unit, most) => {
    if (!body) {
      known.at += object.vertices;
      return null;
    }
    const levels = new Int32Array(body.surface + body.vertices);
    known.levels(body.surface, levels);
    predict(body, levels, residuals, at, unit, most);
    at += body.stored;
    return levels;
  };
  const result = bodies.map((body) => (body ? { positions: null, fields: [] } : null));
  header.objects.forEach((object, k) => {
    if (!moving[k]) return;
    const positions = bodies[k] && new Float32Array(3 * (bodies[k].surface + bodies[k].vertices));
    for (let axis = 0; axis < 3; ++axis) {
      const low = boxes[k][axis] - origin[axis];
      const scale = (boxes[k][3 + axis] - origin[axis] - low) / positionLevels;
      const levels = next(object, bodies[k], positionUnit, 0);
      if (levels) for (let v = 0; v < levels.length; ++v) positions[3 * v + axis] = low + scale * levels[v];
    }
    if (positions) result[k].positions = positions;
  });
  header.objects.forEach((object, k) => {
    if (object.kind !== 'body') return;
    for (let f = 0; f < fieldCount; ++f) {
      const levels = next(object, bodies[k], units[k]?.[f], fieldLevels);
      if (!levels) continue;
      const [low, high] = ranges[k][f];
      const scale = (high - low) / fieldLevels;
      result[k].fields.push(Float32Array.from(levels, (level) => low + scale * level));
    }
  });
  return result;
}
