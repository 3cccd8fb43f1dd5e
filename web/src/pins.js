// Pins of a live simulation: a stiff pull holds a vertex where it is until it is unpinned. A right click, a long press,
// or the key N pins what lies there, and unpins a pin that lies there.
import { byId } from './dom.js';

const still = 4; // pixels within which a press is a click
const near = 14; // pixels from a pin at which a press means it
const long = 550; // ms

const keyOf = (object, vertex) => `pin ${object} ${vertex}`;

export class Pins {
  constructor(stage, live, store, pulls) {
    Object.assign(this, { stage, store, pulls });
    const { canvas } = stage;
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    canvas.addEventListener('pointermove', (e) => {
      this.pointer = [e.clientX, e.clientY];
    });
    canvas.addEventListener('pointerleave', () => {
      this.pointer = null;
    });
    canvas.parentElement.addEventListener('pointerdown', (e) => this.down(e), true);
    document.addEventListener('pointerup', (e) => this.up(e), true);
    byId('unpin').addEventListener('click', () => this.clear());
    pulls.onChange = () => this.tell();
    live.on('error', ({ id }) => {
      const refused = [...pulls.held].find(([, pull]) => pull.pin && pull.id === id);
      if (refused) pulls.release(refused[0]);
    });
  }

  get list() {
    return [...this.pulls.held.values()].filter((pull) => pull.pin);
  }

  pin(object, vertex) {
    this.pulls.hold(keyOf(object, vertex), object, vertex, this.stage.surfaces[object].pointOf(vertex), true);
  }

  unpin({ object, vertex }) {
    this.pulls.release(keyOf(object, vertex));
  }

  clear() {
    for (const pin of this.list) this.unpin(pin);
  }

  // At a point of the page.
  toggleAt(x, y) {
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    const distance = ({ object, vertex }) => {
      const at = this.stage.pixelOf(this.stage.surfaces[object].pointOf(vertex));
      return at ? Math.hypot(at.x + left - x, at.y + top - y) : Infinity;
    };
    const nearest = this.list.sort((a, b) => distance(a) - distance(b))[0];
    if (nearest && distance(nearest) < near) return this.unpin(nearest);
    const probe = this.stage.pick(x, y);
    return this.isBody(probe) ? this.pin(probe.object, probe.vertex) : undefined;
  }

  // What lies under the pointer, or else the vertex that is read.
  toggle() {
    if (this.pointer) return this.toggleAt(...this.pointer);
    const { probe } = this.store.state;
    if (!this.isBody(probe)) return undefined;
    const known = this.list.find(({ object, vertex }) => object === probe.object && vertex === probe.vertex);
    return known ? this.unpin(known) : this.pin(probe.object, probe.vertex);
  }

  isBody(probe) {
    return Boolean(probe) && this.stage.surfaces[probe.object].facts.kind === 'body';
  }

  down(event) {
    clearTimeout(this.timer);
    this.pressed = event.button === 2 && event.target === this.stage.canvas ? [event.clientX, event.clientY] : null;
    if (event.pointerType !== 'touch') return;
    this.timer = setTimeout(() => {
      const pull = this.pulls.held.get(event.pointerId);
      if (!pull || pull.dragged) return;
      this.pulls.release(event.pointerId);
      this.toggleAt(event.clientX, event.clientY);
    }, long);
  }

  up(event) {
    clearTimeout(this.timer);
    const { pressed } = this;
    this.pressed = null;
    if (!pressed || event.button !== 2) return;
    if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) <= still) this.toggleAt(...pressed);
  }

  tell() {
    const count = this.list.length;
    byId('live-pins').hidden = count === 0;
    byId('live-pins').firstElementChild.textContent = count === 1 ? '1 point is pinned.' : `${count} points are pinned.`;
  }
}
