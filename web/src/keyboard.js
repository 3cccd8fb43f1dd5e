// Keys. Those that a focused control uses itself are left to it.
import { byId, element } from './dom.js';

const typing = (target) => target.matches('select, input[type="text"], pre') || target.isContentEditable;
const pressable = (target) => target.matches('button, input[type="checkbox"], input[type="radio"]');

const ownSliders = ['clip-at', 'amplitude', 'period']; // their arrows move them

// Keys of the clock, as [keys, labels, words, action].
function timeKeys(run, player, store, video) {
  const by = (frames) => () => player.goto(store.state.frame + frames);
  const speed = (direction) => () => {
    const list = player.speeds();
    const at = list.indexOf(store.state.speed) + direction;
    if (list[at]) store.set({ speed: list[at] });
  };
  const keys = [
    [[' '], 'Space', 'play, pause', () => player.toggle()],
    [['ArrowLeft', 'ArrowRight'], ['←', '→'], 'previous, next frame', null],
    [['PageUp', 'PageDown'], ['PgUp', 'PgDn'], 'ten frames back, forward', null],
    [['Home', 'End'], ['Home', 'End'], 'first, last frame', null],
    [['[', ']'], ['[', ']'], 'slower, faster', null],
    [['l'], 'L', 'loop', () => store.set({ loop: !store.state.loop })],
    ...(run.sound ? [[['s'], 'S', 'sound on, off', () => store.set({ sound: !store.state.sound })]] : []),
    ...(video ? [[['e'], 'E', 'save a video', video]] : []),
    [['v'], 'V', 'camera follows the moving body', () => store.set({ follow: !store.state.follow })],
    [[], ['0', '1', '…'], 'colour by body, by the first field, …', null],
    [['m'], 'M', 'colour by material', () => store.set({ colorBy: 'material' })],
    [['g'], 'G', 'logarithmic colours', () => store.set({ log: !store.state.log })],
  ];
  const table = {
    ArrowLeft: by(-1),
    ArrowRight: by(1),
    PageUp: by(-10),
    PageDown: by(10),
    Home: () => player.goto(0),
    End: () => player.goto(run.frameCount - 1),
    '[': speed(-1),
    ']': speed(1),
  };
  return { keys, table, digits: ['body', ...run.header.fields.map((f) => f.name)] };
}

// Of a live simulation: the clock is the server's.
function liveKeys(run, live, store, pins) {
  const keys = [
    [[' '], 'Space', 'pause, continue', () => live.toggle()],
    [['.'], '.', 'one step', () => live.step()],
    [['Backspace'], 'Backspace', 'back to the start', () => live.reset()],
    [['o'], 'O', 'record, stop recording', () => live.toggleRecord()],
    [[], ['Drag a body'], 'pull it; Shift-drag to orbit', null],
    [['n'], 'N', 'pin or unpin what is under the pointer; also a right click or a long press', () => pins?.toggle()],
    [['v'], 'V', 'camera follows the moving body', () => store.set({ follow: !store.state.follow })],
    [[], ['0', '1', '…'], 'colour by body, by the first field, …', null],
    [['m'], 'M', 'colour by material', () => store.set({ colorBy: 'material' })],
    [['g'], 'G', 'logarithmic colours', () => store.set({ log: !store.state.log })],
  ];
  return { keys, table: {}, free: true, digits: ['body', ...run.header.fields.map((f) => f.name)] };
}

function subspaceKeys(run, functions) {
  const keys = [
    [['ArrowLeft', 'ArrowRight'], ['←', '→'], 'previous, next function', null],
    [['PageUp', 'PageDown'], ['PgUp', 'PgDn'], 'ten functions back, forward', null],
    [['Home', 'End'], ['Home', 'End'], 'first, last function', null],
    [[], run.colors.map((_, k) => String(k + 1)), `colour by ${run.colors.map(([, text]) => text).join(', ')}`, null],
    [['h'], 'H', 'show handle centres', () => functions.toggle('handles')],
    [['q'], 'Q', 'show cubature points', () => functions.toggle('cubature')],
  ];
  const table = {
    ArrowLeft: () => functions.step(-1),
    ArrowRight: () => functions.step(1),
    PageUp: () => functions.step(-10),
    PageDown: () => functions.step(10),
    Home: () => functions.choose(0),
    End: () => functions.choose(Infinity),
  };
  return { keys, table, digits: [undefined, ...run.colors.map(([name]) => name)] };
}

