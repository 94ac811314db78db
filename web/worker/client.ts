/**
 * The engine as the page sees it: every function of the package and every job, as promises.
 *
 *   const table = await engine.sinusoidal({ positions: 50, dim: 128 });
 *   const mine = engine.channel();            // requests of one sender: the latest wins
 *   const result = await mine.runLab(input);  // rejects with Superseded if that is not the latest
 *
 * The engine of a figure has the jobs of every file that worker/figure_jobs.ts names, with types:
 *
 *   compute: (settings, engine) => engine.wordOrder(settings)
 *
 * Requests wait here, not in the worker, so that one that is superseded is never computed.
 */
import type { Ropewalk } from 'ropewalk';
import type { Job, Reply, Request } from './protocol.ts';
import { spawner, type Computer } from './spawn.ts';

/** The functions of the package and of a module of jobs; what else such a module exports is not. */
export type EngineFunctions<JobModule = unknown> = {
  [Name in keyof Ropewalk as Ropewalk[Name] extends AnyFunction ? Name : never]: Promised<
    Ropewalk[Name]
  >;
} & {
  [Name in keyof JobModule as JobModule[Name] extends Job<never> ? Name : never]: PromisedJob<
    JobModule[Name]
  >;
};

type AnyFunction = (...args: never[]) => unknown;

type Promised<F> = F extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

type PromisedJob<J> = J extends (instance: never, ...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

export type Engine<JobModule = unknown> = EngineFunctions<JobModule> & {
  /** The same functions for one sender: a new request supersedes its previous one. */
  channel(): Engine<JobModule>;
};

/** A newer request of the same channel replaced this one: not an error, show nothing. */
export class Superseded extends Error {
  override name = 'Superseded';
}

interface Pending {
  name: string;
  args: unknown[];
  channel: symbol | undefined;
  attempts: number;
  superseded: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const attemptLimit = 2;

/** The worker starts with the first request; all figures of a page share one engine. */
export function createEngine<JobModule = unknown>(spawn = spawner()): Engine<JobModule> {
  return functionsOf(new RequestQueue(spawn)) as Engine<JobModule>;
}

function functionsOf(queue: RequestQueue, channel?: symbol): Engine {
  return new Proxy({} as Engine, {
    get(_, name) {
      if (name === 'channel') return () => functionsOf(queue, Symbol('channel'));
      // `await engine` reads `then`, which is no function of the package.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      return (...args: unknown[]) => queue.request(name, args, channel);
    },
  });
}

/** The requests in order, at most one of them with the worker. */
class RequestQueue {
  #spawn: () => Computer;
  #worker: Computer | undefined;
  #waiting: Pending[] = [];
  #running: Pending | undefined;
  #id = 0;

  constructor(spawn: () => Computer) {
    this.#spawn = spawn;
  }

  request(name: string, args: unknown[], channel: symbol | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (channel) this.#supersede(channel);
      this.#waiting.push({ name, args, channel, attempts: 0, superseded: false, resolve, reject });
      this.#next();
    });
  }

  #supersede(channel: symbol) {
    const running = this.#running ? [this.#running] : [];
    for (const pending of [...this.#waiting, ...running]) {
      if (pending.channel !== channel) continue;
      pending.superseded = true;
      pending.reject(new Superseded('a newer request was made'));
    }
    this.#waiting = this.#waiting.filter((pending) => !pending.superseded);
  }

  #next() {
    if (this.#running) return;
    const pending = this.#waiting.shift();
    if (!pending) return;
    this.#running = pending;
    pending.attempts++;
    const request: Request = { id: ++this.#id, name: pending.name, args: pending.args };
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(request);
    } catch (error) {
      // The arguments cannot be copied to a worker, or no worker can be made here.
      this.#settle(() => pending.reject(error as Error));
    }
  }

  #start(): Computer {
    const worker = this.#spawn();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker === this.#worker && data.id === this.#id) this.#receive(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#restart(event.message || 'the worker could not be loaded');
    };
    worker.onmessageerror = () => {
      if (worker === this.#worker) this.#restart('a reply could not be read');
    };
    return worker;
  }

  #receive(reply: Reply) {
    if (reply.kind === 'done') this.#settle((pending) => pending.resolve(reply.value));
    else if (reply.kind === 'failed') this.#settle((pending) => pending.reject(revive(reply)));
    else this.#restart(reply.message);
  }

  /** The worker is lost: the next request gets a new one, and this request one more try. */
  #restart(reason: string) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle((pending) => {
      if (pending.superseded) return;
      if (pending.attempts < attemptLimit) this.#waiting.unshift(pending);
      else pending.reject(new Error(`The engine was started again and stopped again: ${reason}`));
    });
  }

  #settle(outcome: (pending: Pending) => void) {
    const pending = this.#running;
    this.#running = undefined;
    if (pending) outcome(pending);
    this.#next();
  }
}

/** An error as it was thrown on the other side: the package's own kinds keep their class. */
function revive({ name, message, ...about }: Extract<Reply, { kind: 'failed' }>): Error {
  const kinds: Record<string, new (message: string) => Error> = { TypeError, RangeError };
  const error = new (kinds[name] ?? Error)(message);
  error.name = name;
  const { parameter, rule, value } = about;
  return parameter === undefined ? error : Object.assign(error, { parameter, rule, value });
}
