// What is shown can be told in the address: #step=40&color=von_mises&range=0:1e5&log=1&hide=floor&edges=over&clip=x:0.5
// &camera=px:py:pz:tx:ty:tz&tab=plots&theme=dark&play=1.
import { edgeModes } from './controls.js';

const numbers = (text) => text.split(':').map(Number);

function clipOf(text) {
  const [axis, at, side] = text.split(':');
  const place = Number(at ?? 0.5);
  if (!'xyz'.includes(axis) || axis.length !== 1 || !(place >= 0 && place <= 1)) return null;
  return { axis: 'xyz'.indexOf(axis), at: place, flip: side === 'flip' };
}

// The changes of the state that an address asks for; what it gets wrong is left out.
export function readLink(hash, run) {
  const wishes = new URLSearchParams(hash.replace(/^#/, ''));
  const state = {};
  const step = wishes.get('step');
  if (step !== null && Number.isFinite(Number(step))) state.frame = run.frameOfStep(Number(step));
  const color = wishes.get('color') ?? wishes.get('field');
  if (['body', 'material', ...run.header.fields.map((f) => f.name)].includes(color)) state.colorBy = color;
  if (wishes.get('range') === 'frame') state.rangeMode = 'frame';
  const range = numbers(wishes.get('range') ?? '');
  if (range.length === 2 && range[0] < range[1]) Object.assign(state, { rangeMode: 'custom', customRange: range });
  if (wishes.get('log') === '1') state.log = true;
  if (wishes.has('hide')) state.hidden = new Set(wishes.get('hide').split(',').filter(Boolean));
  if (edgeModes.includes(wishes.get('edges'))) state.edges = wishes.get('edges');
  if (wishes.get('flat') === '1') state.flat = true;
  if (wishes.has('clip')) state.clip = clipOf(wishes.get('clip'));
  if (['light', 'dark'].includes(wishes.get('theme'))) state.theme = wishes.get('theme');
  const speed = Number(wishes.get('speed'));
  if (speed > 0 && Number.isFinite(speed)) state.speed = speed;
  const camera = numbers(wishes.get('camera') ?? '');
  return {
    state,
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : null,
    tab: wishes.get('tab'),
    panel: wishes.get('panel') !== '0',
    play: wishes.get('play') === '1',
  };
}
