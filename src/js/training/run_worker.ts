/** The functions that workers of a training pool run. */
import { Run, type RunDescription, type RunProgress, type RunResult } from './run.js';
import type { Instance } from '../pool/protocol.js';
import { breath } from '../runtime/breath.js';
import type { Simd } from '../runtime/load.js';
import { startedForTraining } from '../runtime/train_module.js';

/** The arguments of the one function, `run`. */
export interface RunWork {
  simd: Simd;
  description: RunDescription;
  checkpoint?: Uint8Array | undefined;
  /** Steps between checkpoints that are reported. */
  checkpointEvery: number;
  keepsModel: boolean;
}

/** Reports of a worker before the end; `paused` follows the checkpoint of the run's state. */
export type RunReport = { progress: RunProgress } | { checkpoint: Uint8Array } | { paused: true };

/** The result of a run. */
export interface RunAnswer {
  result: RunResult;
  checkpoint?: Uint8Array;
}

/** Milliseconds of computation between two reports. Messages are handled as often. */
const reportEvery = 50;

export async function instanceOf(module: WebAssembly.Module): Promise<Instance> {
  const core = await startedForTraining(module);
  /** While paused. */
  let pause: { end: Promise<void>; resume(): void } | undefined;
  const setPaused = (paused: boolean) => {
    if (paused === (pause !== undefined)) return;
    pause?.resume();
    let resume = () => {};
    pause = paused ? { end: new Promise((resolve) => (resume = resolve)), resume } : undefined;
  };
  const untilResumed = async (run: Run, report: (made: RunReport) => void) => {
    while (pause) {
      report({ checkpoint: run.checkpoint() });
      report({ paused: true });
      await pause.end;
    }
  };

  async function trained(work: RunWork, report: (made: RunReport) => void): Promise<RunAnswer> {
    const { simd, description, checkpoint, checkpointEvery, keepsModel } = work;
    const run = new Run(core, simd, description, checkpoint);
    try {
      await untilResumed(run, report);
      let last = performance.now();
      while (run.advance()) {
        if (run.isAtCheckpoint(checkpointEvery)) report({ checkpoint: run.checkpoint() });
        if (performance.now() - last < reportEvery) continue;
        report({ progress: run.progress });
        await breath();
        await untilResumed(run, report);
        last = performance.now();
      }
      report({ progress: run.progress });
      return { result: run.result, ...(keepsModel && { checkpoint: run.checkpoint() }) };
    } finally {
      run.dispose();
    }
  }

  return {
    call: ({ args: [work] }, report) => trained(work as RunWork, report),
    onNotice(notice) {
      if ('paused' in notice) return setPaused(notice.paused);
      core.raw.releaseMemory();
    },
  };
}
