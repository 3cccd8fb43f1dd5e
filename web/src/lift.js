// How reduced coordinates move the surface of a body. With a rest position X relative to the page's origin, the motion of
// docs/reference/live_protocol.md is x = X + sum_i w_i (A_i X + b_i): for each handle three rows (A, b), one an axis. They
// are made here, and applied on the CPU where a few positions are asked for; lift_gpu.js does so for the picture.

// An orthonormal frame t1, t2 with t1 x t2 = n (Duff et al., 2017); the shader makes the same one.
export function tangents(nx, ny, nz) {
  const sign = nz >= 0 ? 1 : -1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  return [1 + sign * nx * nx * a, sign * b, -sign * nx, b, sign + ny * ny * a, -ny];
}

export class Lift {
  // The `count` vertices from `first` on, of all bodies' weights (live_frame.js). Of the handles it keeps those that move
  // it: a body among many has few.
  constructor(weights, first, count, origin) {
    const { handles, sets } = weights;
    Object.assign(this, { count, axes: weights.axes, sets: sets.length });
    const parts = sets.map((set) => set.weights.subarray(first * handles, (first + count) * handles));
    const moves = new Uint8Array(handles);
    for (const part of parts) {
      for (let at = 0; at < part.length; ++at) if (part[at] !== 0) moves[at % handles] = 1;
    }
    this.handles = [...moves.keys()].filter((handle) => moves[handle]);
    this.quads = Math.max(1, Math.ceil(this.handles.length / 4));
    this.width = 4 * this.quads; // weights of a vertex, with zeros at the end
    this.weights = parts.map((part) => this.gathered(part, handles));
    this.centers = sets.map((set) => set.centers.map((c, k) => (k % 4 < 3 ? c - origin[k % 4] : c)));
    this.rest = new Float32Array(3 * count);
    for (let k = 0; k < 3 * count; ++k) {
      this.rest[k] = weights.rest[3 * first + k] + (weights.origin[k % 3] - origin[k % 3]);
    }
    this.rows = new Float32Array(12 * this.width);
  }

  gathered(part, handles) {
    const list = new Float32Array(this.count * this.width);
    for (let v = 0; v < this.count; ++v) {
      for (let k = 0; k < this.handles.length; ++k) list[v * this.width + k] = part[v * handles + this.handles[k]];
    }
    return list;
  }

  // From reduced coordinates: four rows of three for each handle.
  move(coordinates) {
    this.handles.forEach((handle, k) => {
      for (let a = 0; a < 3; ++a) {
        const [cx, cy, cz, radius] = this.centers[this.axes[a]].subarray(4 * handle, 4 * handle + 4);
        const at = 12 * handle + a;
        const row = [3, 6, 9].map((b) => coordinates[at + b] / radius);
        this.rows.set([...row, coordinates[at] - row[0] * cx - row[1] * cy - row[2] * cz], 12 * k + 4 * a);
      }
    });
  }

  place(vertex, out, offset) {
    const { rest, rows, width } = this;
    const [x, y, z] = [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
    for (let a = 0; a < 3; ++a) {
      const weights = this.weights[this.axes[a]];
      let sum = 0;
      for (let k = 0; k < this.handles.length; ++k) {
        const w = weights[vertex * width + k];
        if (w === 0) continue;
        const at = 12 * k + 4 * a;
        sum += w * (rows[at] * x + rows[at + 1] * y + rows[at + 2] * z + rows[at + 3]);
      }
      out[offset + a] = rest[3 * vertex + a] + sum;
    }
  }

  places() {
    const points = new Float32Array(3 * this.count);
    for (let v = 0; v < this.count; ++v) this.place(v, points, 3 * v);
    return points;
  }

  // Places of some vertices alone: where the body is, roughly.
  some(most) {
    const number = Math.min(this.count, most);
    const points = new Float32Array(3 * number);
    for (let k = 0; k < number; ++k) this.place(Math.floor((k * this.count) / number), points, 3 * k);
    return points;
  }

  // Derivatives of the weights along the tangents at drawn vertices: lines through the neighbours on the surface by least
  // squares, near ones counting more. Of each drawn vertex, set and handle two numbers.
  slopes({ index, source, normals }) {
    const { rest, width, sets } = this;
    const number = source.length;
    const fits = new Float64Array(3 * number); // xx, xy, yy
    const frame = (i) => tangents(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
    const eachNeighbour = (visit) => {
      for (let corner = 0; corner < index.length; ++corner) {
        const i = index[corner];
        const t = frame(i);
        for (const by of [1, 2]) {
          const j = index[corner - (corner % 3) + ((corner + by) % 3)];
          const d = [0, 1, 2].map((a) => rest[3 * source[j] + a] - rest[3 * source[i] + a]);
          const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
          if (square > 0) {
            visit(i, j, d[0] * t[0] + d[1] * t[1] + d[2] * t[2], d[0] * t[3] + d[1] * t[4] + d[2] * t[5], square);
          }
        }
      }
    };
    eachNeighbour((i, _, x, y, square) => {
      fits[3 * i] += (x * x) / square;
      fits[3 * i + 1] += (x * y) / square;
      fits[3 * i + 2] += (y * y) / square;
    });
    const slopes = new Float32Array(2 * number * sets * width);
    eachNeighbour((i, j, x, y, square) => {
      const least = 1e-6 * (fits[3 * i] + fits[3 * i + 2]); // neighbours in a line tell nothing across it
      const [xx, xy, yy] = [fits[3 * i] + least, fits[3 * i + 1], fits[3 * i + 2] + least];
      const factor = 1 / (square * (xx * yy - xy * xy));
      const [gx, gy] = [factor * (yy * x - xy * y), factor * (xx * y - xy * x)];
      for (let s = 0; s < sets; ++s) {
        const weights = this.weights[s];
        for (let k = 0; k < width; ++k) {
          const change = weights[source[j] * width + k] - weights[source[i] * width + k];
          const at = 2 * ((i * sets + s) * width + k);
          slopes[at] += gx * change;
          slopes[at + 1] += gy * change;
        }
      }
    });
    return slopes;
  }
}
