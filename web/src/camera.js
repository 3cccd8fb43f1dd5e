// The camera: how it stands over the scene, is turned by pointer and keys, and frames a box.
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const margin = 1.04; // about the box of what is framed, which its corners exceed

export class CameraRig {
  // `size` is the diagonal of what there is to see, `changed` is called when the view has.
  constructor(canvas, run, size, changed) {
    Object.assign(this, { run, size });
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    const gravity = new Vector3(...this.run.header.gravity);
    this.up = gravity.length() > 0 ? gravity.clone().normalize().negate() : new Vector3(0, 1, 0);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', changed);
  }

  // A direction to look from [degrees]: `azimuth` from the front to the right, `elevation` above the horizon.
  directionAt(azimuth, elevation) {
    const [a, e] = [azimuth, elevation].map((degrees) => (degrees * Math.PI) / 180);
    const side = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 0, -1);
    const right = side.addScaledVector(this.up, -side.dot(this.up)).normalize();
    const front = right.clone().cross(this.up);
    return front
      .multiplyScalar(Math.cos(e) * Math.cos(a))
      .addScaledVector(right, Math.cos(e) * Math.sin(a))
      .addScaledVector(this.up, Math.sin(e));
  }

  // To the side and a little above, from the side on which a box is wider.
  lookAcross(box) {
    const extent = box.getSize(new Vector3());
    const width = (azimuth) => {
      const right = this.directionAt(azimuth + 90, 0);
      return extent.x * Math.abs(right.x) + extent.y * Math.abs(right.y) + extent.z * Math.abs(right.z);
    };
    this.azimuth = width(-59) > 1.05 * width(31) ? -59 : 31;
  }

  defaultDirection() {
    return this.directionAt(this.azimuth, 21);
  }

  // Looks at a box from a direction, as near as shows all of it; `zoom` brings it nearer by that factor.
  frameBox(box, direction = this.defaultDirection(), zoom = 1) {
    this.framed = { box: box.clone(), direction: direction.clone(), zoom };
    const center = box.getCenter(new Vector3());
    const vertical = Math.tan((this.camera.fov * Math.PI) / 360);
    this.controls.target.copy(center);
    const right = direction.clone().cross(this.up).normalize();
    const over = right.clone().cross(direction).normalize();
    let distance = 1e-2 * this.size;
    for (let k = 0; k < 8; ++k) {
      const corner = new Vector3(
        k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z,
      ).sub(center);
      const depth = corner.dot(direction);
      distance = Math.max(
        distance,
        depth + Math.abs(corner.dot(over)) / vertical,
        depth + Math.abs(corner.dot(right)) / (this.camera.aspect * vertical),
      );
    }
    this.camera.position.copy(center).addScaledVector(direction, (margin * distance) / zoom);
    this.controls.minDistance = 1e-3 * this.size;
    this.controls.maxDistance = 40 * this.size;
    this.controls.update();
    this.framed.view = this.view;
  }

  // A picture of another shape shows what was framed, unless the view was turned since.
  setAspect(aspect) {
    const { framed } = this;
    // Each update of the controls rounds the position anew.
    const kept = framed && this.view.every((c, k) => Math.abs(c - framed.view[k]) <= 1e-6 * this.size);
    this.camera.aspect = aspect;
    if (kept) this.frameBox(framed.box, framed.direction, framed.zoom);
  }

  // From the target to the camera.
  direction() {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  // Turns about the target by two angles [rad].
  orbit(right, over) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const axis = offset.clone().cross(this.up).normalize();
    const angle = offset.angleTo(this.up);
    const turned = offset.applyAxisAngle(this.up, right);
    const wanted = Math.min(Math.max(angle + over, 0.02), Math.PI - 0.02);
    turned.applyAxisAngle(axis.applyAxisAngle(this.up, right), angle - wanted);
    this.camera.position.copy(this.controls.target).add(turned);
    this.controls.update();
  }

  // Moves camera and target alike.
  shift(way) {
    this.camera.position.add(way);
    this.controls.target.add(way);
    this.controls.update();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  // Camera and target in the scene's coordinates.
  get view() {
    const origin = this.run.origin;
    return [this.camera.position, this.controls.target].flatMap((p) => p.toArray().map((c, a) => c + origin[a]));
  }

  set view(numbers) {
    const local = numbers.map((c, k) => c - this.run.origin[k % 3]);
    this.camera.position.fromArray(local);
    this.controls.target.fromArray(local, 3);
    this.controls.update();
  }

  // Before each picture: moves on while a movement dies out; near and far planes follow the distance.
  update() {
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(1e-3 * distance, 1e-4 * this.size);
    this.camera.far = distance + 14 * this.size;
    this.camera.updateProjectionMatrix();
  }
}
