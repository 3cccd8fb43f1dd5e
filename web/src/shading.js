// Materials: lit surfaces coloured by a constant or through the colour map, cut faces in a flat darker colour, and the
// grid of a plane.
import {
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LinearFilter,
  MeshStandardMaterial,
  RGBAFormat,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
} from 'three';
import { colorMap, scaled } from './colors.js';

const table = colorMap();
const mapTexture = new DataTexture(table, table.length / 4, 1, RGBAFormat);
mapTexture.colorSpace = SRGBColorSpace;
mapTexture.minFilter = LinearFilter;
mapTexture.magFilter = LinearFilter;
mapTexture.needsUpdate = true;

// Shared by all surfaces: the field's range, and whether colours follow the logarithm.
export const fieldRange = { value: new Vector2(0, 1) };
export const fieldLog = { value: 0 };

// `closed`: its inside is seen only where the clip plane cuts, and is drawn flat.
export function surfaceMaterial(color, closed) {
  const material = new MeshStandardMaterial({
    color,
    roughness: 0.72,
    metalness: 0,
    side: DoubleSide,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    clipShadows: true,
    shadowSide: FrontSide,
  });
  const uniforms = {
    fieldRange,
    fieldLog,
    colorTable: { value: mapTexture },
    useField: { value: 0 },
    cutColor: { value: new Color(scaled(color, 0.3)) },
    closedSurface: { value: closed ? 1 : 0 },
  };
  material.userData.uniforms = uniforms;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float fieldValue;\nvarying float vFieldValue;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvFieldValue = fieldValue;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>
varying float vFieldValue;
uniform vec2 fieldRange;
uniform sampler2D colorTable;
uniform float fieldLog;
uniform float useField;
uniform vec3 cutColor;
uniform float closedSurface;`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
if (useField > 0.5) {
  float low = fieldRange.x, high = fieldRange.y, value = vFieldValue;
  if (fieldLog > 0.5) {
    value = log(max(value, low) / low);
    high = log(high / low);
    low = 0.0;
  }
  float t = high > low ? clamp((value - low) / (high - low), 0.0, 1.0) : 0.0;
  diffuseColor.rgb = texture2D(colorTable, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}`,
      )
      .replace(
        '#include <opaque_fragment>',
        `if (closedSurface > 0.5 && !gl_FrontFacing) outgoingLight = cutColor;
#include <opaque_fragment>`,
      );
  };
  return material;
}

export function setSurfaceColor(material, color) {
  material.color.set(color);
  material.userData.uniforms.cutColor.value.set(scaled(color, 0.3));
}

// Lines on a plane at two spacings; they fade with the distance from the middle.
export function gridMaterial(spacing, radius) {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    clipping: true,
    polygonOffset: true, // behind what lies on it
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
    uniforms: {
      spacing: { value: spacing },
      radius: { value: radius },
      lineColor: { value: new Color('#8a94a3') },
      strength: { value: 1 },
    },
    vertexShader: `
#include <clipping_planes_pars_vertex>
varying vec2 place;
void main() {
  place = position.xy;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`,
    fragmentShader: `
#include <clipping_planes_pars_fragment>
varying vec2 place;
uniform float spacing, radius, strength;
uniform vec3 lineColor;
float lines(vec2 at) {
  vec2 width = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  return line * (1.0 - smoothstep(0.25, 0.6, max(width.x, width.y)));
}
void main() {
  #include <clipping_planes_fragment>
  float fade = 1.0 - smoothstep(0.15, 1.0, length(place) / radius);
  float line = max(0.22 * lines(place / spacing), 0.55 * lines(place / (10.0 * spacing)));
  float alpha = fade * strength * max(line, 0.05);
  if (alpha < 0.003) discard;
  gl_FragColor = vec4(lineColor, alpha);
  #include <colorspace_fragment>
}`,
  });
}
