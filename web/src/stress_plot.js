// What a material does in the experiments that measure materials: the nominal stress that the engine computes, and what was
// measured, where it was fitted.
import { Chart, roomy, Scale } from './chart.js';
import { element, svg } from './dom.js';
import { colors } from './plots.js';
import { plain, quantity } from './units.js';

const height = 180;
const tones = { uniaxial: colors.one, biaxial: colors.two, shear: colors.three };
const fileName = (path) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

export class StressPlot {
  constructor(title) {
    this.title = title;
    this.heading = element('h3', {}, title);
    this.names = element('div', { class: 'series' });
    this.picture = svg('svg', { role: 'img', height });
    this.picture.style.height = `${height}px`;
    this.residuals = element('div', { class: 'residuals' });
    const header = element('header', {}, this.heading);
    this.node = element('section', { class: 'plot stress' }, header, this.names, this.picture, this.residuals);
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  show(drawn) {
    this.drawn = drawn;
    this.node.hidden = drawn.response.length === 0;
    this.draw();
  }

  draw() {
    const width = this.node.clientWidth;
    if (!width || !this.drawn || this.drawn.response.length === 0) return;
    const { response, measured } = this.drawn;
    const all = [...response, ...measured];
    const x = new Scale(...roomy(all.flatMap((c) => c.stretch), 0.02, 1));
    const y = new Scale(...roomy(all.flatMap((c) => c.stress), 0.05, 0));
    const chart = new Chart(this.picture, { x, y, width, height, unit: 'Pa' });
    this.heading.replaceChildren(this.title, ' ', element('small', {}, `[${chart.prefix}Pa] over the stretch`));
    this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const part = (experiment, stretch, stress, keep, kind) => {
      const kept = stretch.map((_, i) => i).filter((i) => keep(stretch[i]));
      if (kept.length < 2) return [];
      const line = svg('path', { class: `line ${kind}`, d: chart.path(kept.map((i) => stretch[i]), kept.map((i) => stress[i])) });
      line.style.stroke = tones[experiment];
      return [line];
    };
    // Dashed where stress does not rise with strain.
    const lines = response.flatMap(({ experiment, stretch, stress, stable: [low, high] = [0, Infinity] }) => [
      ...part(experiment, stretch, stress, (s) => s <= low, 'unstable'),
      ...part(experiment, stretch, stress, (s) => s >= low && s <= high, 'stable'),
      ...part(experiment, stretch, stress, (s) => s >= high, 'unstable'),
    ]);
    const dots = measured.flatMap(({ experiment, stretch, stress }) =>
      stretch.map((value, i) => {
        const dot = svg('circle', { class: 'measured', cx: chart.left(value), cy: chart.top(stress[i]), r: 2.6 });
        dot.style.stroke = tones[experiment];
        return dot;
      }),
    );
    this.picture.replaceChildren(chart.grid(), ...lines, ...dots);
    this.tell(response, measured);
  }

  tell(response, measured) {
    this.names.replaceChildren(
      ...response.map(({ experiment }) => {
        const key = element('i');
        key.style.background = tones[experiment];
        return element('span', {}, key, experiment);
      }),
      ...(measured.length > 0 ? [element('span', {}, element('i', { class: 'dot' }), 'measured')] : []),
    );
    const residual = ({ experiment, source, points, stress, rms }) => {
      const share = (100 * rms) / Math.max(...stress.map(Math.abs));
      const text = `${experiment}: residual ${quantity(rms, 'Pa')}, ${plain(share, 2)} % (${points} points of ${fileName(source)})`;
      const title = `Root mean square residual, also as a share of the largest stress. Measurements: ${source}`;
      return element('p', { title }, text);
    };
    const ends = (list, unit) => `${quantity(list[0], unit)} to ${quantity(list.at(-1), unit)}`;
    const stable = response.filter((r) => r.stable).map((r) => `${r.experiment} ${ends(r.stable, '')}`);
    const range = element('p', { title: 'Stable (Drucker): stress rises with strain' }, `Stable at stretches: ${stable.join(', ')}`);
    this.residuals.replaceChildren(...measured.map(residual), ...(stable.length > 0 ? [range] : []));
    const ranges = response.map(({ experiment, stretch, stress }) => {
      return `${experiment}: ${ends(stress, 'Pa')} at stretches ${ends(stretch, '')}`;
    });
    this.picture.setAttribute('aria-label', `${this.title}, ${ranges.join('; ')}`);
  }
}

// The fits of a run's materials, below its plots.
export function showFits(run, page) {
  const fits = Object.entries(run.header.fits ?? {}).filter(([, drawn]) => drawn !== null);
  if (fits.length === 0) return;
  const title = element('h2', { id: 'plots-fits-title' }, 'Fitted materials');
  const hint = 'Nominal stress, without change of volume but in foams: measured points and curves of the fitted material.';
  const section = element('section', { id: 'plots-fits', 'aria-labelledby': title.id });
  section.append(title, element('p', { class: 'hint' }, hint));
  for (const [name, drawn] of fits) {
    const plot = new StressPlot(`${name}, ${drawn.model}`);
    section.append(plot.node);
    plot.show(drawn);
  }
  page.append(section);
}
