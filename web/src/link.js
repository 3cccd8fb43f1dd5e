// What is shown can be told in the address: #step=40&color=von_mises&range=0:1e5&log=1&hide=floor&edges=over&clip=x:0.5
// &view=30:20:1.5&fit=ball&tab=plots&theme=dark&play=1. docs/report.md lists the keys.
import { mapNames } from './colors.js';
import { edgeModes } from './controls.js';

const numbers = (text) => text.split(':').map(Number);
const finite = (list) => list.every(Number.isFinite);

function clipOf(text) {
  const [axis, at, side, ...more] = text.split(':');
  const place = Number(at ?? 0.5);
  if (axis.length !== 1 || !'xyz'.includes(axis) || !(place >= 0 && place <= 1) || more.length > 0) return undefined;
  if (side !== undefined && side !== 'flip') return undefined;
  return { axis: 'xyz'.indexOf(axis), at: place, flip: side === 'flip' };
}

function rangeOf(text, run) {
  const modes = run.live ? ['run', 'frame'] : ['usual', ...(run.usualByMaterial?.length > 0 ? ['material'] : []), 'run', 'frame'];
  if (modes.includes(text)) return { rangeMode: text };
  const range = numbers(text);
  return range.length === 2 && range[0] < range[1] ? { rangeMode: 'custom', customRange: range } : undefined;
}

// AZIMUTH:ELEVATION[:ZOOM]
function viewOf(text) {
  const list = numbers(text);
  const good = finite(list) && (list.length === 2 || (list.length === 3 && list[2] > 0)) && Math.abs(list[1]) < 90;
  return good ? { view: list } : undefined;
}

const oneOf = (list, value) => (list.includes(value) ? value : undefined);
const flag = (text) => ({ 0: false, 1: true })[text];

function subspaceKeys({ handles, points }, state, listOf) {
  return {
    handle: (text) => {
      const number = Number(text);
      const good = Number.isInteger(number) && number >= 1 && number <= handles;
      return good ? { state: { handle: number - 1, colorBy: 'basis' } } : undefined;
    },
    dots: (text) => {
      const list = listOf(text, points > 0 ? ['handles', 'cubature'] : ['handles']);
      return state('dots', list && new Set(list));
    },
  };
}

function modesKeys({ count }, state) {
  const between = (key, text, low, high, unit = 1) => {
    const number = text.trim() === '' ? NaN : Number(text);
    return state(key, number >= low && number <= high ? number / unit : undefined);
  };
  return {
    mode: (text) => {
      const number = Number(text);
      const good = Number.isInteger(number) && number >= 1 && number <= count;
      return state('frame', good ? number - 1 : undefined);
    },
    amplitude: (text) => between('amplitude', text, 0, 100, 100),
    period: (text) => between('period', text, 0.05, 60),
    phase: (text) => between('phase', text, 0, 1),
  };
}

const ofRuns = ['step', 'speed', 'range', 'log', 'map', 'follow']; // keys that a page of modes has no use for

// For each key what it asks for, or undefined where its value makes no sense.
function keysOf(run) {
  const colors = run.colors.map(([name]) => name);
  const objects = run.header.objects.map((o) => o.name);
  const names = [...objects, ...run.header.planes.map((p) => p.name)];
  const listOf = (text, among) => {
    const list = text.split(',').filter(Boolean);
    return list.every((name) => among.includes(name)) ? list : undefined;
  };
  const state = (key, value) => (value === undefined ? undefined : { state: { [key]: value } });
  const own = (key, value) => (value === undefined ? undefined : { [key]: value });
  const color = (text) => state('colorBy', oneOf(colors, text));
  const keys = {
    step: (text) => {
      const step = text === 'last' ? run.lastStep : text.trim() === '' ? NaN : Number(text);
      return state('frame', Number.isFinite(step) ? run.frameOfStep(step) : undefined);
    },
    color,
    field: color,
    range: (text) => own('state', rangeOf(text, run)),
    log: (text) => state('log', flag(text)),
    map: (text) => state('map', oneOf(mapNames, text)),
    hide: (text) => {
      const list = listOf(text, names);
      return state('hidden', list && new Set(list));
    },
    edges: (text) => state('edges', oneOf(edgeModes, text)),
    flat: (text) => state('flat', flag(text)),
    clip: (text) => state('clip', clipOf(text)),
    ...(run.subspace ? subspaceKeys(run.subspace, state, listOf) : {}),
    ...(run.modes ? modesKeys(run.modes, state) : {}),
    quality: (text) => own('quality', oneOf(['auto', 'fast', 'best'], text)),
    theme: (text) => state('theme', oneOf(['light', 'dark'], text)),
    speed: (text) => state('speed', Number(text) > 0 && Number.isFinite(Number(text)) ? Number(text) : undefined),
    camera: (text) => {
      const list = numbers(text);
      return own('camera', list.length === 6 && finite(list) ? list : undefined);
    },
    view: viewOf,
    fit: (text) => own('fit', oneOf(['run', 'frame'], text) ?? listOf(text, objects)?.join(',')),
    tab: (text) => own('tab', oneOf(run.tabs, text)),
    panel: (text) => own('panel', flag(text)),
    bare: (text) => own('bare', flag(text)),
    legend: (text) => own('legend', flag(text)),
    play: (text) => own('play', flag(text)),
    follow: (text) => state('follow', flag(text)),
  };
  if (run.subspace) delete keys.follow;
  if (run.modes) for (const key of ofRuns) delete keys[key];
  return keys;
}

// The changes of the state that an address asks for. What it gets wrong is left out and listed in `ignored`.
export function readLink(hash, run) {
  const keys = keysOf(run);
  const link = { state: {}, panel: true, bare: false, legend: true, play: undefined, ignored: [], keys: Object.keys(keys) };
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const wish = Object.hasOwn(keys, key) ? keys[key](text) : undefined;
    if (!wish) link.ignored.push(`${key}=${text}`);
    else Object.assign(link, wish, { state: { ...link.state, ...wish.state } });
  }
  return link;
}

// What to tell about `ignored`, or nothing.
export function ignoredText({ ignored, keys }) {
  if (ignored.length === 0) return '';
  const mostListed = 8;
  const mostLetters = 40;
  const short = (text) => (text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text);
  const more = ignored.length > mostListed ? ` and ${ignored.length - mostListed} more` : '';
  const list = ignored.slice(0, mostListed).map(short).join(', ');
  return `The address has keys or values that this page does not know: ${list}${more}. Known keys: ${keys.join(', ')}.`;
}
