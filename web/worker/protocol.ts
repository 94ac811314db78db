/** What the page and its worker say to each other. */
import type { Ropewalk } from 'ropewalk';
import type { Jobs } from './jobs.ts';

type AnyFunction = (...args: never[]) => unknown;

/** The package's functions and the jobs, under one set of names. */
export type Functions = {
  [Name in keyof Ropewalk as Ropewalk[Name] extends AnyFunction ? Name : never]: Ropewalk[Name];
} & {
  [Name in keyof Jobs]: Jobs[Name] extends (rw: Ropewalk, ...args: infer A) => infer R
    ? (...args: A) => R
    : never;
};

export interface Request {
  id: number;
  name: string;
  args: unknown[];
}

export type Reply =
  | { id: number; kind: 'done'; value: unknown }
  /** An ordinary error: the module is well and answers the next question. */
  | { id: number; kind: 'failed'; name: string; message: string }
  /** WebAssembly trapped: the instance cannot be trusted any more. */
  | { id: number; kind: 'broken'; message: string };
