// The section of a body of tets with the clip plane, coloured by a field: a polygon of each tet that the plane cuts, and
// lines where the surface and the boundaries between materials meet the plane.
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, LineBasicMaterial, LineSegments, Mesh, ShaderMaterial, Vector2 } from 'three';
import { fieldColor, shownAsGiven } from './shading.js';

// Numbers that grow without being made anew for each picture.
class Numbers {
  constructor(geometry, name, width) {
    Object.assign(this, { geometry, name, width });
    this.reserve(256);
  }

  reserve(count) {
    const old = this.array;
    this.array = new Float32Array(count * this.width);
    if (old) this.array.set(old);
    this.geometry.setAttribute(this.name, new BufferAttribute(this.array, this.width).setUsage(DynamicDrawUsage));
  }

  // Room for so many vertices.
  room(count) {
    if (count * this.width > this.array.length) this.reserve(2 * count);
  }

  changed(count) {
    const attribute = this.geometry.getAttribute(this.name);
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, count * this.width);
    attribute.needsUpdate = true;
  }
}

// Cuts tets by the plane where coordinate `axis` is `place`. Vertices on the plane count as above it, so a face in the
// plane belongs to one of its tets.
export class TetCutter {
  constructor(geometry) {
    this.geometry = geometry;
    this.points = new Numbers(geometry, 'position', 3);
    this.values = new Numbers(geometry, 'fieldValue', 1);
    this.corners = new Uint32Array(4);
    this.count = 0;
    this.sides = null; // ends of the polygons' sides, where they are drawn
  }

  // {tets, groups}: groups [material, count] of tets. The geometry gets a group for each.
  cut({ tets, groups }, positions, values, axis, place) {
    const vertices = positions.length / 3;
    if (this.heights?.length !== vertices) {
      this.heights = new Float64Array(vertices);
      this.above = new Uint8Array(vertices);
    }
    const { heights, above } = this;
    for (let v = 0, at = axis; v < vertices; ++v, at += 3) {
      heights[v] = positions[at] - place;
      above[v] = heights[v] >= 0 ? 1 : 0;
    }
    Object.assign(this, { positions, field: values, axis, place, count: 0, sideCount: 0 });
    let t = 0;
    groups.forEach(([, count], g) => {
      const start = this.count;
      for (const end = t + 4 * count; t < end; t += 4) {
        const sum = above[tets[t]] + above[tets[t + 1]] + above[tets[t + 2]] + above[tets[t + 3]];
        if (sum !== 0 && sum !== 4) this.tet(tets, t, sum);
      }
      const known = this.geometry.groups[g];
      if (known) Object.assign(known, { start, count: this.count - start });
      else this.geometry.addGroup(start, this.count - start, g);
    });
    this.points.changed(this.count);
    this.values.changed(this.count);
  }

  tet(tets, t, sum) {
    const { corners, above } = this;
    let high = 0;
    let low = 3;
    for (let k = 0; k < 4; ++k) {
      const v = tets[t + k];
      if (above[v]) corners[high++] = v;
      else corners[low--] = v;
    }
    this.points.room(this.count + 6);
    this.values.room(this.count + 6);
    const [a, b, c, d] = corners;
    if (this.sides) this.addSides(sum === 2);
    if (sum === 1) this.triangle(a, b, a, c, a, d);
    else if (sum === 3) this.triangle(a, d, b, d, c, d);
    else {
      this.triangle(a, c, a, d, b, d);
      this.triangle(a, c, b, d, b, c);
    }
  }

  addSides(four) {
    if (this.sideCount + 8 > this.sides.length) {
      const more = new Uint32Array(2 * this.sides.length);
      more.set(this.sides);
      this.sides = more;
    }
    const [a, b, c, d] = four ? [0, 1, 2, 5] : [0, 1, 2, 2];
    for (const corner of four ? [a, b, b, c, c, d, d, a] : [a, b, b, c, c, a])
      this.sides[this.sideCount++] = this.count + corner;
  }

  triangle(a, b, c, d, e, f) {
    this.point(a, b);
    this.point(c, d);
    this.point(e, f);
  }

  // Where an edge from above to below meets the plane: the same for all tets at the edge.
  point(high, low) {
    const { heights, positions, field, points, values, axis } = this;
    const t = heights[high] / (heights[high] - heights[low]);
    const at = 3 * this.count;
    const target = points.array;
    for (let a = 0; a < 3; ++a) {
      const from = positions[3 * high + a];
      target[at + a] = from + t * (positions[3 * low + a] - from);
    }
    target[at + axis] = this.place;
    values.array[this.count] = field[high] + t * (field[low] - field[high]);
    this.count += 1;
  }
}

// Where triangles meet the plane.
class LineCutter {
  constructor(geometry) {
    this.geometry = geometry;
    this.points = new Numbers(geometry, 'position', 3);
  }

