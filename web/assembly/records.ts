/** The records of the schemes that have rows in tables, in the order of the chapters. */
import * as all from '../schemes/all.ts';
import type { SchemeRecord } from '../schemes/record.ts';

const order: readonly (keyof typeof all)[] = [
  'none',
  'integers',
  'interval',
  'bits',
  'waves',
  'sinusoidal',
  'learned',
  'recurrent',
  't5',
  'alibi',
  'kerple',
  'rope',
  'pi',
  'ntk',
  'byParts',
  'yarn',
  'rerope',
  'fox',
  'cope',
];

/** By name; `none` is the first. */
export const records: Readonly<Record<string, SchemeRecord>> = Object.fromEntries(
  order.map((name) => [name, all[name]]),
);

/** The schemes that have a part of the record, each with its name and that part. */
export const having = <Part extends keyof SchemeRecord>(part: Part) =>
  Object.entries(records).flatMap(([id, record]) => {
    const value = record[part];
    return value
      ? [{ id, name: record.name, value: value as NonNullable<SchemeRecord[Part]> }]
      : [];
  });
