/** `npx ropewalk diagnose`: the verdict on a dump, as sentences or as JSON. */
import { arraysIn, metadataIn } from './inputs.js';
import { diagnoseModel, isModel } from './model_file.js';
import { UsageError, type Call, type Command } from './rules.js';
import type { ParameterError } from '../runtime/errors.js';
import { runtimeNames } from '../config/runtimes.js';
import {
  diagnose as diagnosed,
  type Diagnosis,
  type DiagnoseOptions,
} from '../diagnose/diagnose.js';
import { placeText } from '../diagnose/text.js';

const verdicts: Record<Diagnosis['verdict'], string> = {
  faults: 'The data are explained by',
  correct: 'Nothing is wrong: the data are what the config says.',
  undecided: 'Undecided: several faults explain the data equally well.',
  unknown: 'None of the known faults explains the data. Check that the right arrays were saved.',
};

const number = (value: number) => (value === Infinity ? '∞' : value.toPrecision(3));

const named = (faults: readonly string[]) => faults.join(' + ') || 'no fault';

/** The lines of one hypothesis that fits. */
function hypothesisLines(hypothesis: Diagnosis['hypotheses'][number]): string[] {
  const { faults, says, fix, error, runnerUp, where } = hypothesis;
  return [
    `${named(faults)}: ${says}`,
    `  largest error ${number(error)}, next hypothesis ${number(runnerUp)}`,
    ...(where ? [`  parts from the config first at ${placeText(where)}`] : []),
    ...(fix ? [`  change: ${fix}`] : []),
  ];
}

function textOf(diagnosis: Diagnosis): string {
  const { verdict, hypotheses, data, expected, further, ignored } = diagnosis;
  const [first, ...others] = hypotheses;
  const lines = [
    'Data',
    ...data.map((line) => `  ${line}`),
    ...(ignored.length ? [`  not recognized: ${ignored.join(', ')}`] : []),
    'Expected by the config',
    ...expected.map((line) => `  ${line}`),
    '',
    verdict === 'faults' ? `${verdicts.faults} ${named(diagnosis.faults)}.` : verdicts[verdict],
  ];
  if (verdict === 'unknown') {
    if (first) lines.push(`  nearest: ${named(first.faults)}, error ${number(first.error)}`);
  } else if (verdict === 'undecided') {
    lines.push(...hypotheses.flatMap(hypothesisLines));
  } else {
    if (verdict === 'faults') lines.push(...hypothesisLines(first!));
    const beside = others.map(({ faults }) => named(faults)).join('; ');
    const title =
      verdict === 'correct' ? 'These arrays cannot show' : 'The same numbers result from';
    if (beside) lines.push(`${title}: ${beside}`);
  }
  if (further) lines.push(`To decide, also dump ${further}.`);
  return `${lines.join('\n')}\n`;
}

/** Without a verdict the process ends with 2, as grep and diff do. */
function diagnosisOf(call: Call): Diagnosis {
  const { rw, operands, given, read } = call;
  const { config, reference } = given as Record<string, string>;
  try {
    // `ropewalk dump` says of which model its arrays are.
    const metadata = metadataIn(operands, call);
    const text =
      config === undefined
        ? metadata.get('ropewalk.config')
        : new TextDecoder().decode(read(config));
    const runtime = (given['runtime'] ??
      metadata.get('ropewalk.runtime')) as DiagnoseOptions['runtime'];
    return diagnosed(rw, {
      arrays: arraysIn(operands, call),
      ...(text !== undefined && { config: text }),
      ...(runtime !== undefined && { runtime }),
      ...(reference !== undefined && { reference: arraysIn(reference.split(','), call) }),
    });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    const { message, parameter } = error as ParameterError;
    throw new UsageError(message, parameter);
  }
}

const got: Record<Exclude<Diagnosis['verdict'], 'correct'>, (faults: string) => string> = {
  faults: (faults) => faults,
  undecided: (faults) => `perhaps ${faults}`,
  unknown: () => 'none of the known faults',
};

export const diagnose: Command = {
  says:
    "what is wrong with a model's positions: arrays that it dumped, or a model file (.gguf, or its " +
    'folder), against its config.json; ' +
    'ends with 0 where nothing is wrong, 1 where something is, 2 without a verdict',
  operands: 'FILE…',
  count: [1, 1000],
  options: {
    config: {
      kind: 'file',
      says: 'config.json of Hugging Face; default: that beside a model file or in a dump of `ropewalk dump`, else plain RoPE',
    },
    reference: {
      kind: 'files',
      says: 'the same arrays of a program that is right, or the checkpoint of a model file; all files up to the next option',
    },
    runtime: {
      kind: runtimeNames,
      says: 'the program that computed the arrays; default: that which a dump names, or llama.cpp where they have its names (Qcur, Kcur), else not known',
    },
  },
  example: 'ropewalk diagnose q.npy q_rot.npy position_ids.npy --config config.json',
  async run(call) {
    if (await isModel(call)) return diagnoseModel(call);
    const diagnosis = diagnosisOf(call);
    const { verdict, faults } = diagnosis;
    return {
      arrays: {},
      facts: diagnosis,
      text: textOf(diagnosis),
      isTextInPipes: true,
      ...(verdict !== 'correct' && {
        failure: `the data must be what the config says, got ${got[verdict](named(faults))}`,
      }),
    };
  },
};
