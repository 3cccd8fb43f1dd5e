// The sound of a run (format "wav"), which follows the clock while it plays. It is off at first, as browsers ask.
import { inflate, loadBlob } from './blobs.js';
import { byId } from './dom.js';

const slowest = 0.25; // of speeds with sound: beyond these nothing is heard of it
const fastest = 4;
const most = 0.08; // s that sound and picture may be apart

export const isHeardAt = (speed) => speed >= slowest && speed <= fastest;

// Samples of both channels: 16 bits with a sign, all low bytes first (src/sinew/io/report_format.h).
export function decodeSound(bytes, { frames, peak }) {
  const sides = [new Float32Array(frames), new Float32Array(frames)];
  const count = 2 * frames;
  for (let k = 0; k < count; ++k) {
    const level = ((bytes[k] | (bytes[count + k] << 8)) << 16) >> 16;
    sides[k & 1][k >> 1] = (peak * level) / 32767;
  }
  return sides;
}

export class Sound {
  constructor(run, player, store) {
    Object.assign(this, { run, player, store, source: null });
    byId('sound').hidden = !run.sound;
    if (!run.sound) return;
    byId('sound').addEventListener('click', () => this.toggle());
    store.subscribe((state, changed) => {
      if (changed.has('sound')) this.show(state);
      if (['sound', 'playing', 'speed', 'frame'].some((key) => changed.has(key))) this.follow(state);
    });
    this.show(store.state);
  }

  toggle() {
    if (!this.run.sound) return;
    this.store.set({ sound: !this.store.state.sound });
  }

  show({ sound }) {
    const button = byId('sound');
    const label = sound ? 'Sound off' : 'Sound on';
    button.setAttribute('aria-pressed', String(Boolean(sound)));
    button.setAttribute('aria-label', label);
    button.title = `${label} (S)`;
  }

  // Both channels, decoded once.
  load() {
    this.loading ??= (async () => {
      const [header, data] = await loadBlob('sound');
      return { rate: header.rate, sides: decodeSound(await inflate(data), header) };
    })();
    return this.loading;
  }

  async buffer(context) {
    const { rate, sides } = await this.load();
    const buffer = context.createBuffer(2, Math.max(sides[0].length, 1), rate);
    sides.forEach((side, k) => buffer.copyToChannel(side, k));
    return buffer;
  }

  // Seconds since the start of the run that the picture shows.
  get wanted() {
    return this.run.frames.time[this.store.state.frame] - this.run.frames.time[0];
  }

  // Seconds of the sound that are heard now.
  get heard() {
    return this.source ? this.from + (this.context.currentTime - this.startedAt) * this.rate : null;
  }

  async follow(state) {
    if (!state.sound || !state.playing || !isHeardAt(state.speed)) return this.stop(state);
    this.context ??= new AudioContext();
    if (this.context.state === 'suspended') this.context.resume();
    this.samples ??= await this.buffer(this.context);
    const now = this.store.state; // it may have changed meanwhile
    if (!now.sound || !now.playing || !isHeardAt(now.speed)) return this.stop(now);
    const apart = this.source ? Math.abs(this.heard - this.wanted) / now.speed : Infinity;
    if (apart > most + this.frameGap(now) || this.rate !== now.speed) this.begin(now.speed);
    return undefined;
  }

  // Seconds of wall time between pictures: the clock jumps by as much.
  frameGap({ frame, speed }) {
    const { time } = this.run.frames;
    return frame > 0 ? (time[frame] - time[frame - 1]) / speed : 0;
  }

  begin(rate) {
    this.silence();
    if (this.wanted >= this.samples.duration) return;
    const source = this.context.createBufferSource();
    Object.assign(source, { buffer: this.samples });
    source.playbackRate.value = rate;
    source.connect(this.context.destination);
    source.start(0, this.wanted);
    Object.assign(this, { source, rate, from: this.wanted, startedAt: this.context.currentTime });
  }

  // A run that has ended by itself rings out.
  stop({ sound, frame, speed }) {
    const rings = sound && frame === this.run.frameCount - 1 && isHeardAt(speed);
    if (!rings) this.silence();
  }

  silence() {
    this.source?.stop();
    this.source = null;
  }

  status() {
    return { heard: this.heard, wanted: this.wanted, rate: this.source ? this.rate : null };
  }
}
