// What tests and scripts can ask of a live page, besides what every page has.
import { readLifted } from './lift_gpu.js';

export function liveApi(run, stage, pulls) {
  const { live } = run;
  const local = (place) => place.map((c, a) => c - run.origin[a]);
  const absolute = (points) => Array.from(points, (c, k) => c + run.origin[k % 3]);
  const onPage = (place) => {
    const { x, y } = stage.pixelOf(place);
    const rect = stage.canvas.getBoundingClientRect();
    return [rect.left + x, rect.top + y];
  };
  // Of the drawn vertices, from the GPU where it moves them.
  const drawn = (surface) =>
    surface.textures
      ? readLifted(stage.renderer, surface.textures, surface.positions, surface.normals)
      : { places: surface.positions.array, normals: surface.normals.array };
  return {
    play: () => live.pause(false),
    pause: () => live.pause(true),
    live: () => live.status(),
    socket: () => live.socket,
    send: (message) => live.send(message),
    curves: () => live.curves.status(),
    curvePlace: (point) => live.curves.placeOf(point),
    canvas: () => stage.canvas,
    pull: (object, vertex, target) => pulls.hold(`api ${object} ${vertex}`, object, vertex, local(target)).id,
    release: () => pulls.release(),
    place: (object, vertex) => absolute(stage.surfaces[object].pointOf(vertex)),
    places: (object) => absolute(stage.surfaces[object].points),
    skinned: (object) => {
      const surface = stage.surfaces[object];
      const { places } = drawn(surface);
      const points = new Array(3 * surface.facts.vertices).fill(0);
      surface.source.forEach((vertex, i) => {
        for (let a = 0; a < 3; ++a) points[3 * vertex + a] = places[3 * i + a] + run.origin[a];
      });
      return points;
    },
    // Of the drawn vertices of the outside, with their triangles.
    skinnedNormals: (object) => {
      const surface = stage.surfaces[object];
      return { normals: [...drawn(surface).normals], source: [...surface.source], index: [...surface.index] };
    },
    reduced: (object) => Boolean(stage.surfaces[object].lift),
    surface: (object) => stage.surfaces[object],
    // On the page, in pixels.
    onPage: (object, vertex) => onPage(stage.surfaces[object].pointOf(vertex)),
    pixelOf: (place) => onPage(local(place)),
    pulls: () =>
      stage.pulls.list.map(({ object, vertex, target, own, pin, seen }) => ({
        object,
        vertex,
        target: absolute(target),
        own: Boolean(own),
        pin: Boolean(pin),
        seen: Boolean(seen),
      })),
  };
}
