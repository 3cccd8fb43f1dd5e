// Colours of bodies and materials, and the maps of fields.
//
// The palette was searched in the Oklab space (B. Ottosson, 2020) for eight colours whose smallest difference is largest
// for usual eyes and for the three kinds of colour blindness (Machado, Oliveira, Fernandes 2009): 0.10 at least; of the
// usual ten-colour palettes it is 0.02 to 0.04 (tests/web/palette_test.py).
import { interpolateCividis, interpolateViridis } from 'd3-scale-chromatic';

const palette = ['#2d75c2', '#fb9131', '#1da7b2', '#f55470', '#edd489', '#99c8e6', '#6b3384', '#536b13'];
const shades = [1, 0.5, 1.5]; // of the palette's later rounds, in linear light

// The colour of the k-th of some kinds.
export function kindColor(k) {
  const round = Math.floor(k / palette.length) % shades.length;
  return scaled(palette[k % palette.length], shades[round]);
}
export const obstacleColor = '#9aa3ad';

const mapSize = 256;

const encode = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);
const decode = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

function linearOfOklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

// The colour in linear light of a place in Oklab, hue in degrees. Chroma is lowered until it can be shown.
export function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  for (;;) {
    const rgb = linearOfOklab(lightness, chroma * Math.cos(angle), chroma * Math.sin(angle));
    if (chroma < 0.01 || rgb.every((c) => c > -1e-4 && c < 1.0001)) return rgb.map((c) => Math.min(1, Math.max(0, c)));
    chroma -= 0.002;
  }
}

// The colours of K. Moreland (Diverging color maps for scientific visualization, 2009): from blue over a light grey to red
// in the space Msh, whose M is the length in CIELAB, s the angle to the grey axis and h the hue.
const coolEnds = [
  [80.06, 1.08, -1.1],
  [80.06, 1.08, 0.5],
];
const warmMiddle = [88, 0];

function coolwarm(t) {
  const [m, s, h] = t < 0.5 ? coolEnds[0] : coolEnds[1];
  const part = Math.abs(2 * t - 1); // 0: the middle
  const turned = h + (1 - part) * (t < 0.5 ? -1 : 1) * hueSpin(m, s);
  const [length, angle] = [warmMiddle[0] + part * (m - warmMiddle[0]), part * s];
  return bytesOfLab(length * Math.cos(angle), length * Math.sin(angle) * Math.cos(turned), length * Math.sin(angle) * Math.sin(turned));
}

// The hue turns towards the grey, since it would look turned otherwise.
const hueSpin = (m, s) => (s * Math.sqrt(warmMiddle[0] ** 2 - m ** 2)) / (m * Math.sin(s));

// sRGB bytes of CIELAB under D65.
function bytesOfLab(lightness, a, b) {
  const y = (lightness + 16) / 116;
  const whole = (f) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));
  const [X, Y, Z] = [0.95047 * whole(y + a / 500), whole(y), 1.08883 * whole(y - b / 200)];
  const rgb = [
    3.2404542 * X - 1.5371385 * Y - 0.4985314 * Z,
    -0.969266 * X + 1.8760108 * Y + 0.041556 * Z,
    0.0556434 * X - 0.2040259 * Y + 1.0572252 * Z,
  ];
  return rgb.map((c) => Math.round(255 * encode(Math.min(1, Math.max(0, c)))));
}

// "#rrggbb" and "rgb(r, g, b)" as bytes.
function bytesOf(color) {
  if (color[0] === '#') return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return color.match(/\d+/g).map(Number);
}

// From t in 0 to 1 to sRGB bytes. Lightness grows evenly, also for the colour-blind; that of coolwarm is largest in the
// middle.
const maps = {
  viridis: (t) => bytesOf(interpolateViridis(t)),
  cividis: (t) => bytesOf(interpolateCividis(t)),
  coolwarm,
};
export const mapNames = Object.keys(maps);

// mapSize RGBA colours in sRGB, 8 bits each.
export function colorMap(name) {
  const bytes = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) bytes.set([...maps[name](i / (mapSize - 1)), 255], 4 * i);
  return bytes;
}

export function colorMapGradient(name, direction) {
  const stops = Array.from({ length: 17 }, (_, i) => `rgb(${maps[name](i / 16).join(' ')})`);
  return `linear-gradient(${direction}, ${stops.join(', ')})`;
}

// Two hex colours mixed in linear light: `part` of the second.
export function mixed(first, second, part) {
  const [a, b] = [first, second].map(linear);
  return hex(a.map((c, k) => c + part * (b[k] - c)));
}

// A hex colour scaled in linear light.
export const scaled = (color, factor) => hex(linear(color).map((c) => c * factor));

export function linear(color) {
  return [1, 3, 5].map((at) => decode(parseInt(color.slice(at, at + 2), 16) / 255));
}

export function hex(parts) {
  const digits = (c) => Math.round(255 * encode(Math.min(1, c))).toString(16);
  return `#${parts.map((c) => digits(c).padStart(2, '0')).join('')}`;
}
