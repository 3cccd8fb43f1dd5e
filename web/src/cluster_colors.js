// Colours of clusters: from a fixed palette, so that those that share a face differ clearly.
import { hex, oklch } from './colors.js';

// Hues on three levels of lightness, shifted against each other.
const levels = [
  { lightness: 0.7, hue: 20 },
  { lightness: 0.56, hue: 42 },
  { lightness: 0.84, hue: 0 },
];
const hues = 8;
const palette = levels.flatMap(({ lightness, hue }) =>
  Array.from({ length: hues }, (_, k) => {
    // Golden steps: clusters that follow one another get far hues.
    const angle = hue + (360 * ((k * 3) % hues)) / hues;
    const radians = (angle * Math.PI) / 180;
    const chroma = 0.13;
    return {
      color: hex(oklch(lightness, chroma, angle)),
      place: [lightness, chroma * Math.cos(radians), chroma * Math.sin(radians)],
    };
  }),
);
const clear = 0.14; // distance in Oklab from which two colours are told apart at a glance

const distance = (a, b) => Math.hypot(...a.place.map((c, k) => c - b.place[k]));

// `own` and `beyond`: the clusters on the two sides of faces, -1 for none.
export function distinctColors(clusters, own, beyond) {
  const neighbours = Array.from({ length: clusters }, () => new Set());
  own.forEach((cluster, t) => {
    if (beyond[t] < 0 || beyond[t] === cluster) return;
    neighbours[cluster].add(beyond[t]);
    neighbours[beyond[t]].add(cluster);
  });
  const used = palette.map(() => 0);
  const chosen = new Array(clusters).fill(-1);
  for (let cluster = 0; cluster < clusters; ++cluster) {
    const taken = [...neighbours[cluster]].map((n) => chosen[n]).filter((k) => k >= 0);
    // The least used of those that are clear of the neighbours; where there is none, the clearest.
    let best = 0;
    let bestScore = -Infinity;
    palette.forEach((candidate, k) => {
      const gap = Math.min(clear, ...taken.map((other) => distance(candidate, palette[other])));
      const score = gap >= clear ? 1 / (1 + used[k]) : gap - clear;
      if (score <= bestScore) return;
      best = k;
      bestScore = score;
    });
    chosen[cluster] = best;
    ++used[best];
  }
  return chosen.map((k) => palette[k].color);
}
