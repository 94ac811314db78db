/** Workers and the work that waits for them. */
import type { Reply, Request, Work } from './answers.js';

/** A worker of the browser or of Node, one of which each entry makes. */
export interface Thread {
  post(message: Request, transfer: ArrayBuffer[]): void;
  /** `died`: it can't be started, or ended by itself. */
  listen(heard: (reply: Reply) => void, died: (reason: string) => void): void;
  /** Whether it has work: an idle one does not keep the process alive. */
  busy(hasWork: boolean): void;
  end(): unknown;
}

/** Work as it can be posted again: each time with arrays of its own to transfer. */
export type Posting = () => { work: Work; transfer: ArrayBuffer[] };

interface Job {
  posting: Posting;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  signal: AbortSignal | undefined;
  deaths: number;
}

interface Seat {
  thread?: Thread | undefined;
  job?: Job | undefined;
}

const kinds = { TypeError, RangeError } as const;

function errorOf({ name, message }: { name: string; message: string }): Error {
  return new (kinds[name as keyof typeof kinds] ?? Error)(message);
}

const isReply = (message: unknown): message is Reply =>
  typeof message === 'object' &&
  message !== null &&
  ['value', 'error', 'trapped'].some((kind) => kind in message);

/**
 * Each seat has at most one worker, and that at most one job. A worker is hired when its seat gets
 * a job, so one that is lost is only replaced when there is something to do.
 */
export class Crew {
  readonly #seats: Seat[];
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(
    size: number,
    readonly hire: () => Thread,
    readonly module: WebAssembly.Module,
  ) {
    this.#seats = Array.from({ length: size }, () => ({}));
  }

  /** The answer of the next free worker. */
  do(posting: Posting, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('The pool is closed');
      signal?.throwIfAborted();
      const settling =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          if (!this.#open().some((one) => one.signal === signal))
            signal?.removeEventListener('abort', this.#heed);
          settle(value);
        };
      const job = {
        posting,
        resolve: settling(resolve),
        reject: settling(reject),
        signal,
        deaths: 0,
      };
      signal?.addEventListener('abort', this.#heed);
      this.#waiting.push(job);
      this.#assign();
    });
  }

  /** Tells every worker, after what it is doing. */
  tell(request: Request): void {
    for (const { thread } of this.#seats) thread?.post(request, []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = this.#open();
    this.#waiting.length = 0;
    await Promise.all(this.#seats.map((seat) => this.#vacate(seat)));
    for (const job of jobs) job.reject(new Error('The pool is closed'));
  }

  #open(): Job[] {
    return [...this.#waiting, ...this.#seats.flatMap(({ job }) => job ?? [])];
  }

  /** The one listener of every signal, however many jobs it has: Node 20 warns of more than ten. */
  readonly #heed = ({ target }: Event): void => {
    const jobs = this.#open().filter(({ signal }) => signal === target);
    for (const job of jobs) this.#abort(job, (target as AbortSignal).reason);
  };

  #assign(): void {
    for (const seat of this.#seats) {
      if (seat.job) continue;
      const job = this.#next();
      if (!job) return;
      try {
        seat.thread ??= this.#hired(seat);
        seat.job = job;
        seat.thread.busy(true);
        const { work, transfer } = job.posting();
        seat.thread.post(work, transfer);
      } catch (error) {
        seat.job = undefined;
        job.reject(error);
      }
    }
  }

  /** Never what its signal is about to take out, which happens one by one. */
  #next(): Job | undefined {
    const place = this.#waiting.findIndex(({ signal }) => !signal?.aborted);
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0];
  }

  #hired(seat: Seat): Thread {
    const thread = this.hire();
    thread.listen(
      (reply) => seat.thread === thread && this.#heard(seat, reply),
      (reason) => seat.thread === thread && this.#lost(seat, reason),
    );
    thread.post({ module: this.module }, []);
    return thread;
  }

  #heard(seat: Seat, reply: Reply): void {
    const { job } = seat;
    if (!job || !isReply(reply)) return this.#lost(seat, 'it posts what ropewalk/worker does not');
    if ('trapped' in reply) return this.#lost(seat, reply.trapped);
    seat.job = undefined;
    seat.thread!.busy(false);
    this.#assign();
    if ('error' in reply) job.reject(errorOf(reply.error));
    else job.resolve(reply.value);
  }

  /** Work is redone once: what kills two workers would kill a third. */
  #lost(seat: Seat, reason: string): void {
    const { job } = seat;
    this.#vacate(seat);
    if (job && job.deaths++ === 0) this.#waiting.unshift(job);
    else job?.reject(new Error(`Two workers of the pool died of this work: ${reason}`));
    this.#assign();
  }

  #abort(job: Job, reason: unknown): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    const seat = this.#seats.find((one) => one.job === job);
    if (seat) this.#vacate(seat);
    job.reject(reason);
    this.#assign();
  }

  #vacate(seat: Seat): unknown {
    const { thread } = seat;
    seat.thread = seat.job = undefined;
    return thread?.end();
  }
}
