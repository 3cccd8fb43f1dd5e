// The clock: turns wall time into frames while playing, and fetches the frame that is wished for.
const ownPace = [
  1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
  20, 50, 100, 200, 500, 1000,
];

// The times that playing follows. Where times do not ascend, as loads along a path of equilibria, steps take their place:
// the whole run lasts as long as a run of load 1.
function clockTimes({ time, step }) {
  if (time.every((t, i) => i === 0 || t > time[i - 1])) return time;
  const length = step.at(-1) - step[0];
  return step.map((s) => (s - step[0]) / length);
}

export class Player {
  constructor(run, store, onError) {
    this.run = run;
    this.store = store;
    this.onError = onError;
    this.latest = -1;
    const times = clockTimes(run.frames);
    this.times = times;
    this.length = times.length > 1 ? times.at(-1) - times[0] : 0;
    store.subscribe((state, changed) => {
      if (changed.has('frame')) this.fetch(state.frame);
      if (changed.has('playing') && state.playing) this.start();
      if (changed.has('speed')) this.anchor();
    });
  }

  // Speeds to choose from: what plays the run in 0.5 s to 10 min, and real time where there is sound.
  speeds() {
    const fits = (s) => this.length / s > 0.5 && this.length / s < 600;
    const list = ownPace.filter((s) => fits(s) || (s === 1 && this.run.sound));
    return list.length > 0 ? list : [1];
  }

  // Real time where that takes 2 to 30 s; else what comes near to 8 s.
  defaultSpeed() {
    if (this.length >= 2 && this.length <= 30) return 1;
    const wanted = this.length / 8;
    return this.speeds().reduce((best, s) =>
      Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best,
    );
  }

  goto(frame) {
    const last = this.run.frameCount - 1;
    this.store.set({ frame: Math.min(Math.max(Math.round(frame), 0), last) });
    this.anchor();
    return this.arrived();
  }

  gotoStep(step) {
    return this.goto(this.run.frameOfStep(step));
  }

  toggle() {
    const { playing, frame } = this.store.state;
    if (!playing && frame === this.run.frameCount - 1) this.goto(0);
    this.store.set({ playing: !playing });
  }

  // Resolves when the wished frame is the shown one.
  async arrived() {
    await this.fetch(this.store.state.frame);
  }

  async fetch(index) {
    if (this.store.state.shown?.index === index) return;
    this.latest = index;
    try {
      const frame = await this.run.frame(index);
      if (this.latest === index) this.store.set({ shown: frame });
      this.run.prefetch(index);
    } catch (error) {
      this.store.set({ playing: false });
      this.onError(error);
    }
  }

  // Playing goes on from the present frame now.
  anchor() {
    this.wallStart = performance.now();
    this.timeStart = this.times[this.store.state.frame];
  }

  start() {
    this.anchor();
    const tick = () => {
      const { playing, frame, speed, shown, loop } = this.store.state;
      if (!playing) return;
      requestAnimationFrame(tick);
      if (shown?.index !== frame) {
        // still loading: the clock waits
        this.anchor();
        return;
      }
      const { times } = this;
      const time = this.timeStart + (speed * (performance.now() - this.wallStart)) / 1000;
      let next = frame;
      while (next + 1 < times.length && times[next + 1] <= time) ++next;
      if (next !== frame) {
        this.store.set({ frame: next });
      } else if (frame === times.length - 1 && time >= times.at(-1) + 0.05 * this.length) {
        if (loop && times.length > 1) this.goto(0);
        else this.store.set({ playing: false });
      }
    };
    requestAnimationFrame(tick);
  }
}
