// Reduced coordinates on the GPU: weights of every drawn vertex lie in a texture, since a vertex has 16 attributes at
// most, the rows of the handles (lift.js) in another one, and the vertex shader adds them up. In all passes: shadows, the
// clip plane and mesh edges follow. Normals come from the derivative of the motion along two tangents; for these the
// derivatives of the weights lie in a texture too.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DataUtils,
  FloatType,
  HalfFloatType,
  MeshDepthMaterial,
  OrthographicCamera,
  Points,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  Vector3,
  WebGLRenderTarget,
} from 'three';

const textureWidth = 2048; // every WebGL 2 has it

function texture(values, type) {
  const height = Math.max(1, Math.ceil(values.length / 4 / textureWidth));
  const data = new values.constructor(4 * textureWidth * height);
  data.set(values);
  const made = new DataTexture(data, textureWidth, height, RGBAFormat, type);
  made.needsUpdate = true;
  return made;
}

export class LiftTextures {
  // lift: of a body; drawn: {index, source, normals} of its surface.
  constructor(lift, drawn) {
    this.lift = lift;
    const { source } = drawn;
    const { sets, width } = lift;
    const weights = new Float32Array(source.length * sets * width);
    for (let i = 0; i < source.length; ++i) {
      for (let s = 0; s < sets; ++s) {
        const of = lift.weights[s].subarray(source[i] * width, (source[i] + 1) * width);
        weights.set(of, (i * sets + s) * width);
      }
    }
    const slopes = lift.slopes(drawn);
    let steepest = 1e-30;
    for (let k = 0; k < slopes.length; ++k) steepest = Math.max(steepest, Math.abs(slopes[k]));
    const halves = new Uint16Array(slopes.length);
    for (let k = 0; k < slopes.length; ++k) halves[k] = DataUtils.toHalfFloat(slopes[k] / steepest);
    this.uniforms = {
      liftWeights: { value: texture(weights, FloatType) },
      liftSlopes: { value: texture(halves, HalfFloatType) },
      liftRows: { value: texture(lift.rows, FloatType) },
      liftSteepest: { value: steepest },
      liftSets: { value: sets },
      liftQuads: { value: lift.quads },
      liftAxes: { value: [0, 1, 2].map((s) => new Vector3(...lift.axes.map((set) => (set === s ? 1 : 0)))) },
    };
  }

  // After the lift has moved.
  update() {
    const rows = this.uniforms.liftRows.value;
    rows.image.data.set(this.lift.rows);
    rows.needsUpdate = true;
  }

  dispose() {
    for (const { value } of Object.values(this.uniforms)) value.isTexture && value.dispose();
  }
}

// Of a surface at rest, until it gets textures.
export function noLift() {
  const names = ['Weights', 'Slopes', 'Rows', 'Steepest', 'Sets', 'Quads', 'Axes'];
  return Object.fromEntries(names.map((name) => [`lift${name}`, { value: null }]));
}

const declarations = `
#ifdef LIFTED
uniform sampler2D liftWeights, liftSlopes, liftRows;
uniform float liftSteepest;
uniform int liftSets, liftQuads;
uniform vec3 liftAxes[3]; // which axes use the weights of a set
vec3 liftedPlace, liftedNormal;

vec4 liftTexel(sampler2D list, int at) {
  return texelFetch(list, ivec2(at % ${textureWidth}, at / ${textureWidth}), 0);
}

void lift() {
  vec3 n = normal;
  float turn = n.z >= 0.0 ? 1.0 : -1.0, a = -1.0 / (turn + n.z), b = n.x * n.y * a;
  vec3 t1 = vec3(1.0 + turn * n.x * n.x * a, turn * b, -turn * n.x), t2 = vec3(b, turn + n.y * n.y * a, -n.y);
  vec3 d1 = t1, d2 = t2;
  liftedPlace = position;
  for (int set = 0; set < liftSets; ++set) {
    int first = (gl_VertexID * liftSets + set) * liftQuads;
    vec3 moved = vec3(0.0), moved1 = vec3(0.0), moved2 = vec3(0.0);
    for (int quad = 0; quad < liftQuads; ++quad) {
      vec4 w = liftTexel(liftWeights, first + quad);
#ifdef LIFTED_NORMALS
      vec4 low = liftSteepest * liftTexel(liftSlopes, 2 * (first + quad));
      vec4 high = liftSteepest * liftTexel(liftSlopes, 2 * (first + quad) + 1);
      vec2 slopes[4] = vec2[4](low.xy, low.zw, high.xy, high.zw);
      if (w == vec4(0.0) && low == vec4(0.0) && high == vec4(0.0)) continue;
#else
      if (w == vec4(0.0)) continue;
#endif
      for (int k = 0; k < 4; ++k) {
        int row = 3 * (4 * quad + k);
        vec4 x = liftTexel(liftRows, row), y = liftTexel(liftRows, row + 1), z = liftTexel(liftRows, row + 2);
        vec4 at = vec4(position, 1.0);
        vec3 d = vec3(dot(x, at), dot(y, at), dot(z, at));
        moved += w[k] * d;
#ifdef LIFTED_NORMALS
        moved1 += w[k] * vec3(dot(x.xyz, t1), dot(y.xyz, t1), dot(z.xyz, t1)) + slopes[k].x * d;
        moved2 += w[k] * vec3(dot(x.xyz, t2), dot(y.xyz, t2), dot(z.xyz, t2)) + slopes[k].y * d;
#endif
      }
    }
    liftedPlace += liftAxes[set] * moved;
    d1 += liftAxes[set] * moved1;
    d2 += liftAxes[set] * moved2;
  }
  vec3 across = cross(d1, d2);
  liftedNormal = dot(across, across) > 0.0 && n != vec3(0.0) ? normalize(across) : n;
}
#endif`;

