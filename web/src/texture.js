// Textures of materials: images at texture coordinates, or projected along the axes of the scene onto surfaces at rest,
// so that they stay on a body as it deforms. As BoxProjection (src/sinew/render/box_projection.h) has them.
import { Box3, BufferAttribute, RepeatWrapping, SRGBColorSpace, Texture, Vector3 } from 'three';

// From data URIs. null where the browser cannot decode one.
export function loadTextures(images = []) {
  return Promise.all(
    images.map(async (uri) => {
      const image = new Image();
      image.src = uri;
      try {
        await image.decode();
      } catch {
        return null;
      }
      const texture = new Texture(image);
      texture.colorSpace = SRGBColorSpace;
      texture.wrapS = texture.wrapT = RepeatWrapping;
      texture.anisotropy = 8;
      texture.needsUpdate = true;
      return texture;
    }),
  );
}

// Turns the axis that is nearest to upwards to +y.
function upright(gravity) {
  const sizes = gravity.map(Math.abs);
  const axis = sizes.some((size) => size > 0) ? sizes.indexOf(Math.max(...sizes)) : 1;
  const sign = gravity[axis] > 0 ? -1 : 1;
  if (axis === 0) return ([x, y, z]) => [-sign * y, sign * x, z];
  if (axis === 2) return ([x, y, z]) => [x, sign * z, -sign * y];
  return ([x, y, z]) => [x, sign * y, sign * z];
}

// Lets a surface that is at rest show the textures of its materials. `looks`: one a group, `shape`: as in Surface.
export function addTextures(surface, shape, looks, textures, gravity) {
  const textureOf = (look) => (look?.texture ? textures[look.texture.image] : null);
  if (!looks.some(textureOf)) return;
  const box = new Box3().setFromArray(shape.positions);
  const center = box.getCenter(new Vector3()).toArray();
  const size = Math.max(...box.getSize(new Vector3()).toArray()) || 1;
  addPlaces(surface, shape, center, upright(gravity));
  surface.mesh.material.forEach((material, g) => {
    const map = textureOf(looks[g]);
    if (map) addTexture(material, map, looks[g].texture.width || size, Boolean(shape.coordinates));
  });
}

function addPlaces(surface, shape, center, turn) {
  const { source, normals, mesh, kinds } = surface;
  const places = new Float32Array(3 * source.length);
  const fronts = new Float32Array(3 * source.length);
  const coordinates = new Float32Array(2 * source.length);
  source.forEach((vertex, i) => {
    places.set(turn(center.map((c, a) => shape.positions[3 * vertex + a] - c)), 3 * i);
    fronts.set(turn([...normals.array.subarray(3 * i, 3 * i + 3)]), 3 * i);
    if (shape.coordinates) coordinates.set(shape.coordinates.subarray(3 * kinds[i], 3 * kinds[i] + 2), 2 * i);
  });
  mesh.geometry.setAttribute('restPlace', new BufferAttribute(places, 3));
  mesh.geometry.setAttribute('restFront', new BufferAttribute(fronts, 3));
  mesh.geometry.setAttribute('imagePlace', new BufferAttribute(coordinates, 2));
}

function addTexture(material, map, width, byCoordinates) {
  const uniforms = { imageMap: { value: map }, imageWidth: { value: width }, showImage: { value: 0 } };
  material.userData.showImage = uniforms.showImage;
  material.defines.TEXTURED = byCoordinates ? 1 : 2;
  const compile = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    compile(shader, renderer);
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${vertexDeclarations}`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${vertexValues}`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${declarations}`)
      .replace('#include <color_fragment>', `#include <color_fragment>\n${factor}`);
  };
}

// Textures show where colours tell materials.
export function showTexture(material, shown) {
  if (material.userData.showImage) material.userData.showImage.value = shown ? 1 : 0;
}

const vertexDeclarations = `
attribute vec3 restPlace, restFront;
attribute vec2 imagePlace;
varying vec3 vRestPlace, vRestFront;
varying vec2 vImagePlace;`;

const vertexValues = `
vRestPlace = restPlace;
vRestFront = restFront;
vImagePlace = imagePlace;`;

// Blended where the surface turns from one side of the box to the next.
const declarations = `
varying vec3 vRestPlace, vRestFront;
varying vec2 vImagePlace;
uniform sampler2D imageMap;
uniform float imageWidth, showImage;
vec3 textureFactor() {
#if TEXTURED == 1
  return texture2D(imageMap, vImagePlace).rgb;
#else
  vec3 p = vRestPlace / imageWidth, n = normalize(vRestFront), w = n * n;
  vec3 s = vec3(n.x < 0.0 ? -1.0 : 1.0, n.y < 0.0 ? -1.0 : 1.0, n.z < 0.0 ? -1.0 : 1.0);
  w *= w;
  w *= w;
  return (w.x * texture2D(imageMap, 0.5 + vec2(-s.x * p.z, p.y)).rgb +
          w.y * texture2D(imageMap, 0.5 + vec2(p.x, -s.y * p.z)).rgb +
          w.z * texture2D(imageMap, 0.5 + vec2(s.z * p.x, p.y)).rgb) / (w.x + w.y + w.z);
#endif
}`;

const factor = `
if (showImage > 0.5) diffuseColor.rgb *= textureFactor();`;
