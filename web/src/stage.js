// The 3D view: camera, light, surfaces, planes, clip plane. It draws only when something has changed.
import {
  Box3,
  DirectionalLight,
  Euler,
  HemisphereLight,
  Mesh,
  PCFShadowMap,
  Plane,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  Scene,
  ShadowMaterial,
  SphereGeometry,
  MeshBasicMaterial,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import { CameraRig } from './camera.js';
import { kindColor, mixed, obstacleColor, scaled } from './colors.js';
import { noLift } from './lift_gpu.js';
import { Picture } from './picture.js';
import { PullLines } from './pull_lines.js';
import { materialsOf } from './run.js';
import { Sections } from './section.js';
import {
  fieldLog,
  gridMaterial,
  Part,
  setColorMap,
  setMirroring,
  setSurfaceClip,
  setSurfaceColor,
  surfaceMaterial,
} from './shading.js';
import { Background, studioLight } from './studio.js';
import { SubspaceView } from './subspace_view.js';
import { isBetween, Surface } from './surface.js';
import { addTextures, showTexture } from './texture.js';

const up = new Vector3(0, 0, 1);
const fieldCutColor = '#767e89'; // no colour of the map
const shadowTexels = 2048;
const mostReach = 5; // of the shadow map, in sizes of what there is to see

// Of the studio and of the key light. Colours that tell a value are lit more evenly.
const lights = { color: { studio: 0.62, sun: 2.1 }, field: { studio: 0.85, sun: 1.1 } };
const floorBelow = 0.004; // of the size: of the floor that is drawn where the scene has no plane

// 1, 2 or 5 times a power of ten.
function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((m) => m * power).find((v) => v <= value) ?? power;
}

