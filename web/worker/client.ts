/**
 * The engine as the page sees it: every function of the package and every job, as promises.
 *
 *   const table = await engine.sinusoidal({ positions: 50, dim: 128 });
 *   const mine = engine.asker();                // one figure's own line: its latest question wins
 *   const answer = await mine.lab(question);    // rejects with Superseded if mine asks again first
 *
 * The functions of a file of jobs are there with their types where that file is named:
 *
 *   compute: (settings, engine: Engine<typeof import('./jobs.ts')>) => engine.wordOrder(settings)
 *
 * Questions wait here, not in the worker, so that one that is superseded is never computed.
 */
import type { Ropewalk } from 'ropewalk';
import type { Job, Reply, Request } from './protocol.ts';
import { spawner, type Computer } from './spawn.ts';

/** The functions of the package and of a module of jobs; what else such a module exports is not. */
export type Answers<JobModule = unknown> = {
  [Name in keyof Ropewalk as Ropewalk[Name] extends AnyFunction ? Name : never]: Promised<
    Ropewalk[Name]
  >;
} & {
  [Name in keyof JobModule as JobModule[Name] extends Job ? Name : never]: PromisedJob<
    JobModule[Name]
  >;
};

type AnyFunction = (...args: never[]) => unknown;

type Promised<F> = F extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

type PromisedJob<J> = J extends (rw: Ropewalk, ...args: infer A) => infer R
  ? (...args: A) => Promise<Awaited<R>>
  : never;

export type Engine<JobModule = unknown> = Answers<JobModule> & {
  /** The same functions for one asker: a new question of its supersedes the one before. */
  asker(): Engine<JobModule>;
};

/** A newer question of the same asker took this one's place: nothing went wrong, show nothing. */
export class Superseded extends Error {
  override name = 'Superseded';
}

interface Question {
  name: string;
  args: unknown[];
  asker: symbol | undefined;
  attempts: number;
  superseded: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const attemptLimit = 2;

/** The worker starts with the first question; all figures of a page share one engine. */
export function createEngine<JobModule = unknown>(spawn = spawner()): Engine<JobModule> {
  return answersOf(new Line(spawn)) as Engine<JobModule>;
}

function answersOf(line: Line, asker?: symbol): Engine {
  return new Proxy({} as Engine, {
    get(_, name) {
      if (name === 'asker') return () => answersOf(line, Symbol('asker'));
      // Awaiting an engine asks for `then`, which is no function of the package.
      if (name === 'then' || typeof name === 'symbol') return undefined;
      return (...args: unknown[]) => line.ask(name, args, asker);
    },
  });
}

/** The questions in order, at most one of them with the worker. */
class Line {
  #spawn: () => Computer;
  #worker: Computer | undefined;
  #waiting: Question[] = [];
  #running: Question | undefined;
  #id = 0;

  constructor(spawn: () => Computer) {
    this.#spawn = spawn;
  }

  ask(name: string, args: unknown[], asker: symbol | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (asker) this.#supersede(asker);
      this.#waiting.push({ name, args, asker, attempts: 0, superseded: false, resolve, reject });
      this.#next();
    });
  }

  #supersede(asker: symbol) {
    const running = this.#running ? [this.#running] : [];
    for (const question of [...this.#waiting, ...running]) {
      if (question.asker !== asker) continue;
      question.superseded = true;
      question.reject(new Superseded('a newer question was asked'));
    }
    this.#waiting = this.#waiting.filter((question) => !question.superseded);
  }

  #next() {
    if (this.#running) return;
    const question = this.#waiting.shift();
    if (!question) return;
    this.#running = question;
    question.attempts++;
    const request: Request = { id: ++this.#id, name: question.name, args: question.args };
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(request);
    } catch (error) {
      // The arguments cannot be copied to a worker, or no worker can be made here.
      this.#settle(() => question.reject(error as Error));
    }
  }

  #start(): Computer {
    const worker = this.#spawn();
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (worker === this.#worker && data.id === this.#id) this.#hear(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#restart(event.message || 'the worker could not be loaded');
    };
    worker.onmessageerror = () => {
      if (worker === this.#worker) this.#restart('an answer could not be read');
    };
    return worker;
  }

  #hear(reply: Reply) {
    if (reply.kind === 'done') this.#settle((question) => question.resolve(reply.value));
    else if (reply.kind === 'failed') this.#settle((question) => question.reject(revive(reply)));
    else this.#restart(reply.message);
  }

  /** The worker is lost: the next question gets a fresh one, and this question one more try. */
  #restart(reason: string) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle((question) => {
      if (question.superseded) return;
      if (question.attempts < attemptLimit) this.#waiting.unshift(question);
      else question.reject(new Error(`The engine was started again and stopped again: ${reason}`));
    });
  }

  #settle(outcome: (question: Question) => void) {
    const question = this.#running;
    this.#running = undefined;
    if (question) outcome(question);
    this.#next();
  }
}

/** An error as it was thrown on the other side: the package's own kinds keep their class. */
function revive({ name, message }: { name: string; message: string }): Error {
  const kinds: Record<string, new (message: string) => Error> = { TypeError, RangeError };
  const error = new (kinds[name] ?? Error)(message);
  error.name = name;
  return error;
}
