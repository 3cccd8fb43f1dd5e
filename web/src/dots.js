// Round dots of a size in pixels. They are drawn twice: faintly where a surface hides them, plainly where none does.
import { BufferAttribute, BufferGeometry, Color, GreaterDepth, Group, LessEqualDepth, Points, ShaderMaterial } from 'three';

function dotMaterial(strength, depthFunc) {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    depthFunc,
    clipping: true,
    uniforms: { strength: { value: strength }, ratio: { value: 1 }, rim: { value: new Color('#ffffff') } },
    vertexShader: `
#include <clipping_planes_pars_vertex>
attribute float dotSize;
attribute vec3 dotColor;
uniform float ratio;
varying vec3 vColor;
varying float vSize;
void main() {
  vColor = dotColor;
  vSize = dotSize * ratio;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  gl_PointSize = vSize;
  #include <clipping_planes_vertex>
}`,
    fragmentShader: `
#include <clipping_planes_pars_fragment>
uniform float strength, ratio;
uniform vec3 rim;
varying vec3 vColor;
varying float vSize;
void main() {
  #include <clipping_planes_fragment>
  float radius = 0.5 * vSize, from = radius * length(2.0 * gl_PointCoord - 1.0);
  float alpha = strength * (1.0 - smoothstep(radius - 1.0, radius, from));
  if (alpha < 0.01) discard;
  float inner = radius - 1.0 - min(1.6 * ratio, 0.3 * radius);
  gl_FragColor = vec4(mix(vColor, rim, smoothstep(inner, inner + 1.0, from)), alpha);
  #include <colorspace_fragment>
}`,
  });
}

export class Dots {
  // positions: three numbers a dot; hidden: how strongly dots behind surfaces show.
  constructor(positions, hidden) {
    this.count = positions.length / 3;
    this.positions = positions;
    this.sizes = new BufferAttribute(new Float32Array(this.count), 1);
    this.colors = new BufferAttribute(new Float32Array(3 * this.count), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('dotSize', this.sizes);
    geometry.setAttribute('dotColor', this.colors);
    this.materials = [dotMaterial(hidden, GreaterDepth), dotMaterial(1, LessEqualDepth)];
    this.node = new Group();
    for (const material of this.materials) {
      const points = new Points(geometry, material);
      points.frustumCulled = false;
      points.renderOrder = 5;
      this.node.add(points);
    }
  }

  // sizeOf(k) in pixels, colorOf(k) a hex colour.
  paint(sizeOf, colorOf) {
    const color = new Color();
    for (let k = 0; k < this.count; ++k) {
      this.sizes.array[k] = sizeOf(k);
      color.set(colorOf(k)).toArray(this.colors.array, 3 * k);
    }
    this.sizes.needsUpdate = this.colors.needsUpdate = true;
  }

  setRim(color) {
    for (const { uniforms } of this.materials) uniforms.rim.value.set(color);
  }

  setPixelRatio(ratio) {
    for (const { uniforms } of this.materials) uniforms.ratio.value = ratio;
  }

  setClip(planes) {
    for (const material of this.materials) {
      if (Boolean(material.clippingPlanes) !== Boolean(planes)) material.needsUpdate = true;
      material.clippingPlanes = planes;
    }
  }
}
