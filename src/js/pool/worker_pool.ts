/** A queue of jobs and the workers that run them. */
import { receivedError } from '../runtime/errors.js';
import type { Reply, Request, Work } from './protocol.js';

/** A worker of the browser or of Node. */
export interface Thread {
  post(message: Request, transfer: ArrayBuffer[]): void;
  /** Calls `onDeath` when the worker cannot be started or ends by itself. */
  listen(onReply: (reply: Reply) => void, onDeath: (reason: string) => void): void;
  /** Whether it has a job: an idle worker does not keep the process alive. */
  busy(hasWork: boolean): void;
  end(): unknown;
}

/** Makes the message of a job. Each call makes new arrays to transfer, so a job can be retried. */
export type Posting = () => { work: Work; transfer: ArrayBuffer[] };

/** What one worker holds for later jobs. */
export interface Pin {
  readonly slot: number;
  /** Which of the slot's workers. */
  readonly life: number;
  /** What is held, for errors. */
  readonly what: string;
}

interface Job {
  posting: Posting;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  onProgress?: ((progress: unknown) => void) | undefined;
  signal: AbortSignal | undefined;
  /** The worker that must run it; undefined: any. */
  pin?: Pin | undefined;
  deaths: number;
}

interface Slot {
  thread?: Thread | undefined;
  job?: Job | undefined;
  /** Jobs that only its worker can run, in call order; they come before those of all workers. */
  pinned: Job[];
  /** How many workers it has lost. */
  life: number;
  /** The pins to its worker. */
  pins: Set<Pin>;
}

const lost = ({ what }: Pin, reason?: string) =>
  new Error(`${what} was lost with a worker that ended: make it again`, { cause: reason });

/** What differs in an aborted job that goes on. */
const forNobody = { resolve() {}, reject() {}, onProgress: undefined, deaths: 1 };

const isReply = (message: unknown): message is Reply =>
  typeof message === 'object' &&
  message !== null &&
  ['progress', 'value', 'error', 'trapped'].some((kind) => kind in message);

/**
 * Each slot has at most one worker, and each worker at most one job. A worker is started when its
 * slot gets a job, so a lost worker is replaced only when there is work for it.
 */
export class WorkerPool {
  readonly #slots: Slot[];
  /** In call order. A set, because an abort removes jobs from the middle. */
  readonly #waiting = new Set<Job>();
  /** One for all jobs: a new iterator would first step over the slots of all deleted ones. */
  readonly #queue = this.#waiting.values();
  /** The unsettled jobs of each signal. */
  readonly #bySignal = new Map<AbortSignal, Set<Job>>();
  #closed = false;

  constructor(
    readonly size: number,
    readonly spawn: () => Thread,
    /** The first messages to a worker. */
    readonly opening: () => Request[] = () => [],
  ) {
    this.#slots = Array.from({ length: size }, () => ({ pinned: [], life: 0, pins: new Set() }));
  }

  /**
   * Runs a job on the next free worker and resolves with its result. An error of `onProgress` ends
   * the job, which rejects with it.
   */
  run(
    posting: Posting,
    signal?: AbortSignal,
    onProgress?: (progress: unknown) => void,
  ): Promise<unknown> {
    return this.#added({ posting, onProgress, signal }, (job) => this.#waiting.add(job));
  }

  /** Runs a job on the pin's worker after its earlier jobs, or rejects where that worker ended. */
  runPinned(pin: Pin, posting: Posting, signal?: AbortSignal): Promise<unknown> {
    const { pinned } = this.#slots[pin.slot]!;
    return this.#added({ posting, signal, pin }, (job) => pinned.push(job));
  }

