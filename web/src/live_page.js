// The parts of a live simulation's page: the bar, badges, the tab with its controls, and notices.
import { CurveEditor } from './curve_editor.js';
import { byId, copies, element } from './dom.js';
import { Settings } from './live_settings.js';
import { subspaceRows } from './subspace_words.js';
import { plain } from './units.js';

const lostText = 'The simulation does not answer; trying again';
const errorTime = 6000; // ms

const quoted = (path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`); // for a shell
const rounded = (rate) => plain(Number(rate.toPrecision(rate < 10 ? 2 : 3)));

export class LivePage {
  constructor(run, live, store, notice) {
    Object.assign(this, { run, live, store, notice });
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on('live-play', 'click', () => live.toggle());
    on('live-step', 'click', () => live.step());
    on('live-reset', 'click', () => live.reset());
    on('live-record', 'click', () => live.toggleRecord());
    on('live-method', 'change', (e) => {
      live.send({ type: 'method', name: e.target.value });
      this.changing(e.target.value);
      e.target.value = live.state.method; // until it is
    });
    on('recorded-close', 'click', () => {
      byId('recorded').hidden = true;
    });
    copies(byId('recorded-path'), () => this.recorded);
    copies(byId('recorded-command'), () => `sinew view ${quoted(this.recorded)}`);
    this.settings = new Settings(byId('live-settings'), live);
    live.curves = new CurveEditor(byId('live-curves'), live);
    live.on('state', () => this.update());
    live.on('rows', () => this.badges());
    live.on('frame', (frame) => this.clock(frame));
    live.on('error', (error) => this.refusal(error) || this.error(error.message));
    live.on('waiting', ({ message }) => this.waits(message));
    live.on('connection', (connected) => this.connection(connected));
    this.update();
  }

  connection(connected) {
    clearTimeout(this.errorTimer);
    this.notice(connected ? null : lostText);
    this.changing(null);
    document.body.classList.toggle('lost', !connected);
    this.waits(null);
    this.badges();
  }

  // What takes long just now, or that what was asked for has to wait.
  waits(message) {
    this.waiting = message;
    this.busy();
  }

  busy() {
    const text = this.live.connected ? this.live.state.busy || this.waiting : null;
    byId('busy').hidden = !text;
    byId('busy').textContent = text ?? '';
  }

  // A method that is asked for, or null.
  changing(method, refused = '') {
    this.wanted = method;
    byId('live-method-row').classList.toggle('pending', method !== null);
    byId('live-method-refused').hidden = !refused;
    byId('live-method-refused').textContent = refused;
  }

  // Told where it was asked for; false where that cannot be seen.
  refusal({ message, material, key }) {
    if (this.live.curves.shows(material)) return true;
    if (key !== 'method') return this.settings.shows(key, message);
    this.changing(null, message);
    return byId('live-method-refused').checkVisibility();
  }

  // A browser does not open folders of this machine for a page: path and command can be copied.
  follow({ recording }) {
    if (this.recording && recording === null) {
      this.recorded = this.recording;
      byId('recorded-folder').textContent = this.recorded;
    }
    if (recording !== this.recording) byId('recorded').hidden = !(this.recording && recording === null);
    this.recording = recording;
  }

  error(message) {
    if (!this.live.connected && this.live.wasOpen) return;
    this.notice(message);
    clearTimeout(this.errorTimer);
    this.errorTimer = setTimeout(() => this.notice(null), errorTime);
  }

  update() {
    const { state } = this.live;
    const play = byId('live-play');
    play.setAttribute('aria-pressed', String(!state.paused));
    play.setAttribute('aria-label', state.paused ? 'Continue' : 'Pause');
    play.title = `${state.paused ? 'Continue' : 'Pause'} (Space)`;
    byId('live-step').disabled = !state.paused;
    const record = byId('live-record');
    const recording = state.recording !== null;
    record.setAttribute('aria-pressed', String(recording));
    record.setAttribute('aria-label', recording ? 'Stop recording' : 'Record');
    record.title = `${recording ? 'Stop recording' : 'Record'} (O)`;
    byId('live-folder').hidden = !recording;
    byId('live-folder').textContent = recording ? `Recording to ${state.recording}` : '';
    this.follow(state);
    if (this.wanted === state.method) this.changing(null);
    this.methods(state);
    byId('live-loss').hidden = !state.loss;
    byId('live-loss').firstElementChild.textContent = state.loss ? `Switching the method lost ${state.loss}.` : '';
    const subspace = subspaceRows(this.run.header.scene, state.method);
    byId('live-subspace').hidden = subspace.length === 0;
    byId('live-subspace').textContent = subspace.map(([name, value]) => `${name}: ${value}`).join('; ');
    this.busy();
    this.badges();
  }

  methods({ method, methods }) {
    const select = byId('live-method');
    const list = methods.includes(method) || !method ? methods : [method, ...methods];
    const key = list.join('\n');
    if (key !== this.listed) select.replaceChildren(...list.map((value) => element('option', { value }, value)));
    this.listed = key;
    select.value = method;
  }

  badges() {
    const { state, rate, connected } = this.live;
    const what = state.finished ? 'finished' : state.paused ? 'paused' : 'live';
    const list = connected
      ? [[what === 'live' ? 'badge good' : 'badge', what]]
      : [['badge warn', this.live.wasOpen ? 'not connected' : 'connecting']];
    if (state.recording !== null) list.push(['badge warn', 'recording']);
    if (state.method) list.push(['badge', state.method]);
    const pace = rate !== null && connected && what === 'live' ? `${rounded(rate)} steps/s` : '';
    if (pace) list.push(['badge', pace]);
    const outcome = connected ? this.live.outcome : null;
    if (outcome === 'failed') list.push(['badge warn', 'not converged']);
    if (outcome === 'budget') list.push(['badge', 'iteration limit']);
    if (connected) list.push(['badge', state.viewers === 1 ? '1 viewer' : `${state.viewers} viewers`]);
    const key = JSON.stringify(list);
    if (key === this.shown) return;
    this.shown = key;
    byId('badges').replaceChildren(...list.map(([kind, text]) => element('span', { class: kind }, text)));
    byId('live-pace').textContent = pace && this.run.header.mode !== 'static' ? `${rounded(rate * this.timeStep)}× real time` : pace;
    const standing = connected ? what : 'not connected';
    document.title = `${standing === 'live' ? '' : `(${standing}) `}${this.run.header.name} – sinew`;
  }

  get timeStep() {
    return this.live.state.settings['time.step']?.value ?? this.run.header.time_step;
  }

  // As many as tell steps apart.
  get decimals() {
    const step = this.timeStep;
    return step > 0 ? Math.min(6, Math.max(2, Math.ceil(-Math.log10(step) - 1e-9))) : 2;
  }

  clock({ step, time }) {
    const text = this.run.header.mode === 'static' ? `load ${plain(time, 4)}` : `${time.toFixed(this.decimals)} s`;
    byId('live-clock').replaceChildren(text, element('small', {}, `step ${step}`));
  }
}
