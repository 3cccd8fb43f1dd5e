// Takes the steps of a packed model with the module of the page and compares the coordinates with those of the engine:
// node solver.mjs SOLVER.wasm MODEL STEPS. Ends with 1 if they
// differ by more than 1e-9. STEPS holds doubles: the number of steps, that of a vertex that is pulled from
// step 0 on (-1: none) and its target, then the coordinates after each step.
import { readFileSync } from 'node:fs';
import { Solver } from '../../web/self/solver.js';

const [wasm, model, steps] = process.argv.slice(2).map((path) => readFileSync(path));
const numbers = new Float64Array(steps.buffer.slice(steps.byteOffset, steps.byteOffset + steps.byteLength));
const [count, vertex] = numbers;
const solver = await Solver.start(new WebAssembly.Module(wasm), model, console.error);
if (vertex >= 0) solver.pull(1, vertex, numbers.subarray(2, 5));
const size = 3 * solver.rows;
if (numbers.length !== 5 + count * size) throw new Error(`found ${numbers.length} numbers of ${count} steps of ${size}`);
let worst = 0;
let seconds = 0;
for (let k = 0; k < count; ++k) {
  const begin = performance.now();
  solver.step();
  seconds += (performance.now() - begin) / 1000;
  const q = solver.coordinates();
  for (let i = 0; i < size; ++i) worst = Math.max(worst, Math.abs(q[i] - numbers[5 + k * size + i]));
}
console.error(JSON.stringify({ worst, milliseconds: (1000 * seconds) / count, ...solver.clock() }));
process.exitCode = worst <= 1e-9 ? 0 : 1;
