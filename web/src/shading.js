// Materials: lit surfaces coloured by a constant or through the colour map, cut faces in a flat darker colour, and the
// grid of a plane.
import {
  Color,
  DataTexture,
  DoubleSide,
  FrontSide,
  LinearFilter,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  RGBAFormat,
  ShaderChunk,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
} from 'three';
import { colorMap } from './colors.js';
import { addLift, noLift } from './lift_gpu.js';

const mapTextures = new Map(); // by name

function mapTexture(name) {
  if (!mapTextures.has(name)) {
    const table = colorMap(name);
    const texture = new DataTexture(table, table.length / 4, 1, RGBAFormat);
    texture.colorSpace = SRGBColorSpace;
    texture.minFilter = texture.magFilter = LinearFilter;
    texture.needsUpdate = true;
    mapTextures.set(name, texture);
  }
  return mapTextures.get(name);
}

// Shared by all surfaces: the colours of fields.
const colorTable = { value: mapTexture('viridis') };
export function setColorMap(name) {
  colorTable.value = mapTexture(name);
}

// Shared by all surfaces: whether colours follow the logarithm.
export const fieldLog = { value: 0 };

// Values nearer to zero than this are grey: a function's support shows. 0: none are.
export const fieldFloor = { value: 0 };
const nothing = { value: new Color('#b9c0c9') };

// Of a part of a surface. A body is closed: its inside is seen only where the clip plane cuts, and is drawn as if the
// cut were filled, flat and hatched. A face between two materials is seen only there, from the side of either.
export const Part = { open: 0, closed: 1, between: 2 };

// How much of its light a surface keeps that is seen edge on: silhouettes of thin parts stand out from one another.
const edgeLight = { color: 0.5, field: 0.75 };

// The place that decides whether the clip plane takes a fragment. It must lie inside of its triangle: at the middle of a
// pixel that a steep triangle only touches it may lie beyond the plane, and hairlines of what is cut away remain.
const clipPlace = (stage) => {
  const name = `clipping_planes_pars_${stage}`;
  return [`#include <${name}>`, ShaderChunk[name].replace('varying vec3 vClipPosition', 'centroid varying vec3 vClipPosition')];
};

// `painted`: vertices bring colours of their own (Surface.setPaint). `lift`: uniforms of reduced coordinates.
// `clear`: light passes where the look counts (opacity below 1).
export function surfaceMaterial(part, size, painted = false, lift = noLift(), clear = false) {
  const material = new (clear ? MeshPhysicalMaterial : MeshStandardMaterial)({
    side: part === Part.closed ? FrontSide : DoubleSide,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    clipShadows: true,
    shadowSide: FrontSide,
  });
  const uniforms = {
    fieldRange: { value: new Vector2(0, 1) },
    fieldLog,
    fieldFloor,
    nothing,
    usePaint: { value: 0 },
    colorTable,
    useField: { value: 0 },
    edgeLight: { value: edgeLight.color },
    cutColor: { value: new Color() },
    beyondColor: { value: new Color() },
    hatch: { value: 90 / size }, // lines a metre
    part: { value: part },
    ...lift,
  };
  Object.assign(material.userData, { uniforms, thickness: 0.08 * size });
  material.visible = part !== Part.between;
  if (painted) material.defines.PAINTED = 1;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    addLift(shader, true);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${vertexDeclarations}`)
      .replace(...clipPlace('vertex'))
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${vertexValues}`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <clipping_planes_pars_fragment>', `#include <clipping_planes_pars_fragment>\n${declarations}`)
      .replace(...clipPlace('fragment'))
      .replace('#include <color_fragment>', `#include <color_fragment>\n${fieldColor}`)
      .replace('#include <opaque_fragment>', `${cutAndEdge}\n#include <opaque_fragment>`);
  };
  return material;
}

const vertexDeclarations = `
attribute float fieldValue;
varying float vFieldValue;
#ifdef PAINTED
attribute vec3 paint, cutPaint, beyondPaint;
varying vec3 vPaint, vCutPaint, vBeyondPaint;
#endif`;

const vertexValues = `
vFieldValue = fieldValue;
#ifdef PAINTED
vPaint = paint;
vCutPaint = cutPaint;
vBeyondPaint = beyondPaint;
#endif`;

const declarations = `
varying float vFieldValue;
#ifdef PAINTED
varying vec3 vPaint, vCutPaint, vBeyondPaint;
uniform float usePaint;
#endif
uniform float fieldFloor;
uniform vec3 nothing;
uniform vec2 fieldRange;
uniform sampler2D colorTable;
uniform float fieldLog, useField, edgeLight, hatch;
uniform vec3 cutColor, beyondColor;
uniform int part;

// Of the cut where the line of sight meets it: lines that stay in place as the view turns.
float hatching() {
#if NUM_CLIPPING_PLANES > 0
  vec3 sight = -vClipPosition;
  vec4 plane = clippingPlanes[0];
  vec3 seen = sight * (-plane.w / dot(sight, plane.xyz));
  vec3 at = (seen - viewMatrix[3].xyz) * mat3(viewMatrix);
  float line = hatch * (at.x + at.y + at.z), width = fwidth(line);
  float distance = abs(fract(line) - 0.5);
  return (1.0 - smoothstep(0.12, 0.12 + 1.5 * width, distance)) * (1.0 - smoothstep(0.2, 0.5, width));
#else
  return 0.0;
#endif
}`;

