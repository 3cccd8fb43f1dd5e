// The 3D view: camera, light, surfaces, planes, clip plane. It draws only when something has changed.
import {
  Box3,
  DirectionalLight,
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
import { bodyColors, obstacleColor, scaled } from './colors.js';
import { fieldLog, fieldRange, gridMaterial, setSurfaceColor, surfaceMaterial } from './shading.js';
import { Surface } from './surface.js';

const up = new Vector3(0, 0, 1);
const fieldCutColor = '#59616c'; // no colour of the map

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
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setClearAlpha(0);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', '3D view of the simulation. Drag to orbit, wheel to zoom.');
    container.prepend(this.canvas);

    this.scene = new Scene();
    this.box = new Box3(new Vector3(...run.box[0]), new Vector3(...run.box[1])).translate(
      new Vector3(...run.origin).negate(),
    );
    this.size = Math.max(this.box.getSize(new Vector3()).length(), 1e-9);
    this.clipPlane = new Plane();
    this.rig = new CameraRig(this.canvas, run, this.size, () => this.invalidate());
    this.camera = this.rig.camera;
    this.up = this.rig.up;
    this.makeLights();
    this.makeObjects();
    this.makePlanes();
    this.makeMarker();
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
    this.rig.frameBox(this.box);
  }

  makeLights() {
    this.ambient = new HemisphereLight(0xffffff, 0xb9b2a8, 1.75);
    this.ambient.position.copy(this.up);
    this.scene.add(this.ambient);
    const direction = this.rig.defaultDirection();
    const right = this.up.clone().cross(direction).normalize();
    this.sun = new DirectionalLight(0xffffff, 2.1);
    const from = this.up.clone().multiplyScalar(1.5).addScaledVector(right, -0.75).addScaledVector(direction, 0.45);
    const center = this.box.getCenter(new Vector3());
    const obstacles = this.run.header.objects.some((o) => o.kind !== 'body');
    const reach = (obstacles ? 1.3 : 0.75) * this.size;
    this.sun.position.copy(center).addScaledVector(from.normalize(), 2 * this.size);
    this.sun.target.position.copy(center);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow.camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.2 * this.size,
      far: 4 * this.size,
    });
    this.sun.shadow.normalBias = 0.004 * this.size;
    this.sun.shadow.radius = 3;
    this.scene.add(this.sun, this.sun.target);
  }

  makeObjects() {
    this.surfaces = this.run.header.objects.map((facts, k) => {
      const color = this.objectColor(k);
      const surface = new Surface(
        facts,
        this.run.objects[k],
        surfaceMaterial(color, facts.kind === 'body'),
        scaled(color, 0.25),
      );
      if (facts.groups.length > 1) {
        surface.mesh.material = facts.groups.map(() => surfaceMaterial(color, facts.kind === 'body'));
      }
      this.scene.add(surface.node);
      return surface;
    });
    this.bodies = this.surfaces.filter((s) => s.facts.kind === 'body');
  }

  objectColor(k) {
    const { objects } = this.run.header;
    if (objects[k].kind !== 'body') return obstacleColor;
    return bodyColors[objects.slice(0, k).filter((o) => o.kind === 'body').length % bodyColors.length];
  }

  materialColor(material) {
    return bodyColors[material % bodyColors.length];
  }

  makePlanes() {
    const spacing = roundDown(this.size / 8);
    const extent = 8 * this.size;
    this.planes = this.run.header.planes.map((facts) => {
      const geometry = new PlaneGeometry(2 * extent, 2 * extent);
      const grid = new Mesh(geometry, gridMaterial(spacing, 0.32 * extent));
      const shadow = new Mesh(
        geometry,
        new ShadowMaterial({
          opacity: 0.22,
          depthWrite: false,
          polygonOffset: true,
          polygonOffsetFactor: 2,
          polygonOffsetUnits: 2,
        }),
      );
      shadow.receiveShadow = true;
      shadow.renderOrder = -2;
      grid.renderOrder = -1;
      for (const mesh of [grid, shadow]) {
        mesh.frustumCulled = false;
        this.scene.add(mesh);
      }
      return { facts, grid, shadow };
    });
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
    this.surfaces.forEach((surface, k) => {
      if (frame.positions[k]) surface.setPositions(frame.positions[k]);
    });
    frame.planes.forEach(({ point, normal }, k) =>
      this.placePlane(this.planes[k], new Vector3(...point), new Vector3(...normal)),
    );
    this.frame = frame;
    this.color(state);
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
    for (const surface of this.surfaces) {
      const body = this.bodies.indexOf(surface);
      const object = this.surfaces.indexOf(surface);
      if (field >= 0 && body >= 0 && this.frame) surface.setValues(this.frame.fields[field][body]);
      surface.mesh.material.forEach((material, group) => {
        const byMaterial = state.colorBy === 'material' && body >= 0;
        setSurfaceColor(
          material,
          byMaterial ? this.materialColor(surface.facts.groups[group][0]) : this.objectColor(object),
        );
        material.userData.uniforms.useField.value = field >= 0 && body >= 0 ? 1 : 0;
        if (field >= 0) material.userData.uniforms.cutColor.value.set(fieldCutColor);
      });
    }
    this.ambient.intensity = field >= 0 ? 2.3 : 1.75;
    this.sun.intensity = field >= 0 ? 1.5 : 2.1;
    this.placeMarker(state.probe);
    this.invalidate();
  }

  setRange(low, high, log) {
    fieldRange.value.set(low, high);
    fieldLog.value = log ? 1 : 0;
    this.invalidate();
  }

  setVisible(hidden) {
    for (const surface of this.surfaces) surface.node.visible = !hidden.has(surface.facts.name);
    for (const { facts, grid, shadow } of this.planes) grid.visible = shadow.visible = !hidden.has(facts.name);
    this.invalidate();
  }

  setStyle({ edges, flat }) {
    for (const { mesh, lines, facts } of this.surfaces) {
      mesh.visible = edges !== 'only';
      lines.visible = edges !== 'none';
      lines.material.opacity = edges === 'only' ? 0.9 : 0.45;
      lines.material.color.set(edges === 'only' ? this.objectColor(this.run.header.objects.indexOf(facts)) : '#10151c');
      for (const material of mesh.material) {
        material.polygonOffset = edges === 'over'; // the lines in front
        if (material.flatShading === flat) continue;
        material.flatShading = flat;
        material.needsUpdate = true;
      }
    }
    this.invalidate();
  }

  // clip: null or {axis, at, flip}; `at` from 0 to 1 through the box of the motion.
  setClip(clip) {
    if (clip) {
      const normal = new Vector3().setComponent(clip.axis, clip.flip ? 1 : -1);
      const place = this.clipPosition(clip);
      this.clipPlane.set(normal, clip.flip ? -place : place);
    }
    for (const { mesh, lines } of this.surfaces) {
      for (const material of [...mesh.material, lines.material]) {
        const wanted = clip ? [this.clipPlane] : null;
        if (Boolean(material.clippingPlanes) !== Boolean(wanted)) material.needsUpdate = true;
        material.clippingPlanes = wanted;
      }
    }
    this.clipped = Boolean(clip);
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
      grid.material.uniforms.strength.value = dark ? 0.75 : 0.8;
      shadow.material.opacity = dark ? 0.45 : 0.2;
    }
    this.invalidate();
  }

  // ---- camera

  // The box of what can be seen now, looked at from where the camera is.
  frameVisible() {
    const box = new Box3();
    const visible = this.surfaces.filter((s) => s.node.visible);
    for (const { mesh } of visible.some((s) => s.facts.kind === 'body')
      ? visible.filter((s) => s.facts.kind === 'body')
      : visible) {
      box.union(new Box3().setFromBufferAttribute(mesh.geometry.attributes.position));
    }
    this.rig.frameBox(box.isEmpty() ? this.box : box, this.rig.direction());
  }

  // ---- probe

  // The vertex of a visible body nearest to what lies under a point of the page, or null.
  pick(clientX, clientY) {
    const rect = this.canvas.getBoundingClientRect();
    const at = new Vector2(((clientX - rect.left) / rect.width) * 2 - 1, 1 - ((clientY - rect.top) / rect.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const meshes = this.surfaces.filter((s) => s.node.visible).map((s) => s.mesh);
    const hit = ray
      .intersectObjects(meshes, false)
      .find((h) => !this.clipped || this.clipPlane.distanceToPoint(h.point) >= 0);
    if (!hit) return null;
    const { surface } = hit.object.userData;
    const corners = [hit.face.a, hit.face.b, hit.face.c].map((i) => surface.source[i]);
    const distance = (v) => hit.point.distanceToSquared(new Vector3().fromArray(surface.points, 3 * v));
    return { object: this.surfaces.indexOf(surface), vertex: corners.sort((a, b) => distance(a) - distance(b))[0] };
  }

  // Position in the scene's coordinates and the values of all fields (none on an obstacle).
  read({ object, vertex }) {
    const surface = this.surfaces[object];
    const body = this.bodies.indexOf(surface);
    const position = [0, 1, 2].map((a) => surface.points[3 * vertex + a] + this.run.origin[a]);
    const values = body < 0 ? [] : this.frame.fields.map((f) => f[body][vertex]);
    return { name: surface.facts.name, position, values };
  }

  placeMarker(probe) {
    const surface = probe && this.surfaces[probe.object];
    const visible = Boolean(surface?.node.visible);
    this.marker.visible = this.ring.visible = visible;
    if (visible) this.marker.position.fromArray(surface.points, 3 * probe.vertex);
    this.invalidate();
  }

  // ---- drawing

  resize() {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.invalidate();
  }

  invalidate() {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame(() => {
      this.requested = false;
      this.render();
    });
  }

  render() {
    this.rig.update();
    if (this.marker.visible) {
      const size = 0.006 * this.camera.position.distanceTo(this.marker.position);
      this.marker.scale.setScalar(0.6 * size);
      this.ring.scale.setScalar(size);
      this.ring.position.copy(this.marker.position);
    }
    this.renderer.render(this.scene, this.camera);
  }

  dispose() {
    this.renderer.dispose();
  }
}
