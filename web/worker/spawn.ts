/**
 * Where requests are computed: in a worker, or in the page itself where it may have none.
 *
 * A worker's script must come from the page's own origin. For figures that another site loads from
 * here, the worker is a blob that imports the script; a policy without `worker-src blob:` blocks
 * that one, and some hosts block all. What was blocked once is not tried again.
 */
import address from './worker.ts?worker&url';
import { handlerIn } from './in_page.ts';
import type { FindJob, Handler, Jobs, Reply, Request } from './protocol.ts';

export type Computer = Pick<
  Worker,
  'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'
>;

/** A script that serves jobs in a worker, and what does so in the page itself instead. */
export interface WorkerScript {
  address: string;
  handler(): Promise<Handler>;
}

/** A script whose jobs the page can do itself. */
export const scriptOf = (address: string, jobs: () => Promise<Jobs | FindJob>): WorkerScript => ({
  address,
  handler: async () => (await import('./handler.ts')).createHandler(await jobs()),
});

/** Bundlers may copy no worker for the package, whose scripts have the jobs once more. */
const figures: WorkerScript =
  import.meta.env.MODE === 'package'
    ? {
        address,
        handler: async () => (await import('./jobs.ts')).createFigureHandler(),
      }
    : { address, handler: () => handlerIn(address) };

/** Each call makes a new one: the one before has failed. */
export function spawner(script = figures): () => Computer {
  let isBlocked = false;
  return () => {
    if (isBlocked) return new InPage(script);
    try {
      const worker = workerFrom(new URL(script.address, location.href));
      let hasReplied = false;
      worker.addEventListener('message', () => (hasReplied = true));
      worker.addEventListener('error', () => (isBlocked ||= !hasReplied));
      return worker;
    } catch {
      isBlocked = true;
      return new InPage(script);
    }
  };
}

interface ScriptRules {
  createScriptURL(address: string): string;
}
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: ScriptRules): ScriptRules };
};
let rules: ScriptRules | undefined;

/** A page may list the names of policies without ours, and still take an address as text. */
function createRules(): ScriptRules {
  const unchanged = { createScriptURL: (address: string) => address };
  try {
    return trustedTypes?.createPolicy('ropewalk', unchanged) ?? unchanged;
  } catch {
    return unchanged;
  }
}

/** An address in the form that pages with Trusted Types require. */
const trusted = (address: string) => (rules ??= createRules()).createScriptURL(address);

/** A worker of a script of this site, which may be another site than the page's. */
export function workerFrom(script: URL): Worker {
  // The script of a single file; from the disk, Chromium starts no module that is a blob.
  if (script.protocol === 'blob:') return new Worker(trusted(script.href));
  if (script.origin === location.origin)
    return new Worker(trusted(script.href), { type: 'module' });
  const bootstrap = new Blob([`import ${JSON.stringify(script.href)};`], {
    type: 'text/javascript',
  });
  return new Worker(trusted(URL.createObjectURL(bootstrap)), { type: 'module' });
}

/** Replies like a worker, from copies as well, but blocks the page while it computes. */
class InPage implements Computer {
  onmessage: Computer['onmessage'] = null;
  onerror: Computer['onerror'] = null;
  onmessageerror: Computer['onmessageerror'] = null;
  #handler: Promise<Handler>;

  constructor(script: WorkerScript) {
    this.#handler = script.handler();
    // Each request reports the failure.
    this.#handler.catch(() => {});
  }

  postMessage(request: Request) {
    void this.#reply(structuredClone(request));
  }

  async #reply(request: Request) {
    const worker = this as unknown as Worker;
    try {
      const data: Reply = await (await this.#handler)(request);
      this.onmessage?.call(worker, new MessageEvent('message', { data }));
    } catch (error) {
      const { message } = error as Error;
      this.onerror?.call(worker, new ErrorEvent('error', { message }));
    }
  }

  terminate() {
    this.onmessage = null;
    this.onerror = null;
  }
}
