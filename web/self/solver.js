// The engine as WebAssembly: a run of a packed model. The module needs a clock and nothing else of its host.
export class SolverError extends Error {}

const text = new TextDecoder();

export class Solver {
  // module: a compiled WebAssembly.Module. model: bytes of packed/model_bytes.h. told: receives warnings.
  static async start(module, model, told = () => {}) {
    const solver = new Solver();
    const read = (at, size) => text.decode(new Uint8Array(solver.memory.buffer, at, size));
    const given = {
      page: {
        fail: (at, size) => {
          throw new SolverError(read(at, size));
        },
        message: (_, at, size) => told(read(at, size)),
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_, __, at) => {
          new DataView(solver.memory.buffer).setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true);
          return 0;
        },
        environ_sizes_get: (count, size) => {
          const view = new DataView(solver.memory.buffer);
          view.setUint32(count, 0, true);
          view.setUint32(size, 0, true);
          return 0;
        },
        environ_get: () => 0,
      },
    };
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] ??= {};
      imports[from][name] =
        given[from]?.[name] ??
        ((...values) => {
          throw new SolverError(`the module calls ${name}(${values}), which a page does not have`);
        });
    }
    const instance = await WebAssembly.instantiate(module, imports);
    solver.calls = instance.exports;
    solver.memory = solver.calls.memory;
    solver.calls._initialize?.();
    const at = solver.calls.allocate(model.length);
    new Uint8Array(solver.memory.buffer, at, model.length).set(model);
    solver.calls.start(at, model.length);
    solver.calls.release_memory(at);
    solver.rows = solver.calls.rows();
    return solver;
  }

  numbers(at, count) {
    return new Float64Array(this.memory.buffer, at, count);
  }

  // converged, budget or failed.
  step() {
    return ['converged', 'budget', 'failed'][this.calls.step()];
  }

  clock() {
    const [step, time] = this.numbers(this.calls.clock(), 2);
    return { step, time };
  }

  // rows numbers for each axis.
  coordinates() {
    return this.numbers(this.calls.coordinates(), 3 * this.rows);
  }

  place(vertex) {
    return [...this.numbers(this.calls.place(vertex), 3)];
  }

  // stiffness 0: that of `sinew live`.
  pull(id, vertex, [x, y, z], stiffness = 0) {
    this.calls.pull(id, vertex, x, y, z, stiffness);
  }

  release(id) {
    this.calls.release(id);
  }

  setGravity([x, y, z]) {
    this.calls.set_gravity(x, y, z);
  }

  setFriction(coefficient) {
    this.calls.set_friction(coefficient);
  }

  setIterations(count) {
    this.calls.set_iterations(count);
  }
}
