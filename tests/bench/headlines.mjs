/**
 * What each group promises, over all processes: a loop now and then lands in a slow mode of the
 * JIT, for as long as its process lives.
 */
import { median } from './harness.mjs';

/** [{ name, goal, unit, values }], a value per process. */
export function headlinesOf(groups, names, processes) {
  return names.flatMap((group) => {
    const perProcess = processes.map((results) => groups[group].headlines(results[group]));
    return perProcess[0].map(({ value: _, ...headline }, i) => ({
      ...headline,
      values: perProcess.map((list) => list[i].value).filter((value) => value !== undefined),
    }));
  });
}

export function headlineTable(headlines, processCount) {
  const number = (value) => (value === undefined ? undefined : value.toPrecision(3));
  const rows = headlines.map(({ name, unit, goal, values }) => [
    name,
    values.length > 0 ? number(median(values)) : undefined,
    values.length > 1
      ? `${number(Math.min(...values))} … ${number(Math.max(...values))}`
      : undefined,
    goal === undefined ? undefined : `${goal} ${unit}`.trim(),
  ]);
  return {
    title: `Headlines, ${processCount} fresh process(es)`,
    columns: ['', 'median', 'spread', 'goal'],
    rows,
  };
}