  cut(triangles, positions, axis, place) {
    let count = 0;
    const { points } = this;
    const height = (v) => positions[3 * v + axis] - place;
    for (let t = 0; t < triangles.length; t += 3) {
      const sum = (height(triangles[t]) >= 0) + (height(triangles[t + 1]) >= 0) + (height(triangles[t + 2]) >= 0);
      if (sum === 0 || sum === 3) continue;
      points.room(count + 2);
      for (let k = 0; k < 3; ++k) {
        const v = triangles[t + k];
        const w = triangles[t + ((k + 1) % 3)];
        if (height(v) >= 0 === height(w) >= 0) continue;
        const [high, low] = height(v) >= 0 ? [v, w] : [w, v];
        const part = height(high) / (height(high) - height(low));
        for (let a = 0; a < 3; ++a) {
          const from = positions[3 * high + a];
          points.array[3 * count + a] = from + part * (positions[3 * low + a] - from);
        }
        points.array[3 * count + axis] = place;
        count += 1;
      }
    }
    this.geometry.setDrawRange(0, count);
    points.changed(count);
  }
}

function sectionMaterial(shared) {
  return new ShaderMaterial({
    side: DoubleSide,
    polygonOffset: true, // behind its lines
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 2,
    uniforms: { ...shared, fieldRange: { value: new Vector2(0, 1) }, useField: { value: 1 } },
    vertexShader: `
attribute float fieldValue;
varying float vFieldValue;
void main() {
  vFieldValue = fieldValue;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
    fragmentShader: `
varying float vFieldValue;
uniform float fieldFloor, fieldLog, useField;
uniform vec3 nothing;
uniform vec2 fieldRange;
uniform sampler2D colorTable;
void main() {
  vec4 diffuseColor = vec4(1.0);
  ${fieldColor}
  vec3 filled = diffuseColor.rgb;
  ${shownAsGiven}
  gl_FragColor = vec4(filled, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`,
  });
}

// Of one body, drawn with its surface.
class Section {
  constructor(surface, triangles, body) {
    Object.assign(this, { surface, triangles, body });
    const { fieldLog, fieldFloor, nothing, colorTable } = surface.mesh.material[0].userData.uniforms;
    const materials = body.groups.map(() => sectionMaterial({ fieldLog, fieldFloor, nothing, colorTable }));
    this.mesh = new Mesh(new BufferGeometry(), materials);
    this.cutter = new TetCutter(this.mesh.geometry);
    const ink = new LineBasicMaterial({ color: '#10151c', transparent: true, opacity: 0.75 });
    this.outline = new LineSegments(new BufferGeometry(), ink);
    this.outlineCutter = new LineCutter(this.outline.geometry);
    const fine = new LineBasicMaterial({ color: '#10151c', transparent: true, opacity: 0.3 });
    this.edges = new LineSegments(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(3), 3)), fine);
    this.parts = [this.mesh, this.edges, this.outline];
    for (const part of this.parts) {
      part.frustumCulled = false;
      part.visible = false;
    }
    surface.node.add(...this.parts);
  }

  show(inside, field, { axis, place }, edges) {
    this.mesh.visible = edges !== 'only';
    this.outline.visible = true;
    this.edges.visible = edges !== 'none';
    this.cutter.sides = this.edges.visible ? (this.cutter.sides ?? new Uint32Array(1024)) : null;
    this.cutter.cut(this.body, inside.positions, inside.fields[field], axis, place);
    this.outlineCutter.cut(this.triangles, inside.positions, axis, place);
    if (this.edges.visible) this.drawEdges();
  }

  drawEdges() {
    const { geometry } = this.edges;
    const { sides, sideCount } = this.cutter;
    geometry.setAttribute('position', this.mesh.geometry.getAttribute('position'));
    if (geometry.index?.array !== sides) geometry.setIndex(new BufferAttribute(sides, 1).setUsage(DynamicDrawUsage));
    geometry.index.needsUpdate = true;
    geometry.setDrawRange(0, sideCount);
  }

  hide() {
    for (const part of this.parts) part.visible = false;
  }
}

// Of all bodies. Cuts again only before a picture, and only where something has changed.
export class Sections {
  constructor(run, surfaces) {
    Object.assign(this, { run, surfaces, wish: { frame: null, field: -1, clip: null, edges: 'none' } });
    this.sections = new Map();
    this.stale = true;
  }

  set(changes) {
    Object.assign(this.wish, changes);
    this.stale = true;
  }

  setRange(rangeOf) {
    this.rangeOf = rangeOf;
    for (const { mesh, body } of this.sections.values()) {
      mesh.material.forEach((material, g) => material.uniforms.fieldRange.value.set(...rangeOf(body.groups[g][0])));
    }
  }

  // Whether a picture would show fields inside.
  get wanted() {
    return Boolean(this.wish.clip) && this.wish.field >= 0;
  }

  update() {
    if (!this.stale) return;
    this.stale = false;
    const { frame, field, clip, edges } = this.wish;
    const insides = this.wanted ? frame?.insides : null;
    this.surfaces.forEach((surface, k) => {
      const inside = insides?.[k];
      if (inside) this.sectionOf(surface, k).show(inside, field, clip, edges);
      else this.sections.get(k)?.hide();
    });
  }

  // Number of triangles that are shown.
  triangles(k) {
    this.update();
    const section = this.sections.get(k);
    return section?.mesh.visible ? section.cutter.count / 3 : 0;
  }

  sectionOf(surface, k) {
    if (!this.sections.has(k)) {
      this.sections.set(k, new Section(surface, this.run.objects[k].triangles, this.run.insides[k]));
      if (this.rangeOf) this.setRange(this.rangeOf);
    }
    return this.sections.get(k);
  }
}
