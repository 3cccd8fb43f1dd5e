// The light of the picture: a studio that surfaces mirror, a key light with a soft shadow, and the background.
import {
  BackSide,
  BoxGeometry,
  Color,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
} from 'three';

// Lamps of the studio: place and size in a room of unit half width, radiance. The soft box above gives most light; a
// strip to the left and a broad dim one to the right draw outlines of round and of shiny things.
const lamps = [
  { at: [0, 0.98, 0.1], size: [1.3, 1.3], light: 5.2 },
  { at: [-0.98, 0.25, 0.35], size: [0.8, 1.2], light: 5 },
  { at: [0.98, 0.1, 0.1], size: [1.3, 0.9], light: 2.1 },
  { at: [0.1, 0.35, 0.98], size: [1, 0.5], light: 1.6 },
];
const walls = { top: '#c9d0d8', side: '#959ca6', floor: '#8d8a86' };

// What surfaces mirror, blurred for every roughness (three.js, PMREMGenerator). y is up.
export function studioLight(renderer) {
  const room = new Scene();
  const box = new BoxGeometry(2, 2, 2);
  const wall = (color) => new MeshBasicMaterial({ color, side: BackSide });
  const sides = [walls.side, walls.side, walls.top, walls.floor, walls.side, walls.side].map(wall);
  room.add(new Mesh(box, sides));
  for (const { at, size, light } of lamps) {
    const lamp = new Mesh(new PlaneGeometry(...size), new MeshBasicMaterial({ color: new Color().setScalar(light) }));
    lamp.position.set(...at);
    lamp.lookAt(0, 0, 0);
    room.add(lamp);
  }
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(room, 0.03, 0.01, 4, { size: 64 });
  generator.dispose();
  room.traverse((node) => node.geometry?.dispose());
  return texture;
}

const backgrounds = {
  light: { middle: '#fbfaf8', border: '#d9dde3' },
  dark: { middle: '#39414d', border: '#15181d' },
};

// Bright in the middle, darker towards the corners, behind everything.
export class Background {
  constructor() {
    this.material = new ShaderMaterial({
      depthTest: false,
      depthWrite: false,
      uniforms: { middle: { value: new Color() }, border: { value: new Color() }, aspect: { value: 1 } },
      vertexShader: `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`,
      fragmentShader: `
varying vec2 place;
uniform vec3 middle, border;
uniform float aspect;
void main() {
  vec2 at = (place - vec2(0.0, 0.12)) * vec2(min(aspect, 1.6) / 1.6, 1.0);
  float t = smoothstep(0.1, 1.35, length(at));
  // A step of a byte is seen as a ring: noise of its size hides it.
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  gl_FragColor = vec4(mix(middle, border, t) + noise / 255.0, 1.0);
  #include <colorspace_fragment>
}`,
    });
    this.mesh = new Mesh(new PlaneGeometry(2, 2), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  setTheme(dark) {
    const { middle, border } = backgrounds[dark ? 'dark' : 'light'];
    this.material.uniforms.middle.value.set(middle);
    this.material.uniforms.border.value.set(border);
  }
}