  #added(
    { posting, signal, onProgress, pin }: Omit<Job, 'resolve' | 'reject' | 'deaths'>,
    add: (job: Job) => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('The pool is closed');
      signal?.throwIfAborted();
      const job: Job = { posting, resolve, reject, onProgress, signal, pin, deaths: 0 };
      if (signal) this.#watch(job, signal);
      add(job);
      this.#assign();
    });
  }

  /** Pins later jobs to a slot's worker, which no abort ends until unpin(). */
  pin(slot: number, what: string): Pin {
    const { life, pins } = this.#slots[slot]!;
    const pin = { slot, life, what };
    pins.add(pin);
    return pin;
  }

  unpin(pin: Pin): void {
    this.#slots[pin.slot]!.pins.delete(pin);
  }

  /** Posts a message to every worker; each handles it after its current job. */
  broadcast(request: Request): void {
    for (const { thread } of this.#slots) thread?.post(request, []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [
      ...this.#waiting,
      ...this.#slots.flatMap(({ job, pinned }) => [...(job ? [job] : []), ...pinned.splice(0)]),
    ];
    this.#waiting.clear();
    await Promise.all(this.#slots.map((slot) => this.#release(slot)));
    for (const job of jobs) job.reject(new Error('The pool is closed'));
  }

  /** One listener per signal for all its jobs: Node 20 warns about more than ten listeners. */
  #watch(job: Job, signal: AbortSignal): void {
    const jobs = this.#bySignal.get(signal) ?? new Set();
    if (jobs.size === 0) {
      this.#bySignal.set(signal, jobs);
      signal.addEventListener('abort', this.#onAbort);
    }
    jobs.add(job);
    const settling =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        jobs.delete(job);
        if (jobs.size === 0 && this.#bySignal.delete(signal))
          signal.removeEventListener('abort', this.#onAbort);
        settle(value);
      };
    job.resolve = settling(job.resolve);
    job.reject = settling(job.reject);
  }

  readonly #onAbort = ({ target }: Event): void => {
    const signal = target as AbortSignal;
    for (const job of this.#bySignal.get(signal) ?? []) this.#abort(job, signal.reason);
  };

  #assign(): void {
    for (const slot of this.#slots) {
      while (!slot.job) {
        const job = this.#next(slot);
        if (!job) break;
        // Its listener rejects an aborted job, perhaps after other listeners.
        if (!job.signal?.aborted) this.#post(slot, job);
      }
    }
  }

  /** Leaves the slot free when no worker can be started or the work cannot be posted. */
  #post(slot: Slot, job: Job): void {
    try {
      if (job.pin && job.pin.life !== slot.life) throw lost(job.pin);
      slot.thread ??= this.#startWorker(slot);
      slot.job = job;
      slot.thread.busy(true);
      const { work, transfer } = job.posting();
      slot.thread.post(work, transfer);
    } catch (error) {
      slot.job = undefined;
      job.reject(error);
    }
  }

  #next({ pinned }: Slot): Job | undefined {
    if (pinned.length > 0) return pinned.shift();
    // An iterator that finds the end returns nothing more, even when jobs are added.
    if (this.#waiting.size === 0) return undefined;
    const job = this.#queue.next().value!;
    this.#waiting.delete(job);
    return job;
  }

  #startWorker(slot: Slot): Thread {
    const thread = this.spawn();
    thread.listen(
      (reply) => slot.thread === thread && this.#onReply(slot, reply),
      (reason) => slot.thread === thread && this.#onWorkerLost(slot, reason),
    );
    for (const message of this.opening()) thread.post(message, []);
    return thread;
  }

  #onReply(slot: Slot, reply: Reply): void {
    const { job } = slot;
    if (!job || !isReply(reply))
      return this.#onWorkerLost(slot, 'it posts what ropewalk/worker does not');
    if ('trapped' in reply) return this.#onWorkerLost(slot, reply.trapped);
    if ('progress' in reply) return this.#onProgress(job, reply.progress);
    slot.job = undefined;
    slot.thread!.busy(false);
    this.#assign();
    if ('error' in reply) job.reject(receivedError(reply.error));
    else job.resolve(reply.value);
  }

  #onProgress(job: Job, progress: unknown): void {
    try {
      job.onProgress?.(progress);
    } catch (error) {
      this.#abort(job, error);
    }
  }

  /** Retries a job once: a job that ends two workers would end a third. */
  #onWorkerLost(slot: Slot, reason: string): void {
    const { job } = slot;
    this.#release(slot);
    if (job?.pin) job.reject(lost(job.pin, reason));
    else if (job && job.deaths++ === 0) this.#post(slot, job);
    else job?.reject(new Error(`Two workers of the pool died of this work: ${reason}`));
    this.#assign();
  }

  #abort(job: Job, reason: unknown): void {
    this.#waiting.delete(job);
    const slot = this.#slots.find((one) => one.job === job);
    // Its worker computes it to the end for nobody: what it holds would be lost.
    if (slot && slot.pins.size > 0) slot.job = { ...job, ...forNobody };
    else if (slot) this.#release(slot);
    job.reject(reason);
    this.#assign();
  }

  #release(slot: Slot): unknown {
    const { thread } = slot;
    slot.thread = slot.job = undefined;
    slot.life++;
    slot.pins.clear();
    return thread?.end();
  }
}
