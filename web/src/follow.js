// Keeps a moving body in the middle of the picture: the one whose values are read, or else the one that has moved
// farthest.
import { Vector3 } from 'three';

const most = 400; // vertices that tell where a body is

// The mean place of a body's vertices.
export function centerOf(surface) {
  const points = surface.lift && !surface.known ? surface.lift.some(most) : surface.points;
  const stride = 3 * Math.max(1, Math.floor(points.length / 3 / most));
  const sum = new Vector3();
  let count = 0;
  for (let at = 0; at < points.length; at += stride, ++count) {
    sum.x += points[at];
    sum.y += points[at + 1];
    sum.z += points[at + 2];
  }
  return sum.divideScalar(Math.max(count, 1));
}

export class Follow {
  constructor(stage, store) {
    Object.assign(this, { stage, store, surface: null });
    this.start = stage.bodies.map((body) => centerOf(body));
    store.subscribe((state, changed) => {
      if (changed.has('follow') || (changed.has('probe') && state.follow)) this.surface = null;
      if (state.follow && ['follow', 'shown', 'probe'].some((key) => changed.has(key))) this.move(state);
    });
  }

  choose({ probe }) {
    const { bodies, surfaces } = this.stage;
    const read = probe && surfaces[probe.object];
    if (bodies.includes(read)) return read;
    const ways = bodies.map((body, k) => centerOf(body).distanceTo(this.start[k]));
    return bodies[ways.indexOf(Math.max(...ways))];
  }

  // The camera goes along with the body, wherever it looks from.
  move(state) {
    if (!state.shown || this.stage.bodies.length === 0) return;
    const chosen = this.surface ?? this.choose(state);
    const center = centerOf(chosen);
    const moves = center.distanceTo(this.start[this.stage.bodies.indexOf(chosen)]) > 1e-3 * this.stage.size;
    const { target } = this.stage.rig.controls;
    this.stage.rig.shift(center.clone().sub(this.surface ? this.last : target));
    this.last = center;
    this.surface = moves || state.probe ? chosen : null; // as long as nothing has moved it may yet be another one
    this.stage.invalidate();
  }
}
