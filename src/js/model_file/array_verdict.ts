/** The verdict on arrays that a file holds, and what else it says: safetensors and ONNX. */
import { diagnose, type Diagnosis, type Hypothesis } from '../diagnose/diagnose.js';
import type { FileTensor } from '../formats/file_tensor.js';
import type { Functions } from '../ropewalk.js';
import type { FileSetting, ModelFileVerdict } from './verdict.js';

/** A fault that arrays do not show. */
export interface StatedFault {
  id: string;
  parameters: Record<string, unknown>;
  says: string;
  fix: string;
}

type Verdict = Omit<ModelFileVerdict, 'bytesRead'>;

interface Evidence {
  format: ModelFileVerdict['format'];
  data: string[];
  settings: FileSetting[];
  stated: StatedFault[];
  /** Diagnoses of arrays of the file. */
  diagnoses: Diagnosis[];
  /** What would decide what these files do not. */
  further?: string;
}

/** Diagnoses arrays by name against a configuration. */
export const diagnosed = (
  rw: Functions,
  arrays: Record<string, FileTensor>,
  config: string | object,
) => diagnose(rw, { arrays, config });

const rank: Record<Diagnosis['verdict'], number> = {
  correct: 0,
  undecided: 1,
  faults: 2,
  unknown: 3,
};

function withStated(hypothesis: Hypothesis | undefined, stated: readonly StatedFault[]) {
  const plain = { faults: [], error: 0, runnerUp: Infinity, ratio: 0, parameters: {} };
  const base: Hypothesis = hypothesis ?? { ...plain, says: '', fix: '' };
  return {
    ...base,
    faults: [...base.faults, ...stated.map(({ id }) => id)],
    parameters: Object.assign({}, base.parameters, ...stated.map((each) => each.parameters)),
    says: [base.says, ...stated.map(({ says }) => says)].filter(Boolean).join(' '),
    fix: [base.fix, ...stated.map(({ fix }) => fix)].filter(Boolean).join(' '),
  };
}

/** The worst of several diagnoses, with the faults that the file states. */
export function combined({ stated, diagnoses, ...rest }: Evidence): Verdict {
  const worst = diagnoses.toSorted((a, b) => rank[b.verdict] - rank[a.verdict])[0];
  const isKnown = worst?.verdict !== 'unknown';
  const verdict =
    stated.length > 0 && isKnown ? 'faults' : (worst?.verdict ?? ('correct' as const));
  const found = worst?.hypotheses ?? [];
  const hypotheses =
    found.length > 0
      ? found.map((each) => withStated(each, stated))
      : stated.length > 0
        ? [withStated(undefined, stated)]
        : [];
  const faults = verdict === 'faults' || verdict === 'undecided' ? hypotheses[0]!.faults : [];
  return {
    ...rest,
    verdict,
    faults,
    hypotheses,
    expected: worst?.expected ?? [],
    ignored: [],
    corrections: faults.length > 0 && hypotheses[0]!.fix ? [{ text: hypotheses[0]!.fix }] : [],
  };
}
