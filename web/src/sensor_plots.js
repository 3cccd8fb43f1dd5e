// Plots of sensors, one for each quantity: the components of a vector are lines.
import { colors } from './plots.js';

// A function, since plots.js imports this module.
const colorOf = (k) => [colors.one, colors.two, colors.three, colors.friction, colors.line_search, colors.gravity][k % 6];

// The columns of a quantity: {key, name}, by the names that rows.sensors has.
function columnsOf({ name, parts }) {
  if (parts.length === 0) return [{ key: name, name }];
  return parts.map((part, k) => ({ key: `${name}.${k}`, name: part }));
}

// One plot for each quantity of the header; values(key) is the column.
export function sensorDefinitions(sensors, values) {
  return (sensors ?? []).map((sensor, k) => ({
    id: `sensor-${k}`,
    title: sensor.name,
    unit: sensor.unit,
    series: columnsOf(sensor).map(({ key, name }, i) => ({
      name,
      color: colorOf(i),
      values: values(key),
    })),
  }));
}

// The number of a column in a row of steps.jsonl, or null.
export function sensorValue(row, key, name) {
  const dot = name.indexOf('.');
  const value = row.sensors?.[name.slice(0, dot)]?.[name.slice(dot + 1)];
  if (!Array.isArray(value)) return value ?? null;
  return value[Number(key.slice(name.length + 1))] ?? null;
}
