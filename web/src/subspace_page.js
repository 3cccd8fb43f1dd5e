// The parts of a subspace's page: the bar that chooses a function, what is drawn, the probe, and the summary.
import { byId, element } from './dom.js';
import { table } from './pages.js';
import { duration, plain, words } from './units.js';

const mostListed = 8; // weights at a vertex
const mostBodies = 200;

// The name of a handle, counted from 1, with its cluster.
export function handleName({ subspace }, handle) {
  const cluster = subspace.clusterOf[handle];
  return `handle ${handle + 1}${cluster >= 0 && cluster !== handle ? ` (cluster ${cluster + 1})` : ''}`;
}

export class SubspaceControls {
  constructor(run, stage, store) {
    Object.assign(this, { run, stage, store, last: run.subspace.handles - 1 });
    byId('handle-slider').max = run.subspace.handles;
    byId('handle-slider').addEventListener('input', (e) => this.choose(Number(e.target.value) - 1));
    byId('handle-previous').addEventListener('click', () => this.step(-1));
    byId('handle-next').addEventListener('click', () => this.step(1));
    byId('handle-all').addEventListener('click', () => store.set({ colorBy: 'cluster' }));
    for (const name of ['handles', 'cubature']) {
      byId(`dots-${name}`).addEventListener('change', () => this.toggle(name));
    }
    for (const name of ['slider', 'previous', 'next']) byId(`handle-${name}`).disabled = this.last < 0;
    byId('dots-cubature').disabled = run.subspace.points === 0;
    byId('cubature-note').hidden = run.subspace.points > 0;
    store.subscribe((state, changed) => this.update(state, changed));
  }

  // Shows the function of a handle.
  choose(handle) {
    if (this.last < 0) return;
    this.store.set({ handle: Math.min(Math.max(handle, 0), this.last), colorBy: 'basis' });
  }

  // Of a cluster that was clicked, where colours are those of clusters or functions.
  chooseCluster(cluster) {
    const handle = this.run.subspace.handleOf[cluster];
    if (handle >= 0 && ['cluster', 'basis'].includes(this.store.state.colorBy)) this.choose(handle);
  }

  step(by) {
    const { handle, colorBy } = this.store.state;
    this.choose(colorBy === 'basis' ? handle + by : handle);
  }

  toggle(name) {
    if (name === 'cubature' && this.run.subspace.points === 0) return;
    const dots = new Set(this.store.state.dots);
    if (!dots.delete(name)) dots.add(name);
    this.store.set({ dots });
  }

  update(state, changed) {
    if (changed.has('dots')) {
      for (const name of ['handles', 'cubature']) byId(`dots-${name}`).checked = state.dots.has(name);
    }
    if (!changed.has('handle') && !changed.has('colorBy')) return;
    const one = state.colorBy === 'basis';
    byId('handle-slider').value = state.handle + 1;
    byId('handle-slider').setAttribute('aria-valuetext', handleName(this.run, state.handle));
    byId('handle-all').setAttribute('aria-pressed', String(state.colorBy === 'cluster'));
    byId('handle-name').replaceChildren(
      one ? `function ${state.handle + 1}` : `by ${words(state.colorBy)}`,
      element('small', {}, one ? `of ${this.last + 1}` : this.last < 0 ? 'no handles' : 'choose a function'),
    );
  }
}

// What a click on a surface tells: cluster and weights there.
export function probeRows(run, stage, { object, vertex, cluster }) {
  const body = stage.bodies.indexOf(stage.surfaces[object]);
  if (body < 0) return [];
  const list = run.subspace.weightsAt(body, vertex);
  const rows = list.slice(0, mostListed).map(([handle, weight]) => [handleName(run, handle), plain(weight)]);
  if (list.length === 0) rows.push(['fixed', 'no handle moves this vertex']);
  if (list.length > mostListed) rows.push(['smaller weights', `${list.length - mostListed} more`]);
  if (cluster !== undefined) rows.unshift(['cluster', String(cluster + 1)]);
  return rows;
}

export function subspaceBadges(run) {
  const { summary: s } = run;
  const count = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
  const list = [
    count(s.vertices, 'vertex', 'vertices'),
    count(s.tets, 'tet', 'tets'),
    count(s.clusters, 'cluster', 'clusters'),
    count(s.handles, 'handle', 'handles'),
  ];
  byId('badges').replaceChildren(...list.map((text) => element('span', { class: 'badge' }, text)));
}

export function subspaceSummary(run) {
  const { summary: s } = run;
  const rowsOf = (c) => [
    ['vertices', c.vertices],
    ['tets', c.tets],
    ['clusters', c.clusters],
    ['handles', c.handles],
    ['weights per vertex, mean', plain(c.weights_per_vertex)],
    ['largest cluster volume / mean', plain(c.volume_balance)],
    ['cubature points', c.cubature_points ?? null],
  ];
  const tables = [
    table('Subspace', [
      ['scene', s.scene],
      ['partition', s.partition],
      ['basis', s.basis],
      ['cubature', s.cubature ?? 'none'],
      ...rowsOf(s),
      ['edges from a cluster’s centre to its farthest vertex, mean', plain(s.mean_hops)],
      [s.cached ? 'time to read the cache' : 'time to build', duration(s.seconds)],
      ['version', run.header.version],
    ]),
  ];
  if (s.bodies.length > 1) tables.push(...s.bodies.slice(0, mostBodies).map((body) => table(body.name, rowsOf(body))));
  const page = byId('page-summary');
  page.replaceChildren(...tables);
  if (s.bodies.length > mostBodies) {
    page.append(element('p', { class: 'fine' }, `Bodies not shown: ${s.bodies.length - mostBodies}. sinew subspace SCENE --json FILE lists all.`));
  }
}