// Lets the vertex shader of a material of three.js follow; `normals`: it shades.
export function addLift(shader, normals) {
  let text = shader.vertexShader.replace('#include <common>', `#include <common>\n${declarations}`);
  const called = '#ifdef LIFTED\nlift();\n#endif\n';
  if (normals) {
    text = text.replace(
      '#include <beginnormal_vertex>',
      `${called}#include <beginnormal_vertex>\n#ifdef LIFTED\nobjectNormal = liftedNormal;\n#endif`,
    );
  }
  shader.vertexShader = text.replace(
    '#include <begin_vertex>',
    `${normals ? '' : called}#include <begin_vertex>\n#ifdef LIFTED\ntransformed = liftedPlace;\n#endif`,
  );
}

export function setLifted(material, lifted, normals = false) {
  material.defines ??= {};
  if ('LIFTED' in material.defines === lifted) return;
  for (const name of normals ? ['LIFTED', 'LIFTED_NORMALS'] : ['LIFTED']) {
    if (lifted) material.defines[name] = '';
    else delete material.defines[name];
  }
  material.needsUpdate = true;
}

// A material of three.js without normals of its own: lines, shadows.
export function liftable(material, uniforms) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    addLift(shader, false);
  };
  return material;
}

export function shadowMaterial(uniforms) {
  const material = liftable(new MeshDepthMaterial(), uniforms);
  setLifted(material, true);
  return material;
}

// What the GPU makes of the drawn vertices, read back: {places, normals}, three numbers each.
export function readLifted(renderer, textures, rest, normals) {
  const count = rest.count;
  const size = Math.ceil(Math.sqrt(count));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(rest.array, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals.array, 3));
  const material = new ShaderMaterial({
    defines: { LIFTED: '', LIFTED_NORMALS: '' },
    uniforms: { ...textures.uniforms, wanted: { value: 0 }, size: { value: size } },
    depthTest: false,
    vertexShader: `${declarations}
uniform int wanted, size;
varying vec3 value;
void main() {
  lift();
  value = wanted == 0 ? liftedPlace : liftedNormal;
  vec2 pixel = vec2(gl_VertexID % size, gl_VertexID / size) + 0.5;
  gl_Position = vec4(2.0 * pixel / float(size) - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}`,
    fragmentShader: 'varying vec3 value;\nvoid main() { gl_FragColor = vec4(value, 1.0); }',
  });
  const points = new Points(geometry, material);
  points.frustumCulled = false;
  const scene = new Scene().add(points);
  const target = new WebGLRenderTarget(size, size, { type: FloatType, depthBuffer: false });
  const before = renderer.shadowMap.enabled;
  renderer.shadowMap.enabled = false;
  const lists = [0, 1].map((wanted) => {
    material.uniforms.wanted.value = wanted;
    renderer.setRenderTarget(target);
    renderer.render(scene, new OrthographicCamera());
    const pixels = new Float32Array(4 * size * size);
    renderer.readRenderTargetPixels(target, 0, 0, size, size, pixels);
    return Float32Array.from({ length: 3 * count }, (_, k) => pixels[4 * Math.floor(k / 3) + (k % 3)]);
  });
  renderer.setRenderTarget(null);
  renderer.shadowMap.enabled = before;
  for (const made of [geometry, material, target]) made.dispose();
  return { places: lists[0], normals: lists[1] };
}
