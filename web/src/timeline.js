// The transport bar: buttons, slider over the steps, marks of steps that did not converge, clock, speed.
import { byId, element } from './dom.js';
import { clock, plain } from './units.js';

const mostMarks = 400;

export class Timeline {
  constructor(run, player, store) {
    Object.assign(this, { run, player, store });
    this.slider = byId('slider');
    this.slider.min = run.firstStep;
    this.slider.max = run.lastStep;
    const inSeconds = clock(run.frames.time);
    this.timeText = (time) => (run.header.mode === 'static' ? `load ${plain(time, 4)}` : inSeconds(time));
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on('first', 'click', () => player.goto(0));
    on('previous', 'click', () => player.goto(store.state.frame - 1));
    on('play', 'click', () => player.toggle());
    on('next', 'click', () => player.goto(store.state.frame + 1));
    on('last', 'click', () => player.goto(run.frameCount - 1));
    on('slider', 'input', () => player.gotoStep(Number(this.slider.value)));
    on('loop', 'change', (e) => store.set({ loop: e.target.checked }));
    this.makeSpeeds();
    this.makeMarks();
    this.slider.addEventListener('pointermove', (e) => this.hover(e));
    this.slider.addEventListener('pointerleave', () => {
      byId('tip').hidden = true;
    });
    store.subscribe((state, changed) => this.update(state, changed));
  }

  makeSpeeds() {
    const select = byId('speed');
    for (const speed of this.player.speeds()) {
      const name = speed >= 1 ? `${plain(speed)}×` : `1/${plain(1 / speed, 6)}×`;
      select.append(element('option', { value: String(speed) }, name));
    }
    select.addEventListener('change', () => this.store.set({ speed: Number(select.value) }));
  }

  fraction(step) {
    const { firstStep, lastStep } = this.run;
    return lastStep > firstStep ? (step - firstStep) / (lastStep - firstStep) : 0;
  }

  // Neighbouring marks that would fall together are drawn once.
  makeMarks() {
    const places = new Set(this.run.unconverged.map(([step]) => Math.round(mostMarks * this.fraction(step))));
    for (const place of places) {
      const mark = element('i');
      mark.style.left = `${(100 * place) / mostMarks}%`;
      byId('marks').append(mark);
    }
  }

  stepAt(event) {
    const rect = this.slider.getBoundingClientRect();
    const t = (event.clientX - rect.left - 8) / Math.max(rect.width - 16, 1);
    const { firstStep, lastStep } = this.run;
    return Math.round(firstStep + Math.min(Math.max(t, 0), 1) * (lastStep - firstStep));
  }

  // Near a mark the tip speaks of it.
  hover(event) {
    const { run } = this;
    const step = this.stepAt(event);
    const reach = Math.ceil((4 / Math.max(this.slider.clientWidth, 1)) * (run.lastStep - run.firstStep));
    let marked = null;
    for (const [bad] of run.unconverged) {
      if (Math.abs(bad - step) <= reach && (marked === null || Math.abs(bad - step) < Math.abs(marked - step)))
        marked = bad;
    }
    const tip = byId('tip');
    tip.replaceChildren(this.describe(marked ?? step));
    if (marked !== null) tip.append(element('span', { class: 'warn' }, `did not converge: ${run.reasons.get(marked)}`));
    tip.hidden = false;
    const bar = this.slider.getBoundingClientRect();
    const width = tip.offsetWidth;
    const left = Math.min(
      Math.max(event.clientX - bar.left - width / 2, -bar.left + 8),
      window.innerWidth - bar.left - width - 8,
    );
    tip.style.left = `${left}px`;
  }

  timeOf(step) {
    const row = this.run.rowOfStep(step);
    return row >= 0 ? this.run.rows.time[row] : this.run.frames.time[this.run.frameOfStep(step)];
  }

  describe(step) {
    return `step ${step}, ${this.timeText(this.timeOf(step))}`;
  }

  update(state, changed) {
    if (changed.has('frame')) {
      const step = this.run.frames.step[state.frame];
      const bad = this.run.reasons.has(step);
      this.slider.value = step;
      this.slider.setAttribute('aria-valuetext', this.describe(step) + (bad ? ', did not converge' : ''));
      const time = this.run.frames.time[state.frame];
      byId('clock').replaceChildren(
        this.timeText(time),
        element('small', {}, `step ${step} of ${this.run.lastStep}${bad ? ' ⚠' : ''}`),
      );
    }
    if (changed.has('playing')) {
      const play = byId('play');
      play.setAttribute('aria-pressed', String(state.playing));
      play.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
      play.title = state.playing ? 'Pause (Space)' : 'Play (Space)';
    }
    if (changed.has('speed')) byId('speed').value = String(state.speed);
    if (changed.has('loop')) byId('loop').checked = state.loop;
  }
}