function modesKeys(run, player, store, modes) {
  const keys = [
    [[' '], 'Space', 'play, pause', () => player.toggle()],
    [['ArrowLeft', 'ArrowRight'], ['←', '→'], 'previous, next mode; also ↑ and ↓', null],
    [['PageUp', 'PageDown'], ['PgUp', 'PgDn'], 'ten modes back, forward', null],
    [['Home', 'End'], ['Home', 'End'], 'first, last mode', null],
    [['[', ']'], ['[', ']'], 'slower, faster', null],
    [[], ['0', '1'], 'colour by body, by displacement', null],
    [['m'], 'M', 'colour by material', () => store.set({ colorBy: 'material' })],
  ];
  const table = {
    ArrowLeft: () => modes.step(-1),
    ArrowRight: () => modes.step(1),
    ArrowUp: () => modes.step(-1),
    ArrowDown: () => modes.step(1),
    PageUp: () => modes.step(-10),
    PageDown: () => modes.step(10),
    Home: () => modes.choose(0),
    End: () => modes.choose(run.frameCount - 1),
    '[': () => player.stepPeriod(1),
    ']': () => player.stepPeriod(-1),
  };
  return { keys, table, digits: ['body', ...run.header.fields.map((f) => f.name)] };
}

// `functions`: the controls of a subspace or of modes, or null.
export function makeKeyboard({ run, player, store, stage, controls, functions, actions, pins }) {
  const ownKeys = {
    live: () => liveKeys(run, run.live, store, pins),
    subspace: () => subspaceKeys(run, functions),
    modes: () => modesKeys(run, player, store, functions),
  };
  const own = (ownKeys[run.kind] ?? (() => timeKeys(run, player, store, actions.video)))();
  const turn = 0.06;
  const keys = [
    ...own.keys,
    [['f'], 'F', 'fit view', actions.frame],
    [['r'], 'R', 'reset view', actions.reset],
    [['w'], 'W', 'mesh edges: none, on the surface, only', () => controls.nextEdges()],
    [['c'], 'C', 'clip plane', () => controls.toggleClip()],
    [[], own.free ? ['←', '→', '↑', '↓'] : ['Shift + arrows'], 'turn the view', null],
    [['+', '-'], ['+', '−'], 'zoom in, out', null],
    [['p'], 'P', 'save a picture', actions.picture],
    [['d'], 'D', 'show or hide the panel', actions.panel],
    [['t'], 'T', 'switch between light and dark', actions.theme],
    [['?'], '?', 'show these keys', actions.help],
  ];
  const table = {
    ...own.table,
    '+': () => stage?.rig.zoom(0.85),
    '=': () => stage?.rig.zoom(0.85),
    '-': () => stage?.rig.zoom(1 / 0.85),
  };
  for (const [names, , , action] of keys) {
    if (action) for (const name of names) table[name] = action;
  }
  const shifted = {
    ArrowLeft: () => stage?.rig.orbit(-turn, 0),
    ArrowRight: () => stage?.rig.orbit(turn, 0),
    ArrowUp: () => stage?.rig.orbit(0, -turn),
    ArrowDown: () => stage?.rig.orbit(0, turn),
  };
  byId('keys').append(
    ...keys.flatMap(([, label, text]) => [
      element('dt', {}, ...[label].flat().map((key) => element('kbd', {}, key))),
      element('dd', {}, text),
    ]),
  );

  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') || typing(target)) return;
    if (pressable(target) && [' ', 'Enter'].includes(key)) return;
    if (target.matches('input[type="radio"]') && key.startsWith('Arrow')) return;
    if (own.free && target.matches('input, [role="tab"], .handle') && key.startsWith('Arrow')) return;
    if (ownSliders.includes(target.id) && /^(Arrow|Page|Home|End)/.test(key)) return;
    const scrolls = target.closest('.page') && !target.matches('[role="listbox"]') && /^(Page|Home|End)/.test(key);
    const action = ((event.shiftKey || own.free) && shifted[key]) || table[key.length === 1 ? key.toLowerCase() : key];
    if (action && !scrolls) {
      event.preventDefault();
      action();
    } else if (/^[0-9]$/.test(key) && own.digits[Number(key)]) {
      store.set({ colorBy: own.digits[Number(key)] });
    }
  });
}
