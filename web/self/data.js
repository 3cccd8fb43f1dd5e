// The data of the page: a header, the packed model, and the picture (src/sinew/io/web_page.cpp).
import { inflate } from '../src/blobs.js';

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export async function loadData() {
  const [facts, model] = read('self-data');
  const [, picture] = read('self-picture');
  const bytes = new Uint8Array(await inflate(picture)).slice();
  let at = 0;
  const take = (type, count) => {
    const list = new type(bytes.buffer, at, count);
    at += list.byteLength;
    return list;
  };
  const objects = facts.objects.map((object) => ({
    positions: take(Float32Array, 3 * object.vertices),
    triangles: new Uint32Array(take(Int32Array, 3 * object.triangles)),
  }));
  const handles = facts.handles + facts.prescribed;
  // As decodeWeights() of a live page, for each body: weights vertex by vertex.
  const weights = facts.objects.map(() => null);
  facts.sets.forEach(({ centers, units }) => {
    facts.objects.forEach(({ kind, vertices }, k) => {
      if (kind !== 'body') return;
      const list = new Float32Array(vertices * handles);
      for (let h = 0; h < handles; ++h) {
        const levels = take(Int16Array, vertices);
        for (let v = 0; v < vertices; ++v) list[v * handles + h] = units[k][h] * levels[v];
      }
      weights[k] ??= { handles, axes: facts.axes, rest: objects[k].positions, origin: [0, 0, 0], sets: [] };
      weights[k].sets.push({
        weights: list,
        centers: Float64Array.from(centers, (c, i) => (i % 4 < 3 ? c - facts.origin[i % 4] : c)),
      });
    });
  });
  return { facts, model: new Uint8Array(await inflate(model)), objects, weights };
}

export async function loadModule() {
  const bytes = await inflate(document.getElementById('self-solver').textContent.trim());
  return WebAssembly.compile(bytes);
}
