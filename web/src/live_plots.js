// Plots of a live simulation: the last steps, drawn anew a few times a second while they can be seen.
import { byId, element } from './dom.js';
import { Plot } from './plot.js';
import { colors } from './plots.js';
import { sensorDefinitions, sensorValue } from './sensor_plots.js';
import { words } from './units.js';

const mostRows = 600;
const every = 250; // ms

export class LivePlots {
  constructor(run, live) {
    this.page = byId('page-plots');
    this.steps = [];
    this.plots = [];
    this.energies = new Map();
    const hint = element('p', { class: 'hint' }, `Over the last ${mostRows} steps.`);
    const series = (name, color) => ({ name, color, values: [] });
    this.rate = series('steps a second', colors.one);
    this.seconds = series('one step', colors.two);
    this.newton = series('iterations', colors.one);
    this.linear = series('linear iterations', colors.two);
    const make = (facts) => {
      const plot = new Plot(facts, this.steps, () => {});
      this.plots.push(plot);
      return plot.node;
    };
    this.sensors = []; // {key, name, values}: the columns
    const sensors = sensorDefinitions(run.header.sensors, (key) => this.sensorColumn(run.header.sensors, key));
    this.page.append(
      ...sensors.map(make),
      make({ id: 'rate', title: 'Steps a second', unit: '', series: [this.rate] }),
      make({ id: 'seconds', title: 'Time of a step', unit: 's', series: [this.seconds] }),
      make({ id: 'newton', title: 'Iterations', unit: '', canLog: true, series: [this.newton, this.linear] }),
      make({ id: 'energies', title: 'Energies', unit: 'J', canLog: true, series: [] }),
      hint,
    );
    this.energyPlot = this.plots.at(-1);
    live.on('rows', (message) => this.add(message));
    this.timer = setInterval(() => this.draw(), every);
  }

  get columns() {
    return [this.rate, this.seconds, this.newton, this.linear, ...this.energies.values(), ...this.sensors].map((s) => s.values);
  }

  sensorColumn(sensors, key) {
    const { name } = sensors.find((s) => key === s.name || s.parts.some((_, k) => key === `${s.name}.${k}`));
    const values = [];
    this.sensors.push({ key, name, values });
    return values;
  }

  add({ rate, rows }) {
    for (const row of rows) {
      if (this.steps.length > 0 && row.step <= this.steps.at(-1)) this.clear(); // reset
      for (const name of Object.keys(row.energies ?? {})) this.energy(name);
      this.steps.push(row.step);
      this.rate.values.push(rate ?? null);
      this.seconds.values.push(row.seconds?.steps ?? null);
      this.newton.values.push(row.newton_iterations ?? null);
      this.linear.values.push(row.linear_iterations ?? null);
      for (const [name, { values }] of this.energies) values.push(row.energies?.[name] ?? null);
      for (const { key, name, values } of this.sensors) values.push(sensorValue(row, key, name));
    }
    const extra = this.steps.length - mostRows;
    if (extra > 0) for (const list of [this.steps, ...this.columns]) list.splice(0, extra);
    this.grown = true;
  }

  // Those that are zero for ever are left out.
  energy(name) {
    if (this.energies.has(name)) return;
    const values = this.steps.map(() => null);
    this.energies.set(name, { name: words(name), color: colors[name] ?? colors.other, values });
  }

  clear() {
    for (const list of [this.steps, ...this.columns]) list.length = 0;
  }

  draw() {
    if (!this.grown || this.page.hidden || document.hidden || this.page.clientWidth === 0) return;
    this.grown = false;
    const present = ({ values }) => values.some((v) => v !== null && v !== 0);
    this.energyPlot.setSeries([...this.energies.values()].filter(present));
    for (const plot of this.plots) plot.grow();
  }
}
