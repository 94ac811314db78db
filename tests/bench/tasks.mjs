/** Tasks of a page's main thread, from Chromium's trace, by the time that its processor spent. */

export const traceCategories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];

const task = 'RunTask';
/** As many parts of a task as a reader takes in. */
const partCount = 4;

/**
 * The longest task after each mark of these names: { name: { longest, parts } }, in milliseconds of
 * a processor `slowdown` times slower.
 */
export function longestTasks({ traceEvents }, names, slowdown = 1) {
  const marks = traceEvents
    .filter(({ cat, name }) => cat.includes('blink.user_timing') && names.includes(name))
    .sort((a, b) => a.ts - b.ts);
  const scale = slowdown / 1000;
  const { pid, tid } = marks[0];
  const spans = traceEvents
    .filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X')
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const worst = {};
  for (const [index, span] of spans.entries()) {
    if (span.name !== task) continue;
    const mark = marks.findLast(({ ts }) => ts <= span.ts);
    if (!mark || span.tdur <= (worst[mark.name]?.span.tdur ?? 0)) continue;
    worst[mark.name] = { span, index };
  }
  const entries = Object.entries(worst).map(([name, { span, index }]) => [
    name,
    { longest: scale * span.tdur, parts: partsOf(spans, index, scale) },
  ]);
  return Object.fromEntries(entries);
}

/** What a task did, by the time that each kind of work took itself, without the work inside it. */
function partsOf(spans, index, scale) {
  const whole = spans[index];
  const end = whole.ts + whole.dur;
  const times = new Map();
  const open = [];
  const add = (span, time) => times.set(span.name, (times.get(span.name) ?? 0) + scale * time);
  for (let k = index; k < spans.length && spans[k].ts < end; k++) {
    const span = spans[k];
    while (open.length > 0 && open.at(-1).ts + open.at(-1).dur <= span.ts) open.pop();
    if (open.length > 0) add(open.at(-1), -(span.tdur ?? 0));
    add(span, span.tdur ?? 0);
    open.push(span);
  }
  return [...times]
    .map(([name, time]) => ({ name, time }))
    .filter(({ name, time }) => name !== task && time >= 1)
    .sort((a, b) => b.time - a.time)
    .slice(0, partCount);
}
