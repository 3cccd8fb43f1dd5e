// Starts the page: loads the run, makes its parts and ties them to the store.
import { Controls } from './controls.js';
import { byId, element } from './dom.js';
import { Follow } from './follow.js';
import { makeKeyboard } from './keyboard.js';
import { liveApi } from './live_api.js';
import { LivePage } from './live_page.js';
import { LivePlots } from './live_plots.js';
import { Legend } from './legend.js';
import { ignoredText, readLink } from './link.js';
import { modeProbeRows, ModesControls, modesBadges, modesSummary } from './modes_page.js';
import { badges, scenePage, summaryPage, warningsPage } from './pages.js';
import { Pins } from './pins.js';
import { Player } from './player.js';
import { Plots } from './plots.js';
import { Pulls } from './pulls.js';
import { Run } from './run.js';
import { Sound } from './sound.js';
import { Stage } from './stage.js';
import { showFits } from './stress_plot.js';
import { initialState, Store } from './store.js';
import { probeRows, SubspaceControls, subspaceBadges, subspaceSummary } from './subspace_page.js';
import { makeDrawer, makeTabs } from './tabs.js';
import { Swing, SwingPlaces } from './swing.js';
import { Timeline } from './timeline.js';
import { quantity, words } from './units.js';
import { VideoDialog, VideoMaker } from './video.js';

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

function notice(text, middle = false) {
  const box = byId('notice');
  box.textContent = text ?? '';
  box.classList.toggle('middle', middle);
  box.hidden = text === null;
}

function makeStage(run) {
  try {
    return new Stage(byId('view'), run);
  } catch {
    notice(
      'This browser has no WebGL 2, so the 3D view is missing; plots, summary and warnings are complete.',
      true,
    );
    return null;
  }
}

function followTheme(store, stage) {
  const apply = () => {
    const dark = (store.state.theme ?? (systemDark.matches ? 'dark' : 'light')) === 'dark';
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    stage?.setTheme(dark);
  };
  systemDark.addEventListener('change', apply);
  store.subscribe((_, changed) => {
    if (changed.has('theme')) apply();
  });
  apply();
}

// The picture follows the state.
function followState(run, store, stage) {
  const swing = run.modes ? new SwingPlaces(run) : null;
  store.subscribe((state, changed) => {
    if (changed.has('shown') && state.shown) stage.show(state.shown, state);
    else if (['colorBy', 'probe', 'handle'].some((key) => changed.has(key))) stage.color(state);
    if (swing && state.shown && ['shown', 'phase', 'amplitude'].some((key) => changed.has(key))) {
      stage.move(swing.at(state.shown, state));
      stage.placeMarker(state.probe);
    }
    if (changed.has('dots') && run.subspace) stage.setDots(state.dots);
    if (changed.has('hidden')) {
      stage.setVisible(state.hidden);
      stage.placeMarker(state.probe);
    }
    if (changed.has('edges') || changed.has('flat')) stage.setStyle(state);
    if (changed.has('clip')) stage.setClip(state.clip);
    if (['shown', 'clip', 'colorBy'].some((key) => changed.has(key))) showInside(run, stage, state);
    if (state.shown && (changed.has('shown') || changed.has('probe'))) showProbe(run, stage, state);
  });
}

// The inside of the frame comes when a cut shows it; from then on frames come with theirs.
async function showInside(run, stage, { shown }) {
  run.showsInside = stage.sections.wanted;
  if (!shown || !run.showsInside || shown.insides) return;
  await run.loadInside(shown);
  stage.sections.set({});
  stage.invalidate();
}

function showProbe(run, stage, { probe }) {
  const box = byId('probe');
  box.hidden = !probe;
  if (!probe) return;
  const { name, position, values } = stage.read(probe);
  const line = (label, value) => element('tr', {}, element('td', {}, label), element('td', {}, value));
  const ofMoment = [
    ...position.map((c, a) => ['xyz'[a], quantity(c, 'm', 4)]),
    ...values.map((v, f) => [words(run.header.fields[f].name), quantity(v, run.header.fields[f].unit)]),
    ...(run.subspace ? probeRows(run, stage, probe) : []),
  ];
  const rows = run.modes ? modeProbeRows(run, stage.frame, probe) : ofMoment;
  box.replaceChildren(
    element('strong', {}, name),
    element(
      'table',
      {},
      element(
        'tbody',
        {},
        ...rows.map(([label, value]) => line(label, value)),
      ),
    ),
  );
}

