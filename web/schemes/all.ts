/** The records of all schemes, in the order of the chapters. */
import * as bias from './bias.ts';
import * as input from './input.ts';
import type { SchemeRecord } from './record.ts';
import * as rotary from './rotary.ts';
import * as text from './text.ts';

/** By name; `none` is the first. */
export const records: Readonly<Record<string, SchemeRecord>> = {
  ...input.records,
  ...bias.records,
  ...rotary.records,
  ...text.records,
};

/** The schemes that have a part of the record, each with its name and that part. */
export const having = <Part extends keyof SchemeRecord>(part: Part) =>
  Object.entries(records).flatMap(([id, record]) => {
    const value = record[part];
    return value
      ? [{ id, name: record.name, value: value as NonNullable<SchemeRecord[Part]> }]
      : [];
  });
