/**
 * What the functions of the package take, by the schemas that they read. As a program it writes
 * schemas.txt, the list of all of them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRopewalk, inside } from './installed.mjs';
import { calls } from './probes.mjs';

const { observer } = await inside('runtime/schema');

/** Where an object is among the arguments, or undefined for one that the function made itself. */
function placeOf(object, container, path = []) {
  if (container === object) return path;
  if (typeof container !== 'object' || container === null || ArrayBuffer.isView(container))
    return undefined;
  for (const [key, member] of Object.entries(container)) {
    const place = placeOf(object, member, [...path, Array.isArray(container) ? +key : key]);
    if (place) return place;
  }
  return undefined;
}

/**
 * The objects of a call that have a schema: what errors call them, their place in the arguments, the
 * prefix of their options in errors, and the schema.
 */
export function objectsOf(call, args) {
  const objects = [];
  observer.read = (what, value, schema, at) => {
    const place = Object(value) === value && placeOf(value, args);
    const isKnown = objects.some((object) => object.schema === schema && object.at === at);
    if (place && !isKnown) objects.push({ what, place, at, schema });
  };
  try {
    call(...args);
  } finally {
    observer.read = undefined;
  }
  return objects.toSorted((a, b) => a.place[0] - b.place[0]);
}

/** An option in one line: kind, range, shape and default. */
export function optionText({ kind, rule, isRequired, fallback }) {
  if (rule === undefined) return `given: ${kind}`;
  const { least, most, isAbove, step, choices, axes } = rule;
  const listed = (values) => values.map((value) => JSON.stringify(value)).join(' ');
  return [
    rule.kind,
    ...(least === undefined ? [] : [`${isAbove ? '>' : '>='} ${least}`]),
    ...(most === undefined ? [] : [`<= ${most}`]),
    ...(step === undefined ? [] : [`by ${step}`]),
    ...(choices ? [`(${listed(choices)})`] : []),
    ...(axes ? [`[${axes.join(', ')}]`] : []),
    ...(isRequired ? ['required'] : fallback === undefined ? [] : [`= ${listed([fallback])}`]),
  ].join(' ');
}

const [{ positionSchemas }, { scalingSchemas }, { ownPositionSchemas }] = await Promise.all(
  ['attention/position', 'rotary/schemes', 'training/gradients'].map(inside),
);

/** The text of schemas.txt: every option of every function and scheme, a schema of several once. */
export async function schemaList() {
  const rw = await createRopewalk();
  const functions = Object.entries(calls).flatMap(([name, args]) =>
    objectsOf(rw[name], args()).map(({ what, at, schema }) => [
      at ? `${name} ${what}` : what,
      schema,
    ]),
  );
  const schemes = Object.entries({
    position: positionSchemas,
    scaling: scalingSchemas,
    'position with gradients': ownPositionSchemas,
  }).flatMap(([kind, all]) =>
    Object.entries(all).map(([type, schema]) => [`${kind} '${type}'`, schema]),
  );
  const titles = new Map();
  for (const [title, schema] of [...functions, ...schemes])
    titles.set(schema, [...(titles.get(schema) ?? []), title]);
  const lines = Array.from(titles, ([schema, of]) => [
    of.join(', '),
    ...Object.entries(schema).map(([name, option]) => `  ${name}: ${optionText(option)}`),
  ]);
  return `${lines.flat().join('\n')}\n`;
}

export const listFile = join(import.meta.dirname, 'schemas.txt');

if (process.argv[1] === import.meta.filename) writeFileSync(listFile, await schemaList());
