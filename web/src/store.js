// The state of the page: what is shown and how. Parts of the page subscribe; a change tells them which keys changed.
export class Store {
  constructor(state) {
    this.state = state;
    this.listeners = [];
  }

  subscribe(listener) {
    this.listeners.push(listener);
  }

  set(changes) {
    const changed = new Set(Object.keys(changes).filter((key) => this.state[key] !== changes[key]));
    if (changed.size === 0) return;
    Object.assign(this.state, changes);
    for (const listener of this.listeners) listener(this.state, changed);
  }
}

export const initialState = {
  frame: 0, // index, as wished; `shown` follows when its data are there
  shown: null, // the decoded frame
  playing: false,
  speed: 1, // simulated seconds a second
  loop: true,
  sound: false, // whether that of a run is heard
  colorBy: 'body', // as the run suggests; body, material, or the name of a field
  rangeMode: 'usual', // usual, run, frame, custom
  customRange: null, // [low, high]
  map: null, // viridis, cividis, coolwarm, or null: as suits the field
  log: false, // logarithmic colour scale
  hidden: new Set(), // names of objects and planes
  edges: 'none', // none, over, only
  flat: false,
  clip: null, // or {axis, at (0..1), flip}
  follow: false, // the camera goes along with a body
  probe: null, // {object, vertex}
  handle: 0, // of a subspace, whose function is shown
  phase: 0.25, // of modes, 0 to 1 in an oscillation; here the largest displacement
  amplitude: 0.1, // of modes: largest displacement over the diagonal
  period: 2, // of modes: seconds of wall time for an oscillation
  dots: new Set(), // of a subspace: handles, cubature
  theme: null, // light, dark, or null: as the system is
};
