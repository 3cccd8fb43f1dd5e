// From the bytes of a mesh or a frame to arrays. The layout is described in src/sinew/io/report_format.h.

export const positionLevels = 65535;
export const fieldLevels = 4095;

export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  doubles(count) {
    const values = new Float64Array(count);
    for (let i = 0; i < count; ++i, this.at += 8) values[i] = this.view.getFloat64(this.at, true);
    return values;
  }

  // Numbers whose low bytes come first, then the next higher ones.
  planes(count, width) {
    const values = new Uint32Array(count);
    for (let k = 0; k < width; ++k) {
      for (let i = 0; i < count; ++i) values[i] |= this.bytes[this.at + k * count + i] << (8 * k);
    }
    this.at += count * width;
    return values;
  }

  // Numbers that were stored as differences.
  integers(count) {
    const coded = this.planes(count, 4);
    const values = new Int32Array(count);
    let last = 0;
    for (let i = 0; i < count; ++i) {
      last += (coded[i] >>> 1) ^ -(coded[i] & 1);
      values[i] = last;
    }
    return values;
  }
}

// Sequences of 16-bit numbers that were stored as differences, one after the other.
export class Sequences {
  constructor(reader, total) {
    this.differences = reader.planes(total, 2);
    this.at = 0;
  }

  next(count, low, high, levels, out, offset, stride) {
    const scale = (high - low) / levels;
    let value = 0;
    for (let i = 0; i < count; ++i) {
      value = (value + this.differences[this.at + i]) & 0xffff;
      out[offset + stride * i] = low + scale * value;
    }
    this.at += count;
  }

  // The numbers as they are stored.
  levels(count, out) {
    let value = 0;
    for (let i = 0; i < count; ++i) {
      value = (value + this.differences[this.at + i]) & 0xffff;
      out[i] = value;
    }
    this.at += count;
  }

  // Interleaved coordinates relative to `origin`; box holds low and high corner.
  points(count, box, origin) {
    const points = new Float32Array(3 * count);
    for (let axis = 0; axis < 3; ++axis) {
      const low = box[axis] - origin[axis];
      this.next(count, low, box[3 + axis] - origin[axis], positionLevels, points, axis, 3);
    }
    return points;
  }
}

const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);

// Rest positions and triangles of every object: [{positions, triangles}], and of one with texture coordinates these
// (u, v, 0) with their numbers by corner of the triangles: {coordinates, imageCorners}.
export function decodeMesh(bytes, header, origin) {
  const reader = new Reader(bytes);
  const { objects } = header;
  const textured = objects.filter((o) => o.coordinates);
  const boxes = objects.map(() => reader.doubles(6));
  const imageBoxes = textured.map(() => reader.doubles(6));
  const sequences = new Sequences(reader, 3 * (sum(objects, (o) => o.vertices) + sum(textured, (o) => o.coordinates)));
  const positions = objects.map((o, k) => sequences.points(o.vertices, boxes[k], origin));
  const coordinates = textured.map((o, k) => sequences.points(o.coordinates, imageBoxes[k], [0, 0, 0]));
  const corners = reader.integers(3 * (sum(objects, (o) => o.triangles) + sum(textured, (o) => o.triangles)));
  let at = 0;
  const take = (object) => {
    const list = Uint32Array.from(corners.subarray(at, at + 3 * object.triangles));
    at += list.length;
    return list;
  };
  const shapes = objects.map((object, k) => ({ positions: positions[k], triangles: take(object) }));
  textured.forEach((object, k) => {
    Object.assign(shapes[objects.indexOf(object)], { coordinates: coordinates[k], imageCorners: take(object) });
  });
  return shapes;
}

// One frame: positions of each object (null for those that are where the mesh has them), fields[f][b] of body b, the
// planes' points and normals, and the step of the quantisation [m]. `moved`: as in the frame's header.
export function decodeFrame(bytes, header, origin, moved = []) {
  const reader = new Reader(bytes);
  const moving = header.objects.filter((o, k) => o.moves || moved.includes(k));
  const bodies = header.objects.filter((o) => o.kind === 'body');
  const planes = header.planes.map(() => {
    const values = reader.doubles(6);
    return { point: [0, 1, 2].map((a) => values[a] - origin[a]), normal: [values[3], values[4], values[5]] };
  });
  const boxes = moving.map(() => reader.doubles(6));
  const ranges = bodies.map(() => header.fields.map(() => reader.doubles(2)));
  const total = 3 * sum(moving, (o) => o.vertices) + header.fields.length * sum(bodies, (o) => o.vertices);
  const sequences = new Sequences(reader, total);
  const byMoving = moving.map((o, k) => sequences.points(o.vertices, boxes[k], origin));
  const positions = header.objects.map((o) => byMoving[moving.indexOf(o)] ?? null);
  const fields = header.fields.map(() => []);
  bodies.forEach((body, b) => {
    header.fields.forEach((_, f) => {
      const values = new Float32Array(body.vertices);
      sequences.next(body.vertices, ranges[b][f][0], ranges[b][f][1], fieldLevels, values, 0, 1);
      fields[f].push(values);
    });
  });
  const extent = Math.max(0, ...boxes.flatMap((box) => [box[3] - box[0], box[4] - box[1], box[5] - box[2]]));
  return { planes, positions, fields, quantum: extent / positionLevels };
}
