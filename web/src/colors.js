// Colours: a palette for bodies and materials, and a colour map whose lightness grows evenly from dark violet over teal
// to yellow, made in the Oklab space (B. Ottosson, 2020), so that equal differences of a value look equal.

const palette = [
  '#4f86d9',
  '#e08a3e',
  '#4fa863',
  '#cf5c93',
  '#8a72cf',
  '#d9bd3c',
  '#3fb0b5',
  '#c94f42',
  '#97683f',
  '#8bbf4a',
];
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

const colorAt = (t) => oklch(0.39 + 0.53 * t, 0.12 + 0.06 * t, 310 - 205 * t);

// mapSize RGBA colours in sRGB, 8 bits each.
export function colorMap() {
  const bytes = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) {
    const rgb = colorAt(i / (mapSize - 1));
    for (let k = 0; k < 3; ++k) bytes[4 * i + k] = Math.round(255 * encode(rgb[k]));
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}

export function colorMapGradient(direction) {
  const bytes = colorMap();
  const stops = [];
  for (let i = 0; i <= 16; ++i) {
    const at = 4 * Math.round((i / 16) * (mapSize - 1));
    stops.push(`rgb(${bytes[at]} ${bytes[at + 1]} ${bytes[at + 2]})`);
  }
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