export const fieldColor = `
#ifdef PAINTED
if (usePaint > 0.5) diffuseColor.rgb = vPaint;
#endif
if (useField > 0.5) {
  float low = fieldRange.x, high = fieldRange.y, value = vFieldValue;
  if (fieldLog > 0.5) {
    value = log(max(value, low) / low);
    high = log(high / low);
    low = 0.0;
  }
  float t = high > low ? clamp((value - low) / (high - low), 0.0, 1.0) : 0.0;
  diffuseColor.rgb = texture2D(colorTable, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  if (fieldFloor > 0.0) diffuseColor.rgb = mix(nothing, diffuseColor.rgb, smoothstep(0.0, fieldFloor, abs(vFieldValue)));
}`;

// What the tone mapping of the picture (Khronos Neutral) will take away: cuts show the colours of the legend.
export const shownAsGiven = `
float least = min(filled.r, min(filled.g, filled.b));
filled += least < 0.04 ? sqrt(least / 6.25) - least : 0.04;`;

const cutAndEdge = `
float facing = abs(dot(normal, normalize(vViewPosition)));
outgoingLight *= mix(edgeLight, 1.0, smoothstep(0.0, 0.6, facing));
float strokes = hatching(); // here, where neighbouring pixels agree
if (part != ${Part.open} && (part == ${Part.between} || !gl_FrontFacing)) {
  vec3 filled = gl_FrontFacing ? beyondColor : cutColor;
#ifdef PAINTED
  if (usePaint > 0.5) filled = gl_FrontFacing ? vBeyondPaint : vCutPaint;
#endif
  filled *= 1.0 - 0.13 * strokes;
  ${shownAsGiven}
  outgoingLight = filled;
}`;

// The far side of a closed surface is drawn only where a cut shows it: at outlines it would shine through in dots.
export function setSurfaceClip(material, planes) {
  if (Boolean(material.clippingPlanes) === Boolean(planes)) return;
  material.clippingPlanes = planes;
  const part = material.userData.uniforms.part.value;
  if (part === Part.closed) material.side = material.shadowSide = planes ? DoubleSide : FrontSide;
  if (part === Part.between) material.visible = Boolean(planes);
  material.needsUpdate = true;
}

// How a surface looks where its colour tells what it is, not a value. `look`: roughness, metalness, opacity from 0 to 1.
// What is clear bends and tints the light behind it (three.js, transmission); what is only thin lets it through.
const plainLook = { roughness: 0.9, metalness: 0, opacity: 1 };

function setLook(material, look) {
  const { roughness, metalness, opacity } = look ?? plainLook;
  material.roughness = roughness;
  material.userData.metalness = metalness;
  if (!(material instanceof MeshPhysicalMaterial)) return;
  const clear = opacity < 1;
  Object.assign(material, { transmission: clear ? 1 - opacity : 0, ior: 1.4 });
  material.thickness = clear ? material.userData.thickness : 0;
  material.attenuationDistance = clear ? material.userData.thickness / Math.max(opacity, 0.05) : Infinity;
  material.attenuationColor.copy(material.color);
}

// A metal shows what it mirrors. Without a studio about it, it would be black.
export function setMirroring(material, studio) {
  material.metalness = studio ? (material.userData.metalness ?? 0) : 0;
}

// `color` of the lit side, `cut` where it is cut, `beyond` where the material on the other side is; `field`: the lit
// side follows the field's colours; `paint`: the colours of the vertices count, in the cut too.
export function setSurfaceColor(material, { color, cut, beyond, field, look, paint = false }) {
  const { uniforms } = material.userData;
  material.color.set(color);
  setLook(material, look);
  uniforms.cutColor.value.set(cut);
  uniforms.beyondColor.value.set(beyond);
  uniforms.useField.value = field ? 1 : 0;
  uniforms.usePaint.value = paint ? 1 : 0;
  uniforms.edgeLight.value = field ? edgeLight.field : edgeLight.color;
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
  float fade = 1.0 - smoothstep(0.1, 1.0, length(place) / radius);
  float line = max(0.16 * lines(place / spacing), 0.34 * lines(place / (5.0 * spacing)));
  float alpha = fade * strength * max(line, 0.05);
  if (alpha < 0.003) discard;
  gl_FragColor = vec4(lineColor, alpha);
  #include <colorspace_fragment>
}`,
  });
}
