/** What the page and its worker send to each other. */
import type { ParameterError, Ropewalk } from 'ropewalk';

/** A function that the worker calls with its instance of the package and the page's arguments. */
export type Job<Instance = Ropewalk> = (rw: Instance, ...args: never[]) => unknown;

export type Jobs<Instance = Ropewalk> = Readonly<Record<string, Job<Instance>>>;

/** Loads the job of this name; undefined if it is a function of the instance. */
export type FindJob<Instance = Ropewalk> = (name: string) => Promise<Job<Instance> | undefined>;

export interface Request {
  id: number;
  name: string;
  args: unknown[];
}

/** What an error about a parameter says of it. */
export type About = Pick<ParameterError, 'parameter' | 'rule' | 'value'>;

export type Reply =
  | { id: number; kind: 'done'; value: unknown }
  /** An ordinary error: the instance stays usable. */
  | ({ id: number; kind: 'failed'; name: string; message: string } & Partial<About>)
  /** WebAssembly trapped or a script could not be loaded: only a new worker may work again. */
  | { id: number; kind: 'broken'; message: string };

export type Handler = (request: Request) => Promise<Reply>;
