// Pulling at bodies: a press on a body holds the vertex there, and moving draws it along the plane parallel to the screen.
// Elsewhere, with Shift, and with two fingers that come down together, the view turns as ever.
import { MOUSE, TOUCH, Vector3 } from 'three';

const click = 4; // pixels within which a press is no pull but reads a vertex
const together = 150; // ms within which a second finger makes both turn the view

export class Pulls {
  constructor(stage, live, store) {
    Object.assign(this, { stage, live, store, held: new Map(), next: 1, others: [] });
    this.controls = stage.rig.controls;
    this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_ROTATE };
    const view = stage.canvas.parentElement;
    view.addEventListener('pointerdown', (e) => this.down(e), true);
    document.addEventListener('pointermove', (e) => this.move(e), true);
    for (const name of ['pointerup', 'pointercancel']) document.addEventListener(name, (e) => this.up(e), true);
    window.addEventListener('blur', () => this.letGo());
    live.on('frame', (frame) => {
      this.compare(frame.pulls);
      this.setOthers(frame.pulls);
    });
    live.on('connection', (connected) => {
      if (!connected) this.held.clear();
      this.setOthers([]);
    });
  }

  // ---- pulls

  // Holds a vertex at a place relative to the origin; returns the pull. `pin`: by a stiff spring, until it is released.
  hold(key, object, vertex, target, pin = false) {
    const pull = { id: this.next++, object, vertex, target, pin, moved: true };
    this.held.set(key, pull);
    this.changed();
    return pull;
  }

  drag(pull, target) {
    pull.target = target;
    pull.moved = true;
    this.changed();
  }

  // Of one pointer, or of all.
  release(key) {
    const keys = key === undefined ? [...this.held.keys()] : [key];
    for (const each of keys) {
      const pull = this.held.get(each);
      if (!pull) continue;
      this.held.delete(each);
      if (pull.sent) this.live.send({ type: 'release', id: pull.id });
    }
    this.draw();
  }

  // Those of pointers, but no pins.
  letGo() {
    for (const [key, pull] of [...this.held]) if (!pull.pin) this.release(key);
  }

  // Pins that the server no longer has, after a reset say, are gone.
  compare(pulls) {
    for (const [key, pin] of [...this.held]) {
      if (!pin.pin) continue;
      const there = pulls.some(({ client, id }) => client === this.live.client && id === pin.id);
      if (pin.seen && !there) this.held.delete(key);
      pin.seen ||= there;
    }
  }

  setOthers(pulls) {
    this.others = pulls.filter((p) => p.client !== this.live.client);
    this.draw();
  }

  draw() {
    const own = [...this.held.values()].map((pull) => ({ ...pull, own: true }));
    this.stage.pulls.set([...own, ...this.others]);
    this.onChange?.();
  }

  // Each pull is told of at most once a picture.
  changed() {
    this.draw();
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.tell();
    });
  }

  tell() {
    if (!this.live.socket.free) return this.live.connected ? this.changed() : undefined;
    for (const pull of this.held.values()) {
      if (!pull.moved) continue;
      const { id, object, vertex } = pull;
      const target = pull.target.map((c, a) => c + this.stage.run.origin[a]);
      this.live.send({ type: 'pull', id, object, vertex, target, ...(pull.pin ? { pin: true } : {}) });
      pull.moved = false;
      pull.sent = true;
    }
  }

  // ---- pointers

  down(event) {
    const { stage } = this;
    if (event.target !== stage.canvas || event.handedOver) return;
    this.controls.mouseButtons.LEFT = event.shiftKey ? MOUSE.PAN : MOUSE.ROTATE; // OrbitControls swap them with Shift
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey || !this.live.connected) return;
    const fresh = [...this.held].find(([, p]) => p.finger && !p.dragged && event.timeStamp - p.finger.timeStamp < together);
    if (event.pointerType === 'touch' && fresh) {
      this.release(fresh[0]);
      this.handOver(fresh[1].finger);
      return;
    }
    const probe = stage.pick(event.clientX, event.clientY);
    if (!probe || stage.surfaces[probe.object].facts.kind !== 'body') return;
    event.stopPropagation();
    stage.canvas.focus();
    stage.canvas.setPointerCapture(event.pointerId);
    const place = stage.surfaces[probe.object].pointOf(probe.vertex);
    const pull = this.hold(event.pointerId, probe.object, probe.vertex, place);
    const at = stage.pointAt(event.clientX, event.clientY, new Vector3(...place));
    pull.offset = place.map((c, a) => c - (at ? at.getComponent(a) : c));
    pull.start = [event.clientX, event.clientY];
    pull.finger = event.pointerType === 'touch' ? event : null;
  }

  // Lets the view have a finger that came down on a body.
  handOver(finger) {
    const { pointerId, pointerType, clientX, clientY } = finger;
    const again = new PointerEvent('pointerdown', { pointerId, pointerType, clientX, clientY, bubbles: true });
    again.handedOver = true;
    this.stage.canvas.dispatchEvent(again);
  }

  move(event) {
    const pull = this.held.get(event.pointerId);
    if (!pull?.start) return;
    if (event.pointerType === 'mouse' && event.buttons === 0) {
      this.release(event.pointerId);
      return;
    }
    pull.dragged ||= Math.hypot(event.clientX - pull.start[0], event.clientY - pull.start[1]) > click;
    if (!pull.dragged) return;
    const beside = pull.target.map((c, a) => c - pull.offset[a]);
    const at = this.stage.pointAt(event.clientX, event.clientY, new Vector3(...beside));
    if (at) this.drag(pull, pull.offset.map((c, a) => c + at.getComponent(a)));
  }

  up(event) {
    const pull = this.held.get(event.pointerId);
    if (!pull) return;
    this.release(event.pointerId);
    if (event.type === 'pointerup' && !pull.dragged) {
      this.store.set({ probe: { object: pull.object, vertex: pull.vertex } });
    }
  }
}
