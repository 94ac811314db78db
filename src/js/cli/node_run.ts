/// <reference types="node" />
/** One run in this process, which signals interrupt and a file continues. */
import host from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { readIfThere, writeWhole } from './node_files.js';
import type { Given, Io, Output } from './rules.js';
import { Run, type RunDescription, type RunProgress, type RunResult } from '../training/run.js';
import type { ParameterError } from '../runtime/errors.js';
import type { TrainingCore } from '../runtime/train_module.js';
import type { Simd } from '../runtime/load.js';

/** Ends the process by the exit code of a signal; the work is kept in a file. */
export class Interrupted extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Writes a piece whose error, if it has one, is the result. */
export const put = (stream: Output, piece: string | Uint8Array) =>
  new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => stream.write(piece, resolve));

/** Writes over itself on a terminal; elsewhere a line each. No text: it is over. */
export function progressLine({ progress = 'auto' }: Given, { stderr }: Io): (text: string) => void {
  if (progress === 'never' || (progress === 'auto' && !stderr.isTTY)) return () => {};
  const [before, after] = stderr.isTTY ? ['\r\x1b[K', ''] : ['', '\n'];
  return (text) => {
    if (text) stderr.write(`${before}ropewalk: ${text}${after}`);
    else if (stderr.isTTY) stderr.write(before);
  };
}

export function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const pad = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0
    ? `${hours}:${pad(minutes)}:${pad(whole % 60)}`
    : `${minutes}:${pad(whole % 60)}`;
}

export function sentenceOf(progress: RunProgress): string {
  const { step, steps, loss, tokensPerSecond, stepsPerSecond, secondsLeft } = progress;
  const { evaluated, toEvaluate } = progress;
  if (step >= steps && toEvaluate > 0) return `evaluated ${evaluated} of ${toEvaluate} lengths`;
  const speed =
    tokensPerSecond === undefined
      ? `${stepsPerSecond.toPrecision(3)} steps/s`
      : `${Math.round(tokensPerSecond)} tokens/s`;
  return [
    `step ${step} of ${steps}`,
    ...(loss === undefined ? [] : [`loss ${loss.toFixed(4)}`]),
    speed,
    `${clock(secondsLeft)} left`,
  ].join(', ');
}

interface Driver {
  core: TrainingCore;
  simd: Simd;
  description: RunDescription;
  /** Path of the checkpoint. Absent: an interrupted run is lost. */
  file?: string | undefined;
  checkpointEvery: number;
  show(text: string): void;
  /** Called after each checkpoint is written. */
  onCheckpoint?(result: RunResult): void;
}

/** Milliseconds between lines of progress; signals are handled as often. */
const showEvery = 100;

const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Calls the listener on the first SIGINT or SIGTERM; the second one ends the process at once.
 * @param listener takes the exit code of the signal
 * @returns stops listening
 */
export function onInterrupt(listener: (code: number) => void): () => void {
  const listeners = Object.entries(signals).map(([name, code]) => {
    const interrupt = () => {
      stop();
      listener(code);
    };
    return [name, interrupt] as const;
  });
  const stop = () => {
    for (const [name, interrupt] of listeners) host.off(name, interrupt);
  };
  for (const [name, interrupt] of listeners) host.on(name, interrupt);
  return stop;
}

/**
 * Runs to the end, from the checkpoint where there is one.
 * @throws Interrupted on SIGINT and SIGTERM, after the checkpoint is written
 */
export async function runToEnd(driver: Driver): Promise<RunResult> {
  const { file, checkpointEvery, show } = driver;
  const saved = file === undefined ? undefined : readIfThere(file);
  const run = startRun(driver, saved);
  let code: number | undefined;
  const stopListening = onInterrupt((exit) => (code = exit));
  const save = () => {
    if (file === undefined) return;
    writeWhole(file, run.checkpoint());
    driver.onCheckpoint?.(run.result);
  };
  try {
    let last = performance.now();
    while (run.advance()) {
      if (run.isAtCheckpoint(checkpointEvery)) save();
      if (performance.now() - last < showEvery) continue;
      show(sentenceOf(run.progress));
      await setImmediate();
      last = performance.now();
      if (code === undefined) continue;
      save();
      const { step } = run.progress;
      const rest = file === undefined ? '' : '; the same command continues it';
      throw new Interrupted(code, `the run was interrupted at step ${step}${rest}`);
    }
    save();
    return run.result;
  } finally {
    show('');
    stopListening();
    run.dispose();
  }
}

function startRun({ core, simd, description, file }: Driver, saved: Uint8Array | undefined): Run {
  try {
    return new Run(core, simd, description, saved);
  } catch (error) {
    const { message, parameter = '' } = error as Partial<ParameterError> & Error;
    if (!/^(checkpoint|safetensors|snapshot)\b/.test(parameter)) throw error;
    throw new Error(`${file}: ${message}`);
  }
}