// A press that does not drag picks a vertex; of a subspace also a handle, or that of the cluster, where colours tell of
// those.
function makeProbe(stage, store, functions) {
  let down = null;
  stage.canvas.addEventListener('pointerdown', (e) => {
    down = [e.clientX, e.clientY];
  });
  stage.canvas.addEventListener('pointerup', (e) => {
    if (!down || e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
    const handle = functions ? stage.pickHandle(e.clientX, e.clientY) : -1;
    const probe = handle >= 0 ? null : stage.pick(e.clientX, e.clientY);
    store.set({ probe });
    if (handle >= 0) functions.choose(handle);
    else if (functions && probe?.cluster !== undefined) functions.chooseCluster(probe.cluster);
  });
}

function save(blob, name) {
  const link = element('a', { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const pictureRatio = 2; // pixels of a saved picture for one of the page

function savePicture(run, stage, store) {
  if (!stage) return;
  const { clientWidth, clientHeight } = stage.container;
  stage.setExactly(clientWidth, clientHeight, pictureRatio);
  stage.render(true);
  stage.canvas.toBlob((blob) => save(blob, `${run.header.name}_${run.frames.step[store.state.frame]}.png`));
  stage.setExactly(null);
}

// Of a run that has more than one frame to show.
function makeVideo(run, stage, player, store) {
  if (run.kind !== 'run' || !stage || run.frameCount < 2) return {};
  const sound = new Sound(run, player, store);
  const maker = new VideoMaker(run, stage, player, store, sound);
  const speeds = [...byId('speed').options].map(({ value, textContent }) => [Number(value), textContent]);
  const dialog = new VideoDialog(maker, store, speeds, (blob) => save(blob, `${run.header.name}.webm`));
  return { sound, maker, dialog };
}

// For tests and scripts that make pictures.
function publish(run, store, stage, player, ignored) {
  return {
    ignored, // of the address
    names: {
      colors: run.colors.map(([name]) => name),
      objects: run.header.objects.map((o) => o.name),
      planes: run.header.planes.map((p) => p.name),
    },
    goto: (step) => player.gotoStep(step),
    play: () => store.set({ playing: true }),
    pause: () => store.set({ playing: false }),
    set: (changes) => store.set(changes),
    state: () => ({
      ...store.state,
      shown: store.state.shown?.index ?? null,
      hidden: [...store.state.hidden],
      dots: [...store.state.dots],
      step: run.frames.step[store.state.frame],
      camera: stage?.rig.view ?? null,
    }),
    header: run.header,
    usual: () => ({ all: run.usual, byMaterial: run.usualByMaterial }),
    subspace: run.subspace,
    modes: run.modes,
    places: (object) => stage.surfaces[object].points,
    shapes: run.objects,
    pick: (x, y) => stage.pick(x, y),
    pixelOf: (place) => stage.pixelOf(place),
    sections: () => stage.surfaces.map((_, k) => stage.sections.triangles(k)),
    handlePlace: (handle) => stage.subspace.placeOf(handle),
    frame: () => store.state.shown,
    origin: run.origin,
    render: () => stage?.render(),
  };
}

// A video as base64, and what is heard.
function videoApi({ maker, sound }) {
  return {
    video: async (options) => {
      const bytes = new Uint8Array(await (await maker.make(options, () => {})).arrayBuffer());
      let text = '';
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      return btoa(text);
    },
    sound: () => sound.status(),
  };
}

async function start() {
  const openDrawer = makeDrawer();
  const run = await Run.load();
  const selectTab = makeTabs(run.tabs);
  document.body.classList.add(run.kind);
  document.title = `${run.header.name} – sinew`;
  byId('title').textContent = run.header.name;

  const store = new Store({ ...initialState, hidden: new Set(), frame: -1 });
  const stage = makeStage(run);
  const Clock = run.modes ? Swing : Player;
  const player = run.live ?? new Clock(run, store, (error) => notice(error.message));
  const actions = {
    frame: () => stage?.frameVisible(),
    reset: () => stage?.rig.frameBox(stage.boxOf('run')),
    picture: () => savePicture(run, stage, store),
    theme: () => store.set({ theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' }),
    panel: () => byId('drawer').click(),
    help: () => byId('help').showModal(),
    video: run.kind === 'run' && stage && run.frameCount > 1 ? () => video.dialog.open() : null,
  };
  let video = {};
  const controls = new Controls(run, stage, store, actions);
  const functions = run.subspace ? new SubspaceControls(run, stage, store) : null;
  const modes = run.modes ? new ModesControls(run, store, player) : null;
  if (run.live) {
    new LivePage(run, run.live, store, notice);
    new LivePlots(run, run.live);
  } else if (!functions && !modes) {
    new Timeline(run, player, store);
    video = makeVideo(run, stage, player, store);
    new Plots(run, player, store);
    showFits(run, byId('page-plots'));
  }
  followTheme(store, stage);
  let pulls = null;
  let pins = null;
  if (stage) {
    followState(run, store, stage);
    makeProbe(stage, store, functions);
    if (!functions && !modes) new Follow(stage, store);
    if (run.live) {
      pulls = new Pulls(stage, run.live, store);
      pins = new Pins(stage, run.live, store, pulls);
      run.live.on('frame', () => stage.flush()); // not a picture later
    }
  }
  run.live?.start(run, store);
  new Legend(run, stage, store);
  makeKeyboard({ run, player, store, stage, controls, functions: functions ?? modes, actions, pins });
  byId('theme').addEventListener('click', actions.theme);
  byId('help-open').addEventListener('click', actions.help);
  byId('link-notice-close').addEventListener('click', () => {
    byId('link-notice').hidden = true;
  });
  if (functions) {
    subspaceBadges(run);
  } else if (modes) {
    modesBadges(run);
  } else if (!run.live) {
    badges(run);
    warningsPage(run, player);
  }
  scenePage(run);
  store.subscribe((state, changed) => {
    if (run.live) return; // the server tells
    if (changed.has('shown') || changed.has('frame')) byId('busy').hidden = state.shown?.index === state.frame;
  });

  const look = (link) => {
    if (!stage) return;
    const { fit, view, camera } = link;
    if (camera) stage.rig.view = camera;
    else if (fit !== undefined || view)
      stage.rig.frameBox(stage.boxOf(fit ?? 'run'), view && stage.rig.directionAt(view[0], view[1]), view?.[2]);
  };
  const follow = (hash) => {
    const link = readLink(hash, run);
    store.set({ speed: player.defaultSpeed(), ...link.state });
    if (link.tab) {
      selectTab(link.tab);
      openDrawer(true);
    }
    stage?.setQuality(link.quality ?? 'auto');
    byId('panel').hidden = !link.panel || link.bare;
    document.body.classList.toggle('bare', link.bare);
    document.body.classList.toggle('no-legend', !link.legend);
    byId('link-notice').hidden = link.ignored.length === 0;
    byId('link-notice-text').textContent = ignoredText(link);
    return link;
  };
  const all = { ...store.state, frame: run.modes?.first ?? 0, colorBy: run.defaultColor, rangeMode: run.defaultRange };
  if (functions) all.dots = new Set(['handles']);
  for (const key of Object.keys(all)) store.state[key] = undefined;
  store.state.hidden = new Set();
  store.state.dots = new Set();
  const wished = readLink(location.hash, run);
  store.set({ ...all, speed: player.defaultSpeed(), ...wished.state, shown: null });
  follow(location.hash);
  window.addEventListener('hashchange', async () => {
    const link = follow(location.hash);
    await player.arrived();
    look(link);
  });
  await player.arrived();
  stage?.resize(); // the panel may have gone
  look(wished);
  if (functions) subspaceSummary(run);
  else if (modes) modesSummary(run, store.state.shown?.quantum ?? 0);
  else if (!run.live) summaryPage(run, store.state.shown?.quantum ?? 0);
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const still = calm || Boolean(functions) || wished.state.frame !== undefined; // a step of the address rests
  if ((wished.play ?? !still) && !run.live) store.set({ playing: true });
  const api = publish(run, store, stage, player, wished.ignored);
  if (video.maker) Object.assign(api, videoApi(video));
  return run.live ? { ...api, ...liveApi(run, stage, pulls) } : api;
}

window.sinew = {};
window.sinew.ready = start()
  .then((api) => Object.assign(window.sinew, api))
  .catch((error) => {
    byId('busy').hidden = true;
    notice(`This page cannot be shown: ${error.message}`, true);
    throw error;
  });
