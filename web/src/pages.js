// The pages of the panel that only tell: summary, warnings, scene.
import { byId, element } from './dom.js';
import { subspaceRows } from './subspace_words.js';
import { duration, plain, quantity, words } from './units.js';

const mostListed = 500;

export function table(caption, rows) {
  const lines = rows
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, String(value))));
  return element('table', { class: 'facts' }, element('caption', {}, caption), element('tbody', {}, ...lines));
}

function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

// By how much friction forces missed Coulomb's law; empty where that is little.
function frictionWarning(summary) {
  const steps = summary.friction_unconverged_steps;
  if (!(steps > 0)) return '';
  return (
    `In ${steps} of ${summary.steps} steps friction was approximate: it differed by up to ` +
    `${percent(summary.max_friction_residual)} from the coefficient times the normal force. ` +
    'If sliding matters, use a smaller time.step or a larger contact.friction_iterations.'
  );
}

export function badges(run) {
  const { summary, header } = run;
  const list = [
    ['badge', header.method],
    ['badge', `${summary.vertices.toLocaleString('en')} vertices`],
    ['badge', `${summary.tets.toLocaleString('en')} tets`],
  ];
  const bad = run.unconverged.length;
  if (!run.complete) list.unshift(['badge warn', `${run.rows.step.length} of ${header.steps} steps`]);
  if (bad > 0) list.unshift(['badge warn', `${bad} not converged`]);
  else if (summary.steps_budget > 0) list.unshift(['badge', `${summary.steps_budget} at the iteration limit`]);
  else if (run.rows.step.length > 0) list.unshift(['badge good', 'all steps converged']);
  if (summary.friction_unconverged_steps > 0)
    list.splice(1, 0, ['badge warn', `friction approximate (${summary.friction_unconverged_steps} steps)`]);
  byId('badges').replaceChildren(...list.map(([kind, text]) => element('span', { class: kind }, text)));
}

export function summaryPage(run, quantum) {
  const { summary: s, header } = run;
  const velocity = header.mode === 'static' ? 'm' : 'm/s';
  const subspace = subspaceRows(header.scene, s.method);
  const energies = Object.entries(s.energies ?? {}).map(([name, value]) => [words(name), quantity(value, 'J')]);
  const parts = ['setup', 'steps', 'assembly', 'linear_solve', 'collision', 'line_search', 'output'];
  const seconds = parts.map((name) => [
    name === 'steps' ? 'all steps, including' : words(name),
    duration(s.seconds?.[name]),
  ]);
  byId('page-summary').replaceChildren(
    table('Run', [
      ['scene', s.scene],
      ['method', s.method],
      ['chosen because', s.method_reason ?? null],
      ['vertices', s.vertices],
      ['tets', s.tets],
      [subspace.length > 0 ? 'coordinates of the mesh' : 'unknowns', s.dofs],
      ...subspace,
      ['steps', run.complete ? s.steps : `${s.steps} of ${header.steps}`],
      ['converged', s.steps_converged],
      ['at the iteration limit', s.steps_budget || null],
      ['not converged', s.steps_failed],
      ['friction approximate', s.friction_unconverged_steps ?? null],
      [
        header.mode === 'static' ? 'load at the end' : 'time at the end',
        header.mode === 'static' ? plain(s.time) : quantity(s.time, 's', 4),
      ],
      ['time step', header.mode === 'static' ? null : quantity(header.time_step, 's')],
      ['threads', s.threads],
      ['version', s.version],
    ]),
    table('Numbers', [
      ['iterations', s.newton_iterations],
      ['linear iterations', s.linear_iterations],
      ['largest residual', quantity(s.max_residual, velocity)],
      ['largest friction residual', s.max_friction_residual === undefined ? null : plain(s.max_friction_residual)],
      ['tolerance', quantity(header.tolerance, velocity)],
      ['smallest distance', quantity(s.min_distance, 'm')],
      ['contact distance', header.contact_distance > 0 ? quantity(header.contact_distance, 'm') : null],
      ['smallest det F', plain(s.min_jacobian)],
      ['largest memory', `${plain(s.peak_memory_mb)} MB`],
    ]),
    table('Wall time', seconds),
    table('Energies at the end', energies),
    table('This page', [
      ['frames', run.frameCount],
      ['frame interval', header.every === 1 ? 'step' : `${header.every} steps`],
      ['rounding error of positions', `± ${quantity(quantum / 2, 'm', 2)}`],
      ['data', run.embedded ? 'in this file' : 'in the folder "report" beside it'],
    ]),
  );
}

export function warningsPage(run, player) {
  const page = byId('page-warnings');
  const friction = frictionWarning(run.summary);
  const count = run.warnings.length + run.unconverged.length + (friction ? 1 : 0);
  if (count > 0) byId('tab-warnings').append(element('span', { class: 'count' }, String(count)));
  page.replaceChildren();
  if (count === 0)
    page.append(element('p', { class: 'fine' }, 'No warnings, and all steps converged.'));
  if (run.warnings.length > 0) page.append(element('h2', {}, 'Scene'));
  for (const text of run.warnings) page.append(element('p', { class: 'warning' }, element('span', {}, text)));
  if (friction) {
    page.append(element('h2', {}, 'Friction'));
    page.append(element('p', { class: 'warning' }, element('span', {}, friction)));
  }
  if (run.unconverged.length > 0) page.append(element('h2', {}, 'Steps that did not converge'));
  for (const [step, reason] of run.unconverged.slice(0, mostListed)) {
    const jump = element('button', { type: 'button' }, `step ${step}`);
    jump.addEventListener('click', () => player.gotoStep(step));
    page.append(element('p', { class: 'warning' }, jump, element('span', {}, reason)));
  }
  if (run.unconverged.length > mostListed) {
    page.append(
      element('p', { class: 'fine' }, `and ${run.unconverged.length - mostListed} more: see "reason" in steps.jsonl`),
    );
  }
}

export function scenePage(run) {
  const text = JSON.stringify(run.header.scene, null, 2).replace(
    /\[\n\s+([^[\]{}]*?)\n\s*\]/g,
    (_, items) => `[${items.replace(/,\n\s+/g, ', ')}]`,
  ); // lists of numbers in a line
  const copy = element('button', { type: 'button' }, 'Copy');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(byId('scene-text'));
      copy.textContent = 'Selected: press Ctrl+C';
    }
  });
  byId('page-scene').replaceChildren(
    element('p', { class: 'hint' }, 'The scene with all its defaults.'),
    copy,
    element('pre', { id: 'scene-text', tabindex: '0' }, text),
  );
}
