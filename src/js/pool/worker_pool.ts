/** Workers and the work that waits for them. */
import type { Reply, Request, Work } from './protocol.js';

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
  /** In the order of their calls; a set, since an abort takes jobs out of the middle. */
  readonly #waiting = new Set<Job>();
  /** Kept: a new iterator would start with the empty places of all jobs that are gone. */
  #queue = this.#waiting.values();
  /** The jobs of each signal that are not settled. */
  readonly #bySignal = new Map<AbortSignal, Set<Job>>();
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
      const job: Job = { posting, resolve, reject, signal, deaths: 0 };
      if (signal) this.#watch(job, signal);
      this.#waiting.add(job);
      this.#assign();
    });
  }

  /** Tells every worker, after what it is doing. */
  tell(request: Request): void {
    for (const { thread } of this.#seats) thread?.post(request, []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [...this.#waiting, ...this.#seats.flatMap(({ job }) => job ?? [])];
    this.#waiting.clear();
    await Promise.all(this.#seats.map((seat) => this.#vacate(seat)));
    for (const job of jobs) job.reject(new Error('The pool is closed'));
  }

  /** One listener per signal, however many jobs it has: Node 20 warns of more than ten. */
  #watch(job: Job, signal: AbortSignal): void {
    const jobs = this.#bySignal.get(signal) ?? new Set();
    if (jobs.size === 0) {
      this.#bySignal.set(signal, jobs);
      signal.addEventListener('abort', this.#heed);
    }
    jobs.add(job);
    const settling =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        jobs.delete(job);
        if (jobs.size === 0 && this.#bySignal.delete(signal))
          signal.removeEventListener('abort', this.#heed);
        settle(value);
      };
    job.resolve = settling(job.resolve);
    job.reject = settling(job.reject);
  }

  readonly #heed = ({ target }: Event): void => {
    const signal = target as AbortSignal;
    for (const job of this.#bySignal.get(signal) ?? []) this.#abort(job, signal.reason);
  };

  #assign(): void {
    for (const seat of this.#seats) {
      while (!seat.job) {
        const job = this.#next();
        if (!job) return;
        this.#give(seat, job);
      }
    }
  }

  /** Leaves the seat free where no worker can be made, or the work cannot be posted. */
  #give(seat: Seat, job: Job): void {
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

  /** Never what its signal has aborted: the listener rejects it, after other listeners perhaps. */
  #next(): Job | undefined {
    for (;;) {
      const { done, value: job } = this.#queue.next();
      if (done) break;
      this.#waiting.delete(job);
      if (!job.signal?.aborted) return job;
    }
    // An iterator that came to the end stays there.
    this.#queue = this.#waiting.values();
    return undefined;
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
    if (job && job.deaths++ === 0) this.#give(seat, job);
    else job?.reject(new Error(`Two workers of the pool died of this work: ${reason}`));
    this.#assign();
  }

  #abort(job: Job, reason: unknown): void {
    this.#waiting.delete(job);
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
