// From the bytes of a live simulation to arrays. docs/reference/live_protocol.md describes the layout.
import { positionLevels } from './decode.js';

const frameMagic = 0x31464e53;
const weightsMagic = 0x31574e53;

class Bytes {
  constructor(buffer) {
    this.buffer = buffer;
    this.view = new DataView(buffer);
    this.at = 0;
  }

  align() {
    this.at = 8 * Math.ceil(this.at / 8);
  }

  integer() {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  integers(count) {
    return Array.from({ length: count }, () => this.integer());
  }

  doubles(count) {
    const values = new Float64Array(this.buffer.slice(this.at, this.at + 8 * count));
    this.at += 8 * count;
    return values;
  }

  floats(count) {
    const values = new Float32Array(this.buffer, this.at, count);
    this.at += 4 * count;
    return values;
  }

  // 16-bit numbers between low and high.
  levels(count, low, high, out, offset, stride) {
    const values = new Uint16Array(this.buffer, this.at, count);
    const scale = (high - low) / positionLevels;
    for (let i = 0; i < count; ++i) out[offset + stride * i] = low + scale * values[i];
    this.at += 2 * count;
  }
}

function readPull(bytes, origin) {
  const [client, id, object, vertex] = bytes.integers(4);
  return { client, id, object, vertex, target: [...bytes.floats(3)].map((c, a) => c - origin[a]) };
}

function readList(bytes) {
  bytes.align();
  return bytes.integers(bytes.integer());
}

// As Run has a frame; `coordinates` instead of the bodies' positions where they are reduced.
export function decodeLiveFrame(buffer, header, origin) {
  const bytes = new Bytes(buffer);
  const [magic, kind, number, step] = bytes.integers(4);
  if (magic !== frameMagic || kind > 3) throw new Error('server and page have different versions; reload the page');
  const [time] = bytes.doubles(1);
  const [planeCount, pullCount, fieldPlace, rows] = bytes.integers(4);
  const frame = { index: 0, number, step, time, ranges: [], fields: [], quantum: 0, bytes: buffer.byteLength };
  frame.planes = Array.from({ length: planeCount }, () => {
    const values = [...bytes.doubles(6)];
    return { point: values.slice(0, 3).map((c, a) => c - origin[a]), normal: values.slice(3) };
  });
  frame.pulls = Array.from({ length: pullCount }, () => readPull(bytes, origin));
  bytes.align();
  const reduced = kind % 2 === 1;
  frame.coordinates = reduced ? bytes.floats(3 * rows) : null;
  const moved = kind > 1 ? readList(bytes) : [];
  frame.boxes = [];
  frame.positions = header.objects.map((object, k) => {
    const sent = object.moves ? !reduced || object.kind !== 'body' : moved.includes(k);
    if (!sent) return null;
    bytes.align();
    const box = bytes.doubles(6).map((c, k) => c - origin[k % 3]);
    const points = new Float32Array(3 * object.vertices);
    for (let a = 0; a < 3; ++a) bytes.levels(object.vertices, box[a], box[3 + a], points, a, 3);
    if (object.kind === 'body') frame.boxes.push(box);
    frame.quantum = Math.max(frame.quantum, ...[0, 1, 2].map((a) => (box[3 + a] - box[a]) / positionLevels));
    return points;
  });
  if (fieldPlace > 0) readField(bytes, header, frame, fieldPlace - 1);
  return frame;
}

function readField(bytes, header, frame, field) {
  const range = [Infinity, -Infinity];
  frame.fields[field] = header.objects
    .filter((o) => o.kind === 'body')
    .map(({ vertices }) => {
      bytes.align();
      const [low, high] = bytes.doubles(2);
      range[0] = Math.min(range[0], low);
      range[1] = Math.max(range[1], high);
      const values = new Float32Array(vertices);
      bytes.levels(vertices, low, high, values, 0, 1);
      return values;
    });
  frame.ranges[field] = range;
}

export function decodeWeights(buffer) {
  const bytes = new Bytes(buffer);
  const [magic, number] = bytes.integers(2);
  if (magic !== weightsMagic) throw new Error('server and page have different versions; reload the page');
  const axes = bytes.integers(3);
  const [count, handles, vertices] = bytes.integers(3);
  const centers = Array.from({ length: count }, () => bytes.doubles(4 * handles));
  const origin = bytes.doubles(3);
  const rest = bytes.floats(3 * vertices);
  const sets = centers.map((of) => ({ centers: of, weights: bytes.floats(vertices * handles) }));
  return { number, axes, handles, vertices, origin, rest, sets };
}
