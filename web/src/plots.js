// The plots of a run, from the rows of steps.jsonl.
import { byId, element } from './dom.js';
import { Plot } from './plot.js';
import { sensorDefinitions } from './sensor_plots.js';
import { words } from './units.js';

export const colors = {
  kinetic: '#2d75c2',
  elastic: '#fb9131',
  gravity: '#48aaa6',
  barrier: '#d1644f',
  friction: '#8a72cf',
  springs: '#5aa65e',
  total: '#8d99a8',
  assembly: '#2d75c2',
  linear_solve: '#fb9131',
  collision: '#5aa65e',
  line_search: '#c8618f',
  output: '#8a72cf',
  other: '#9aa3ad',
  one: '#2d75c2',
  two: '#fb9131',
  three: '#5aa65e',
  affine: '#8a72cf',
  subspace: '#2d75c2',
  refinement: '#fb9131',
  rejected: '#c8618f',
};

const present = (values) => values.some((v) => v !== null && v !== 0);

// Springs and the like are left out where a scene has none.
function energies(rows) {
  const names = Object.keys(rows.energies);
  const series = names
    .filter((n) => present(rows.energies[n]))
    .map((name) => ({ name, color: colors[name] ?? colors.other, values: rows.energies[name] }));
  const total = rows.step.map((_, i) =>
    names.reduce((sum, n) => (n === 'friction' ? sum : sum + (rows.energies[n][i] ?? 0)), 0),
  );
  series.push({ name: 'total without friction', color: colors.total, values: total });
  return series;
}

function timeSplit(rows) {
  const parts = ['linear_solve', 'assembly', 'collision', 'line_search', 'output'];
  const series = parts.map((name) => ({ name: words(name), color: colors[name], values: rows.seconds[name] }));
  const rest = rows.step.map((_, i) =>
    Math.max(0, rows.seconds.steps[i] - parts.reduce((sum, n) => sum + rows.seconds[n][i], 0)),
  );
  return [...series, { name: 'other', color: colors.other, values: rest }];
}

function definitions(run) {
  const { rows, header } = run;
  const marks = run.unconverged.map(([step]) => step);
  const velocity = header.mode === 'static' ? 'm' : 'm/s';
  const list = [
    { id: 'energies', title: 'Energies', unit: 'J', series: energies(rows), canLog: true },
    {
      id: 'newton',
      title: 'Iterations',
      unit: '',
      series: [
        { name: 'iterations', color: colors.one, values: rows.newton_iterations },
        { name: 'line search', color: colors.two, values: rows.line_search_steps },
      ],
    },
    {
      id: 'linear',
      title: 'Linear iterations',
      unit: '',
      canLog: true,
      series: [{ name: 'linear iterations', color: colors.one, values: rows.linear_iterations }],
    },
    {
      id: 'residual',
      title: 'Residual',
      unit: velocity,
      log: true,
      canLog: true,
      references: header.tolerance > 0 ? [{ name: 'tolerance', value: header.tolerance }] : [],
      series: [{ name: 'residual', color: colors.one, values: rows.residual }],
    },
    {
      id: 'error-estimate',
      title: 'Estimated error of a step',
      unit: 'm',
      log: true,
      canLog: true,
      points: true,
      series: [
        { name: 'motion', color: colors.two, values: rows.motion },
        { name: 'estimated error', color: colors.one, values: rows.error_estimate },
      ],
    },
    {
      id: 'distance',
      title: 'Smallest distance',
      unit: 'm',
      log: true,
      canLog: true,
      references: header.contact_distance > 0 ? [{ name: 'contact distance', value: header.contact_distance }] : [],
      series: [{ name: 'smallest distance', color: colors.one, values: rows.min_distance }],
    },
    {
      id: 'contacts',
      title: 'Active contacts',
      unit: '',
      series: [{ name: 'contacts', color: colors.one, values: rows.contacts }],
    },
    { id: 'seconds', title: 'Time of a step', unit: 's', stacked: true, series: timeSplit(rows) },
  ];
  const some = { linear: rows.linear_iterations, 'error-estimate': rows.error_estimate };
  const wanted = list.filter((p) => !some[p.id] || present(some[p.id]));
  return wanted.map((p) => ({ ...p, marks }));
}

