// A mode in motion: the clock that turns wall time into the phase of its oscillation, and the places of the surfaces,
// x = X + a sin(2 pi phase) u.
import { Player } from './player.js';

export const periods = [0.25, 0.5, 1, 2, 4, 8]; // seconds of wall time, to step through with keys

export class Swing extends Player {
  toggle() {
    this.store.set({ playing: !this.store.state.playing });
  }

  // Slower (1) or faster (-1).
  stepPeriod(by) {
    const { period } = this.store.state;
    const next = by > 0 ? periods.find((p) => p > period) : periods.findLast((p) => p < period);
    if (next) this.store.set({ period: next });
  }

  start() {
    this.last = performance.now();
    const tick = () => {
      const { playing, phase, period } = this.store.state;
      if (!playing) return;
      requestAnimationFrame(tick);
      const now = performance.now();
      this.store.set({ phase: (phase + (now - this.last) / 1000 / period) % 1 });
      this.last = now;
    };
    requestAnimationFrame(tick);
  }
}

// Of each body its vertices, others null; arrays are used again at the next call.
export class SwingPlaces {
  constructor(run) {
    this.run = run;
    this.places = run.objects.map(({ positions }, k) =>
      run.header.objects[k].kind === 'body' ? new Float32Array(positions.length) : null,
    );
  }

  // The amplitude is that over the diagonal of what the mode moves: a body among many does not swing by their size.
  at({ displacements, diagonal }, { amplitude, phase }) {
    const size = amplitude * diagonal * Math.sin(2 * Math.PI * phase);
    this.places.forEach((places, k) => {
      if (!places) return;
      const { positions } = this.run.objects[k];
      const moved = displacements[k];
      for (let i = 0; i < places.length; ++i) places[i] = positions[i] + size * moved[i];
    });
    return this.places;
  }
}