export class Stage {
  // Throws when the browser has no WebGL 2.
  constructor(container, run) {
    this.container = container;
    this.run = run;
    this.renderer = new WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', '3D view of the simulation. Drag to turn it, or Shift and arrow keys; wheel, plus and minus zoom.');
    container.prepend(this.canvas);

    this.scene = new Scene();
    this.box = new Box3(new Vector3(...run.box[0]), new Vector3(...run.box[1])).translate(
      new Vector3(...run.origin).negate(),
    );
    const [low, high] = run.action;
    this.action = new Box3(new Vector3(...low), new Vector3(...high)).translate(new Vector3(...run.origin).negate());
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-9);
    this.shadowBox = this.box.clone().expandByScalar((run.shadowRoom ?? 0) * this.size);
    this.clipPlane = new Plane();
    this.rig = new CameraRig(this.canvas, run, this.size, () => this.invalidate());
    this.rig.lookAcross(this.action);
    this.camera = this.rig.camera;
    this.up = this.rig.up;
    this.makeObjects();
    this.subspace = run.subspace ? new SubspaceView(this, run) : null;
    this.picture = new Picture(this.renderer, this.scene, this.camera, this.size, () => this.invalidate());
    this.makeLights();
    this.makePlanes();
    this.makeMarker();
    this.pulls = run.live ? new PullLines(this) : null;
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
    this.rig.frameBox(this.boxOf('run'));
  }

  makeLights() {
    this.ambient = new HemisphereLight(0xffffff, 0xa89f94); // in place of the studio where the processor draws
    this.ambient.position.copy(this.up);
    this.scene.add(this.ambient);
    this.background = new Background();
    this.scene.add(this.background.mesh);
    const direction = this.rig.defaultDirection();
    const right = this.up.clone().cross(direction).normalize();
    this.sun = new DirectionalLight(0xfff4e6);
    const center = this.box.getCenter(new Vector3());
    const from = this.up.clone().multiplyScalar(1.5).addScaledVector(right, -0.75).addScaledVector(direction, 0.55);
    this.sun.position.copy(center).addScaledVector(from.normalize(), 2 * this.size);
    this.sun.target.position.copy(center);
    this.scene.add(this.sun, this.sun.target);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(shadowTexels, shadowTexels);
    this.sun.shadow.radius = 3;
    this.fitShadow();
  }

  // The studio takes a second to make where the processor draws.
  setStudio(wanted) {
    if (wanted && !this.scene.environment) {
      this.scene.environment = studioLight(this.renderer);
      const upright = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
      this.scene.environmentRotation = new Euler().setFromQuaternion(upright);
    }
    this.ambient.visible = !this.scene.environment;
    for (const { mesh } of this.surfaces) for (const material of mesh.material) this.setMirrors(material);
  }

  setMirrors(material) {
    setMirroring(material, Boolean(this.scene.environment));
  }

  // The motion of the bodies, and obstacles as far as they reach into its surroundings of `reach` times its size.
  boxWithObstacles(reach, motion = this.box) {
    const box = motion.clone();
    const near = motion.clone().expandByScalar(reach * this.size);
    for (const surface of this.surfaces) {
      if (surface.facts.kind === 'body') continue;
      const there = surface.box.intersect(near);
      if (!there.isEmpty()) box.union(there);
    }
    return box;
  }

  // The shadow map covers the motion, and obstacles as far as they are near it, and no more: thin parts get texels.
  fitShadow() {
    const box = this.boxWithObstacles(0.5, this.shadowBox);
    const { camera } = this.sun.shadow;
    this.sun.updateMatrixWorld();
    this.sun.target.updateMatrixWorld();
    camera.position.copy(this.sun.position);
    camera.lookAt(this.sun.target.position);
    camera.updateMatrixWorld();
    const seen = box.applyMatrix4(camera.matrixWorldInverse);
    const margin = 0.03 * this.size;
    Object.assign(camera, {
      left: seen.min.x - margin,
      right: seen.max.x + margin,
      bottom: seen.min.y - margin,
      top: seen.max.y + margin,
      near: -seen.max.z - margin,
      far: -seen.min.z + this.size, // the ground beyond
    });
    const width = Math.max(camera.right - camera.left, camera.top - camera.bottom);
    this.sun.shadow.normalBias = (2.5 * width) / shadowTexels;
  }

  // Of a live simulation nobody knows how far bodies will go: the shadow map grows with them, to a limit.
  reach(low, high) {
    const box = new Box3(new Vector3(...low), new Vector3(...high));
    if (this.shadowBox.containsBox(box)) return;
    const grown = this.shadowBox.clone().union(box.expandByScalar(0.1 * this.size));
    if (grown.getSize(new Vector3()).length() > mostReach * this.size) return;
    this.shadowBox = grown;
    this.fitShadow();
    this.sun.shadow.camera.updateProjectionMatrix();
  }

  makeObjects() {
    this.surfaces = this.run.header.objects.map((facts, k) => {
      const outside = facts.kind === 'body' && !facts.open ? Part.closed : Part.open;
      const painted = Boolean(this.run.objects[k].regions);
      const lift = noLift();
      const materials = facts.groups.map((group) =>
        surfaceMaterial(isBetween(group) ? Part.between : outside, this.size, painted, lift, this.isClear(group)),
      );
      const surface = new Surface(facts, this.run.objects[k], materials, scaled(this.objectColor(k), 0.25), lift);
      const looks = facts.groups.map(([own]) => facts.kind === 'body' && this.run.lookOf(own));
      addTextures(surface, this.run.objects[k], looks, this.run.textures, this.run.header.gravity);
      this.scene.add(surface.node);
      return surface;
    });
    this.bodies = this.surfaces.filter((s) => s.facts.kind === 'body');
    this.sections = new Sections(this.run, this.surfaces);
  }

  isClear([material]) {
    return this.run.lookOf(material)?.opacity < 1;
  }

  objectColor(k) {
    const { objects } = this.run.header;
    if (objects[k].kind !== 'body') return obstacleColor;
    return kindColor(objects.slice(0, k).filter((o) => o.kind === 'body').length);
  }

  materialColor(material) {
    return this.run.lookOf(material)?.color ?? kindColor(this.run.materials.indexOf(material));
  }

  // What an object has as colours: one, or those of its materials.
  swatch(k, colorBy) {
    const object = this.run.header.objects[k];
    if (object.kind === 'body' && this.subspace?.paints(colorBy)) return this.subspace.swatch(this.run.objects[k]);
    if (object.kind !== 'body' || colorBy !== 'material') return [this.objectColor(k)];
    return materialsOf(object).map((material) => this.materialColor(material));
  }

  makePlanes() {
    const spacing = roundDown(this.size / 8);
    const extent = 8 * this.size;
    const geometry = new PlaneGeometry(2 * extent, 2 * extent);
    this.planes = this.run.header.planes.map((facts) => {
      const grid = new Mesh(geometry, gridMaterial(spacing, 0.2 * extent));
      grid.renderOrder = -1;
      grid.frustumCulled = false;
      const shadow = this.makeShadow(geometry);
      this.scene.add(grid);
      return { facts, grid, shadow };
    });
    this.floor = this.planes.length === 0 && this.run.header.gravity.some((c) => c !== 0) ? this.makeFloor(geometry) : null;
  }

  // What a plane shows of light: shadows, and for occlusion its depth.
  makeShadow(geometry) {
    const offset = { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 };
    const shadow = new Mesh(geometry, new ShadowMaterial({ opacity: 0.22, ...offset }));
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    shadow.frustumCulled = false;
    this.scene.add(shadow);
    return shadow;
  }

  // Where a scene has no plane a shadow below all motion tells which way is down.
  makeFloor(geometry) {
    const floor = this.makeShadow(geometry);
    const center = this.box.getCenter(new Vector3());
    const half = this.box.getSize(new Vector3()).multiplyScalar(0.5);
    const [x, y, z] = this.up.toArray().map(Math.abs);
    const lowest = half.x * x + half.y * y + half.z * z;
    floor.position.copy(center).addScaledVector(this.up, -lowest - floorBelow * this.size);
    floor.quaternion.copy(new Quaternion().setFromUnitVectors(up, this.up));
    return floor;
  }

  makeMarker() {
    this.marker = new Mesh(
      new SphereGeometry(1, 16, 12),
      new MeshBasicMaterial({ color: '#ffffff', depthTest: false }),
    );
    this.ring = new Mesh(this.marker.geometry, new MeshBasicMaterial({ color: '#111111', depthTest: false }));
    this.ring.renderOrder = 10;
    this.marker.renderOrder = 11;
    this.marker.visible = this.ring.visible = false;
    this.scene.add(this.ring, this.marker);
  }

  // ---- what is shown

  show(frame, state) {
    this.move(frame.positions);
    this.surfaces.forEach((surface, k) => {
      if (!frame.positions[k] && frame.lifts?.[k]) surface.follow(frame.lifts[k]);
    });
    if (frame.box) this.reach(...frame.box);
    frame.planes.forEach(({ point, normal }, k) =>
      this.placePlane(this.planes[k], new Vector3(...point), new Vector3(...normal)),
    );
    this.frame = frame;
    this.color(state);
  }

  // Places of the vertices of objects, null where they stay. Obstacles without places are where the mesh has them.
  move(places) {
    places.forEach((points, k) => {
      const surface = this.surfaces[k];
      const goesBack = !points && surface.away;
      if (points || goesBack) surface.setPositions(points ?? this.run.objects[k].positions);
      surface.away = Boolean(points) && surface.facts.kind === 'obstacle';
    });
    this.invalidate();
  }

  // The grid's middle lies below the middle of the motion.
  placePlane({ grid, shadow }, point, normal) {
    const center = this.box.getCenter(new Vector3());
    center.addScaledVector(normal, -center.clone().sub(point).dot(normal));
    for (const mesh of [grid, shadow]) {
      mesh.quaternion.copy(new Quaternion().setFromUnitVectors(up, normal));
      mesh.position.copy(center);
    }
  }

  color(state) {
    const field = this.run.header.fields.findIndex((f) => f.name === state.colorBy);
    this.sections.set({ frame: this.frame, field });
    const painted = Boolean(this.subspace?.paints(state.colorBy));
    const one = painted && state.colorBy === 'basis';
    this.subspace?.color(this.bodies, state);
    this.surfaces.forEach((surface, k) => {
      const body = this.bodies.indexOf(surface);
      const shown = (field >= 0 || one) && body >= 0;
      if (field >= 0 && shown && this.frame) surface.setValues(this.frame.fields[field]?.[body]); // live: what came
      const byMaterial = body >= 0 && state.colorBy === 'material';
      const colorOf = (material) => (byMaterial ? this.materialColor(material) : this.objectColor(k));
      const several = materialsOf(surface.facts).length > 1;
      // Cuts through several materials tell them apart, whatever the colours mean.
      const cutOf = (material) => {
        if (field >= 0) return several ? mixed(fieldCutColor, this.materialColor(material), 0.18) : fieldCutColor;
        if (byMaterial || !several) return scaled(colorOf(material), 0.75);
        return mixed(scaled(colorOf(material), 0.75), this.materialColor(material), 0.3);
      };
      surface.mesh.material.forEach((material, g) => {
        const [own, , beyond] = surface.facts.groups[g];
        const cut = cutOf(own);
        const other = beyond === undefined ? cut : cutOf(beyond);
        const look = shown || body < 0 ? undefined : this.run.lookOf(own);
        const paint = painted && body >= 0;
        setSurfaceColor(material, { color: colorOf(own), cut, beyond: other, field: shown, look, paint });
        showTexture(material, byMaterial && !paint);
        this.setMirrors(material);
      });
    });
    const light = lights[field >= 0 || one ? 'field' : 'color'];
    this.scene.environmentIntensity = light.studio;
    this.ambient.intensity = 3 * light.studio;
    this.sun.intensity = light.sun;
    this.placeMarker(state.probe);
    this.invalidate();
  }

  // The range of the field's colours of each material: rangeOf(material) is [low, high].
  setRange(rangeOf, log, map) {
    setColorMap(map);
    for (const { mesh, facts } of this.bodies) {
      mesh.material.forEach((material, g) =>
        material.userData.uniforms.fieldRange.value.set(...rangeOf(facts.groups[g][0])),
      );
    }
    this.sections.setRange(rangeOf);
    fieldLog.value = log ? 1 : 0;
    this.invalidate();
  }

  setVisible(hidden) {
    for (const surface of this.surfaces) surface.node.visible = !hidden.has(surface.facts.name);
    for (const { facts, grid, shadow } of this.planes) grid.visible = shadow.visible = !hidden.has(facts.name);
    this.invalidate();
  }

  setDots(dots) {
    this.subspace.setShown(dots);
    this.invalidate();
  }

  setStyle({ edges, flat }) {
    this.sections.set({ edges });
    for (const { mesh, lines, facts } of this.surfaces) {
      mesh.visible = edges !== 'only';
      lines.visible = edges !== 'none';
      lines.material.opacity = edges === 'only' ? 0.9 : 0.45;
      lines.material.color.set(edges === 'only' ? this.objectColor(this.run.header.objects.indexOf(facts)) : '#10151c');
      mesh.material.forEach((material, g) => {
        material.polygonOffset = edges === 'over' && !isBetween(facts.groups[g]); // the lines in front
        if (material.flatShading === flat) return;
        material.flatShading = flat;
        material.needsUpdate = true;
      });
    }
    this.invalidate();
  }

  // auto, fast or best.
  setQuality(name) {
    this.picture.setQuality(name);
    this.setStudio(name === 'best' || (name === 'auto' && !this.picture.software));
  }

  // clip: null or {axis, at, flip}; `at` from 0 to 1 through the box of the motion.
  setClip(clip) {
    if (clip) {
      const normal = new Vector3().setComponent(clip.axis, clip.flip ? 1 : -1);
      const place = this.clipPosition(clip);
      this.clipPlane.set(normal, clip.flip ? -place : place);
    }
    const planes = clip ? [this.clipPlane] : null;
    for (const { mesh, lines } of this.surfaces) {
      for (const material of mesh.material) setSurfaceClip(material, planes);
      if (Boolean(lines.material.clippingPlanes) !== Boolean(planes)) lines.material.needsUpdate = true;
      lines.material.clippingPlanes = planes;
    }
    for (const dots of this.subspace?.dots ?? []) dots.setClip(planes);
    this.clipped = Boolean(clip);
    this.sections.set({ clip: clip && { axis: clip.axis, place: this.clipPosition(clip) } });
    this.invalidate();
  }

  clipPosition({ axis, at }) {
    const low = this.box.min.getComponent(axis),
      high = this.box.max.getComponent(axis);
    const margin = 0.001 * (high - low);
    return low - margin + at * (high - low + 2 * margin);
  }

  setTheme(dark) {
    for (const { grid, shadow } of this.planes) {
      grid.material.uniforms.lineColor.value.set(dark ? '#9fb0c6' : '#5c6a7d');
      grid.material.uniforms.strength.value = dark ? 0.8 : 0.85;
      shadow.material.opacity = dark ? 0.55 : 0.3;
    }
    if (this.floor) this.floor.material.opacity = dark ? 0.45 : 0.22;
    this.background.setTheme(dark);
    this.subspace?.setTheme(dark);
    this.invalidate();
  }

  // ---- camera

  // Looks from where the camera is at what can be seen now.
  frameVisible() {
    this.rig.frameBox(this.boxOf('frame'), this.rig.direction());
  }

  // The box of the motion over the whole run with the obstacles near it (`run`), of the visible bodies now (`frame`),
  // or of some objects now, by their names.
  boxOf(what) {
    const visible = this.surfaces.filter((s) => s.node.visible);
    const bodies = visible.filter((s) => s.facts.kind === 'body');
    let wanted = bodies.length > 0 ? bodies : visible;
    if (what === 'run') return this.boxWithObstacles(0.1, this.action);
    if (what !== 'frame') wanted = this.surfaces.filter((s) => what.split(',').includes(s.facts.name));
    const box = new Box3();
    for (const surface of wanted) box.union(surface.box);
    return box.isEmpty() ? this.box : box;
  }

  // ---- probe

  rayAt(clientX, clientY) {
    const rect = this.canvas.getBoundingClientRect();
    const at = new Vector2(((clientX - rect.left) / rect.width) * 2 - 1, 1 - ((clientY - rect.top) / rect.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray;
  }

  // The vertex of a visible body nearest to what lies under a point of the page, or null.
  pick(clientX, clientY) {
    const ray = this.rayAt(clientX, clientY);
    const meshes = this.surfaces.filter((s) => s.node.visible).map((s) => s.solid);
    const hit = ray
      .intersectObjects(meshes, false)
      .find((h) => this.isSeen(h));
    if (!hit) return null;
    const { surface } = hit.object.userData;
    const corners = [hit.face.a, hit.face.b, hit.face.c].map((i) => surface.source[i]);
    const distance = (v) => hit.point.distanceToSquared(new Vector3(...surface.pointOf(v)));
    const cluster = surface.regions ? this.clusterAt(hit) : undefined;
    const vertex = corners.sort((a, b) => distance(a) - distance(b))[0];
    return { object: this.surfaces.indexOf(surface), vertex, cluster };
  }

  // The cluster that is seen where a ray meets a face: in a cut, the one on the near side.
  clusterAt({ object, face, point }) {
    const { surface } = object.userData;
    const normal = new Vector3();
    const [a, b, c] = [face.a, face.b, face.c].map((i) => new Vector3().fromBufferAttribute(surface.positions, i));
    normal.crossVectors(b.clone().sub(a), c.clone().sub(a));
    const front = normal.dot(this.camera.position.clone().sub(point)) > 0;
    const list = front ? surface.beyondRegion : surface.ownRegion;
    return list[face.a];
  }

  // The handle whose dot lies at a point of the page, or -1.
  pickHandle(clientX, clientY) {
    const rect = this.canvas.getBoundingClientRect();
    return this.subspace.pick(clientX - rect.left, clientY - rect.top);
  }

  // Where the line of sight through a point of the page meets the plane parallel to the screen through a place.
  pointAt(clientX, clientY, place) {
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new Vector3()), place);
    return this.rayAt(clientX, clientY).ray.intersectPlane(plane, new Vector3());
  }

  // On the canvas, in pixels; null behind the camera.
  pixelOf(place) {
    const at = new Vector3(...place).project(this.camera);
    if (at.z > 1) return null;
    return { x: ((at.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - at.y) / 2) * this.canvas.clientHeight };
  }

  isSeen({ object, face, point }) {
    return object.material[face.materialIndex].visible && (!this.clipped || this.clipPlane.distanceToPoint(point) >= 0);
  }

  // Position in the scene's coordinates and the values of all fields (none on an obstacle).
  read({ object, vertex }) {
    const surface = this.surfaces[object];
    const body = this.bodies.indexOf(surface);
    const position = surface.pointOf(vertex).map((c, a) => c + this.run.origin[a]);
    const values = body < 0 ? [] : this.frame.fields.map((f) => f[body][vertex]);
    return { name: surface.facts.name, position, values };
  }

  placeMarker(probe) {
    const surface = probe && this.surfaces[probe.object];
    const visible = Boolean(surface?.node.visible);
    this.marker.visible = this.ring.visible = visible;
    if (visible) this.marker.position.fromArray(surface.pointOf(probe.vertex));
    this.invalidate();
  }

  // ---- drawing

  // As many pixels as a picture or video that is saved has; null: as the page again.
  setExactly(width, height, ratio) {
    this.picture.exact = width && { width, height, ratio };
    this.resize();
  }

  resize() {
    const { width, height } = this.picture.exact ?? { width: this.container.clientWidth, height: this.container.clientHeight };
    if (!width || !height) return;
    this.picture.resize(width, height);
    this.background.material.uniforms.aspect.value = width / height;
    this.rig.setAspect(width / height);
    this.invalidate();
  }

  invalidate() {
    this.requested ||= requestAnimationFrame(() => this.render());
  }

  // Draws now what would be drawn next.
  flush() {
    if (this.requested) this.render();
  }

  render(best = false) {
    cancelAnimationFrame(this.requested); // this is the picture that was asked for
    this.requested = 0;
    this.rig.update();
    if (this.marker.visible) {
      const size = 0.006 * this.camera.position.distanceTo(this.marker.position);
      this.marker.scale.setScalar(0.6 * size);
      this.ring.scale.setScalar(size);
      this.ring.position.copy(this.marker.position);
    }
    this.pulls?.update();
    this.sections.update();
    if (best) this.picture.still();
    else this.picture.moving();
  }

  dispose() {
    this.renderer.dispose();
  }
}
