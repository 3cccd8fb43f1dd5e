// Shows a subspace on the stage: paints bodies by cluster, by one function or by the blend of all, and draws the handles
// and the points of the cubature.
import { Vector3 } from 'three';
import { linear, mixed } from './colors.js';
import { Dots } from './dots.js';
import { fieldFloor } from './shading.js';

export const heldColor = '#5b636e'; // of what no handle moves
const pointColor = { light: '#20262e', dark: '#f2f5f9' };
const handleSizes = [5, 12]; // pixels: many, up to a hundred
const pickReach = 10; // pixels
const pointSizes = [3, 11]; // pixels, by the volume that a point stands for

// The function is shown against grey where its weight is less than this part of the range: its support is seen.
const supportShare = 0.04;

const cutLight = 0.75;

export class SubspaceView {
  constructor(stage, run) {
    Object.assign(this, { stage, run, subspace: run.subspace });
    this.clusterLinear = this.subspace.clusterColors.map(linear);
    this.handleLinear = Array.from({ length: this.subspace.handles }, (_, h) => linear(this.subspace.handleColor(h)));
    this.handles = new Dots(this.subspace.centers, 0.4);
    this.points = new Dots(this.subspace.middles, 0.15);
    stage.scene.add(this.points.node, this.handles.node);
    for (const dots of this.dots) dots.setPixelRatio(stage.renderer.getPixelRatio());
    this.setTheme(false);
    const [low, high] = this.subspace.range;
    fieldFloor.value = supportShare * (high - low);
  }

  get dots() {
    return [this.handles, this.points];
  }

  // Whether surfaces are painted, instead of coloured as a whole.
  paints(colorBy) {
    return ['cluster', 'basis', 'blend'].includes(colorBy);
  }

  // Some of the colours of a body's clusters.
  swatch({ regions }) {
    const clusters = new Set();
    for (const cluster of regions.own) if (clusters.size < 3) clusters.add(cluster);
    return [...clusters].map((cluster) => this.subspace.clusterColors[cluster]);
  }

  // Colours of the bodies' surfaces and of their cuts; surfaces: of the bodies, in order.
  color(surfaces, { colorBy, handle }) {
    if (this.paints(colorBy)) {
      const key = `${colorBy} ${colorBy === 'basis' ? handle : ''}`;
      if (this.painted !== key) surfaces.forEach((surface, body) => this.paint(surface, body, colorBy, handle));
      this.painted = key;
    }
    const chosen = colorBy === 'basis' ? handle : -1;
    const [least, most] = handleSizes;
    const size = Math.max(least, most * Math.min(1, 10 / Math.sqrt(this.subspace.handles)));
    this.handles.paint(
      (h) => (h === chosen ? 1.5 * most : chosen >= 0 ? 0.6 * size : size),
      (h) => (chosen >= 0 && h !== chosen ? mixed(this.subspace.handleColor(h), '#8d96a1', 0.6) : this.subspace.handleColor(h)),
    );
  }

  paint(surface, body, colorBy, handle) {
    const scaledBy = (list, factor) => list.map((rgb) => rgb.map((c) => factor * c));
    let cuts = scaledBy(this.clusterLinear, cutLight);
    if (colorBy === 'basis') {
      const grey = linear('#767e89');
      const own = this.subspace.clusterOf[handle];
      const share = (cluster) => (cluster === own ? 0.8 : 0.12);
      cuts = this.clusterLinear.map((rgb, c) => rgb.map((v, k) => grey[k] + share(c) * (cutLight * v - grey[k])));
      surface.setValues(this.subspace.weightsOf(handle, body));
    }
    const blend = colorBy === 'blend' ? this.blended(body) : null;
    const front = (vertex, cluster) => (blend ? blend.subarray(3 * vertex, 3 * vertex + 3) : this.clusterLinear[cluster]);
    surface.setPaint(front, (cluster) => cuts[cluster]);
  }

  // Each vertex of a body in the mix of its handles' colours; what is missing to a sum of 1 is the share of what is held.
  blended(body) {
    const { begin, handles, weights } = this.subspace.bodies[body];
    const held = linear(heldColor);
    const colors = new Float32Array(3 * (begin.length - 1));
    for (let v = 0; v + 1 < begin.length; ++v) {
      let total = 0;
      let sum = 0;
      for (let k = begin[v]; k < begin[v + 1]; ++k) {
        total += Math.abs(weights[k]);
        sum += weights[k];
      }
      const rest = Math.max(0, 1 - Math.max(sum, total));
      for (let k = begin[v]; k < begin[v + 1]; ++k) {
        const share = Math.abs(weights[k]) / (total + rest);
        for (let a = 0; a < 3; ++a) colors[3 * v + a] += share * this.handleLinear[handles[k]][a];
      }
      for (let a = 0; a < 3; ++a) colors[3 * v + a] += (rest / (total + rest || 1)) * held[a];
    }
    return colors;
  }

  setShown(shown) {
    this.handles.node.visible = shown.has('handles');
    this.points.node.visible = shown.has('cubature');
  }

  setTheme(dark) {
    this.handles.setRim('#ffffff');
    this.points.setRim(dark ? '#20262e' : '#ffffff');
    const largest = this.subspace.volumes.reduce((a, b) => Math.max(a, b), 0) || 1;
    const [low, high] = pointSizes;
    this.points.paint(
      (k) => low + (high - low) * Math.sqrt(Math.max(0, this.subspace.volumes[k]) / largest),
      () => (dark ? pointColor.dark : pointColor.light),
    );
  }

  centerOf(handle) {
    return new Vector3().fromArray(this.subspace.centers, 3 * handle);
  }

  // On the canvas, in pixels; not numbers behind the camera.
  placeOf(handle) {
    const { canvas, camera } = this.stage;
    const place = this.centerOf(handle).project(camera);
    if (place.z > 1) return [NaN, NaN];
    return [((place.x + 1) / 2) * canvas.clientWidth, ((1 - place.y) / 2) * canvas.clientHeight];
  }

  // The handle whose dot lies nearest to a place on the canvas (in pixels), or -1.
  pick(x, y) {
    if (!this.handles.node.visible) return -1;
    const { clipped, clipPlane } = this.stage;
    let best = -1;
    let least = pickReach;
    for (let h = 0; h < this.subspace.handles; ++h) {
      if (clipped && clipPlane.distanceToPoint(this.centerOf(h)) < 0) continue;
      const [right, down] = this.placeOf(h);
      const distance = Math.hypot(right - x, down - y);
      if (!(distance < least)) continue;
      best = h;
      least = distance;
    }
    return best;
  }
}