// What the levels of multilevel directions did, or nothing where a run has none.
function levelDefinitions(run) {
  const { rows, header } = run;
  const { levels } = rows;
  if (!levels) return [];
  const marks = run.unconverged.map(([step]) => step);
  const each = ['affine', 'subspace', 'refinement'];
  const iterations = each
    .map((name) => ({ name, color: colors[name], values: levels[`${name}_iterations`] }))
    .filter((s) => s.name === 'refinement' || present(s.values));
  const parts = [...each, 'rejected', 'other']
    .map((name) => ({ name, color: colors[name], values: levels.seconds[name] ?? rows.step.map(() => null) }))
    .filter((s) => present(s.values));
  const work = [
    { name: 'line-search steps', color: colors.one, values: rows.line_search_steps },
    { name: 'updates of the Hessian', color: colors.two, values: levels.hessian_updates },
    { name: 'updates of reduced matrices', color: colors.three, values: levels.reduced_updates ?? [] },
    { name: 'rejected exact Hessians', color: colors.rejected, values: levels.rejections ?? [] },
  ];
  const lengths = [
    { name: 'mean, subspace: |dₛ|/(h|V|)', color: colors.subspace, values: levels.subspace_mean ?? [] },
    { name: 'mean, refinement', color: colors.refinement, values: levels.refinement_mean ?? [] },
    { name: 'largest, all: |d|∞/h', color: colors.other, values: rows.residual },
  ];
  const list = [
    { id: 'level-iterations', title: 'CG iterations', unit: '', canLog: true, series: iterations },
    {
      id: 'level-seconds',
      title: 'Time of linear solves',
      unit: 's',
      stacked: true,
      series: parts,
      lines: [{ name: 'reduced matrices', color: 'var(--text)', values: levels.seconds.galerkin }],
    },
    {
      id: 'level-work',
      title: 'Line search and matrices',
      unit: '',
      series: work.filter((s, k) => k < 2 || present(s.values)),
    },
    {
      id: 'level-lengths',
      title: 'Last direction',
      unit: header.mode === 'static' ? 'm' : 'm/s',
      log: true,
      canLog: true,
      references: header.tolerance > 0 ? [{ name: 'tolerance', value: header.tolerance }] : [],
      series: lengths.filter((s) => present(s.values)),
    },
  ];
  return list.map((p) => ({ ...p, marks }));
}

// What adaptive subspaces were made of, or nothing where a run has none.
function adaptiveDefinitions(run) {
  const { rows } = run;
  const { adaptive } = rows;
  if (!adaptive) return [];
  const marks = run.unconverged.map(([step]) => step);
  const parts = [
    ['regions', colors.affine],
    ['oracle', colors.subspace],
    ['modes', colors.refinement],
    ['schur', colors.other],
  ];
  const list = [
    {
      id: 'adaptive-share',
      title: 'Enriched share of the vertices',
      unit: '%',
      series: [{ name: 'enriched', color: colors.one, values: adaptive.share.map((v) => (v === null ? v : 100 * v)) }],
    },
    {
      id: 'adaptive-handles',
      title: 'Active modes',
      unit: '',
      series: [{ name: 'modes', color: colors.two, values: adaptive.handles }],
    },
    {
      id: 'adaptive-error',
      title: 'Largest error of a vertex',
      unit: '',
      log: true,
      canLog: true,
      series: [{ name: 'error', color: colors.three, values: adaptive.error }],
    },
    {
      id: 'adaptive-seconds',
      title: 'Time in the subspace',
      unit: 's',
      stacked: true,
      series: parts.map(([name, color]) => ({ name, color, values: adaptive.seconds[name] })),
    },
  ];
  return list.map((p) => ({ ...p, marks }));
}

const adaptiveHint =
  'At the end of each step: enriched vertices, active modes of the other vertices, and the largest error. Times. ' +
  'regions: forces and Hessians of regions. oracle: errors and choice of the active unknowns. modes: matrices of the ' +
  'modes and their factors. schur: block of the enriched vertices and its solves.';

const levelsHint =
  'Linear solves: affine, subspace and refinement are the levels from coarse to fine. The line is the time to form the ' +
  'matrices of affine and subspace. Levels that are factored have no iterations.';

export class Plots {
  constructor(run, player, store) {
    const page = byId('page-plots');
    if (run.rows.step.length === 0) {
      page.append(element('p', { class: 'fine' }, 'No finished step yet.'));
      return;
    }
    const made = (facts) => new Plot(facts, run.rows.step, (step) => player.gotoStep(step));
    const general = definitions(run).map(made);
    const levels = levelDefinitions(run).map(made);
    const adaptive = adaptiveDefinitions(run).map(made);
    const marks = run.unconverged.map(([step]) => step);
    const none = run.rows.step.map(() => null);
    const sensors = sensorDefinitions(run.header.sensors, (key) => run.rows.sensors?.[key] ?? none)
      .map((facts) => made({ ...facts, marks }));
    this.plots = [...sensors, ...general, ...levels, ...adaptive];
    page.append(...sensors.map((p) => p.node));
    page.append(...general.map((p) => p.node));
    const addSection = (name, heading, hintText, plots) => {
      if (plots.length === 0) return;
      const title = element('h2', { id: `plots-${name}-title` }, heading);
      const hint = element('p', { class: 'hint' }, hintText);
      const section = element('section', { id: `plots-${name}`, 'aria-labelledby': title.id });
      section.append(title, hint, ...plots.map((p) => p.node));
      page.append(section);
    };
    addSection('levels', 'Levels', levelsHint, levels);
    addSection('adaptive', 'Adaptive subspace', adaptiveHint, adaptive);
    page.append(
      element(
        'p',
        { class: 'hint' },
        'Click to go to a step. Marks on the axis are steps that did not converge.',
      ),
    );
    store.subscribe((state, changed) => {
      if (!changed.has('frame')) return;
      const row = run.rowOfStep(run.frames.step[state.frame]);
      for (const plot of this.plots) plot.setCursor(row);
    });
  }
}
