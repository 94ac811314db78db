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

interface Job {
  posting: Posting;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
  onProgress: ((progress: unknown) => void) | undefined;
  signal: AbortSignal | undefined;
  deaths: number;
}

interface Slot {
  thread?: Thread | undefined;
  job?: Job | undefined;
}

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
  /** Reused: a new iterator would first step over the slots of all deleted jobs. */
  #queue = this.#waiting.values();
  /** The unsettled jobs of each signal. */
  readonly #bySignal = new Map<AbortSignal, Set<Job>>();
  #closed = false;

  constructor(
    size: number,
    readonly spawn: () => Thread,
    /** The first messages to a worker. */
    readonly opening: () => Request[] = () => [],
  ) {
    this.#slots = Array.from({ length: size }, () => ({}));
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
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('The pool is closed');
      signal?.throwIfAborted();
      const job: Job = { posting, resolve, reject, onProgress, signal, deaths: 0 };
      if (signal) this.#watch(job, signal);
      this.#waiting.add(job);
      this.#assign();
    });
  }

  /** Posts a message to every worker; each handles it after its current job. */
  broadcast(request: Request): void {
    for (const { thread } of this.#slots) thread?.post(request, []);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [...this.#waiting, ...this.#slots.flatMap(({ job }) => job ?? [])];
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
        const job = this.#next();
        if (!job) return;
        this.#post(slot, job);
      }
    }
  }

  /** Leaves the slot free when no worker can be started or the work cannot be posted. */
  #post(slot: Slot, job: Job): void {
    try {
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

  /** Skips aborted jobs: their listener rejects them, perhaps after other listeners. */
  #next(): Job | undefined {
    for (;;) {
      const { done, value: job } = this.#queue.next();
      if (done) break;
      this.#waiting.delete(job);
      if (!job.signal?.aborted) return job;
    }
    // A finished iterator returns nothing more, even when jobs are added.
    this.#queue = this.#waiting.values();
    return undefined;
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
    if (job && job.deaths++ === 0) this.#post(slot, job);
    else job?.reject(new Error(`Two workers of the pool died of this work: ${reason}`));
    this.#assign();
  }

  #abort(job: Job, reason: unknown): void {
    this.#waiting.delete(job);
    const slot = this.#slots.find((one) => one.job === job);
    if (slot) this.#release(slot);
    job.reject(reason);
    this.#assign();
  }

  #release(slot: Slot): unknown {
    const { thread } = slot;
    slot.thread = slot.job = undefined;
    return thread?.end();
  }
}
