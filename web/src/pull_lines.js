// Pulls over the picture: a line from the pulled vertex to the place it is drawn to, with a dot there. Whose they are, the
// style tells.
import { svg } from './dom.js';

// Its tip is where the vertex is held.
const pinShape = 'M0 0C-1.5-6-7-8-7-14a7 7 0 0 1 14 0c0 6-5.5 8-7 14zM0-17a3 3 0 1 0 0 6a3 3 0 1 0 0-6z';

export class PullLines {
  constructor(stage) {
    this.stage = stage;
    this.list = [];
    this.nodes = [];
    this.picture = svg('svg', { class: 'pulls', 'aria-hidden': 'true' });
    stage.canvas.after(this.picture);
  }

  // [{object, vertex, target, own, pin}]
  set(list) {
    if (list.length === 0 && this.list.length === 0) return;
    this.list = list;
    this.stage.invalidate();
  }

  node(k) {
    if (!this.nodes[k]) {
      const parts = { halo: svg('line', { class: 'halo' }), line: svg('line'), end: svg('circle', { r: 3 }), dot: svg('circle', { r: 6 }), pin: svg('path', { d: pinShape }) };
      const group = svg('g', {}, ...Object.values(parts));
      this.picture.append(group);
      this.nodes[k] = { group, ...parts };
    }
    return this.nodes[k];
  }

  // Before each picture.
  update() {
    const { clientWidth: width, clientHeight: height } = this.stage.canvas;
    const { camera, surfaces } = this.stage;
    const shown = this.list.filter(({ object }) => surfaces[object]?.node.visible);
    if (shown.length > 0) {
      this.picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
      camera.updateMatrixWorld();
    }
    shown.forEach(({ object, vertex, target, own, pin: pinned }, k) => {
      const { group, halo, line, end, dot, pin } = this.node(k);
      const [from, to] = [surfaces[object].pointOf(vertex), target].map((place) => this.stage.pixelOf(place));
      group.setAttribute('class', `${own ? 'own' : 'other'}${pinned ? ' pinned' : ''}`);
      group.style.display = from && to ? '' : 'none';
      if (!from || !to) return;
      const set = (node, values) => {
        for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
      };
      for (const node of [halo, line]) set(node, { x1: from.x, y1: from.y, x2: to.x, y2: to.y });
      set(end, { cx: from.x, cy: from.y });
      set(dot, { cx: to.x, cy: to.y });
      set(pin, { transform: `translate(${to.x} ${to.y})` });
    });
    for (let k = shown.length; k < this.nodes.length; ++k) this.nodes[k].group.style.display = 'none';
  }
}
