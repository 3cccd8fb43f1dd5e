// Draws the scene as well as this machine can while it moves, and once more at its best when it rests.
//
// At its best a picture has ambient occlusion (J. Jimenez et al., Practical realtime strategies for accurate indirect
// occlusion, 2016; three.js, GTAOPass) and four samples a pixel. Where frames take too long, occlusion goes first, then
// pixels of dense screens.
import { DepthTexture, HalfFloatType, NeutralToneMapping, UnsignedIntType, Vector2, WebGLRenderTarget } from 'three';
import { GTAOPass } from 'three/addons/postprocessing/GTAOPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';

const samples = 4; // a pixel
const slowFrame = 24; // ms between frames: below 60 a second for sure
const frameCount = 24; // whose median counts
const restAfter = 180; // ms without a change
const slowStill = 700; // ms: a picture at its best that takes this long is not made by itself again

const levels = [
  { occlusion: false, mostRatio: 1 },
  { occlusion: false, mostRatio: 2 },
  { occlusion: true, mostRatio: 2 },
];
export const best = levels.length - 1;

// Whether the processor draws, which takes a hundred times as long.
function drawnBySoftware(renderer) {
  const gl = renderer.getContext();
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : '';
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

// GTAOPass draws its noise with Math.random: the picture would be another one each time.
function withSameNoise(make) {
  const { random } = Math;
  let state = 1;
  Math.random = () => (state = (16807 * state) % 2147483647) / 2147483647; // Park and Miller, 1988
  try {
    return make();
  } finally {
    Math.random = random;
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export class Picture {
  // `size` is the diagonal of what there is to see, `again` asks for a picture.
  constructor(renderer, scene, camera, size, again) {
    Object.assign(this, { renderer, scene, camera, size, again });
    renderer.toneMapping = NeutralToneMapping;
    this.software = drawnBySoftware(renderer);
    this.level = this.software ? 0 : best;
    this.stills = !this.software;
    this.drawnAt = -1;
    this.gaps = [];
  }

  makeTargets(width, height) {
    const pixels = { type: HalfFloatType };
    this.drawn = new WebGLRenderTarget(width, height, {
      ...pixels,
      samples,
      depthTexture: new DepthTexture(width, height, UnsignedIntType),
    });
    this.shaded = new WebGLRenderTarget(width, height, { ...pixels, depthBuffer: false });
    const depth = { depthTexture: this.drawn.depthTexture };
    this.occlusion = withSameNoise(() => new GTAOPass(this.scene, this.camera, width, height, depth));
    this.occlusion.updateGtaoMaterial({
      radius: 0.07 * this.size,
      distanceExponent: 1.5,
      thickness: 0.12 * this.size,
      scale: 1.1,
      samples: 12,
      distanceFallOff: 1,
      screenSpaceRadius: false,
    });
    this.occlusion.updatePdMaterial({ lumaPhi: 10, depthPhi: 2, normalPhi: 3, radius: 6, rings: 2, samples: 12 });
    this.output = new OutputPass();
    this.output.renderToScreen = true;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.setLevel(this.level, true);
  }

  setLevel(level, anew = false) {
    const ratio = this.exact?.ratio ?? Math.min(window.devicePixelRatio, levels[level].mostRatio);
    if (!anew && ratio === this.renderer.getPixelRatio()) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, !this.exact);
    const { x, y } = this.renderer.getDrawingBufferSize(new Vector2());
    this.drawn?.setSize(x, y);
    this.shaded?.setSize(x, y);
    this.occlusion?.setSize(x, y);
  }

  draw(level) {
    this.setLevel(level);
    const { renderer, scene, camera } = this;
    if (!levels[level].occlusion) {
      renderer.setRenderTarget(null);
      renderer.render(scene, camera);
      return;
    }
    if (!this.drawn) {
      const { x, y } = renderer.getDrawingBufferSize(new Vector2());
      this.makeTargets(x, y);
    }
    renderer.setRenderTarget(this.drawn);
    renderer.render(scene, camera);
    this.occlusion.render(renderer, this.shaded, this.drawn);
    this.output.render(renderer, null, this.shaded);
    renderer.setRenderTarget(null);
  }

  // `name`: best, or fast; what `auto` says, measurements do.
  setQuality(name) {
    this.fixed = { fast: 0, best }[name];
    this.again();
  }

  // A picture of a movement. What it takes is known from the time to the next one.
  moving() {
    const now = performance.now();
    const gap = now - this.drawnAt;
    this.drawnAt = now;
    if (gap < 400) this.gaps.push(gap);
    if (this.gaps.length >= frameCount) {
      if (median(this.gaps) > slowFrame && this.level > 0) this.level -= 1;
      this.gaps = [];
    }
    this.draw(this.fixed ?? this.level);
    clearTimeout(this.rest);
    if (this.fixed === undefined && this.level < best && this.stills) this.rest = setTimeout(() => this.still(), restAfter);
  }

  // The picture of what rests, at its best.
  still() {
    clearTimeout(this.rest);
    const start = performance.now();
    this.draw(this.fixed ?? best);
    this.renderer.getContext().finish();
    this.stills = performance.now() - start < slowStill;
    this.drawnAt = -1e9;
  }
}
