/** `npx ropewalk diagnose` on a model file: what its conversion kept, lost and changed. */
import { UsageError, type Call, type Outcome } from './rules.js';
import type { ByteSource } from '../formats/byte_source.js';
import { isCheckpoint } from '../model_file/checkpoint.js';
import { diagnoseModelFile } from '../model_file/diagnose_file.js';
import type { FileSetting, ModelFileVerdict } from '../model_file/verdict.js';
import type { ParameterError } from '../runtime/errors.js';

/** Whether an operand is a model and not arrays that it dumped. */
export const isModelFile = (path: string, { files }: Call) =>
  /\.(gguf|onnx|safetensors\.index\.json)$/i.test(path) || files(path) !== undefined;

const isSafetensors = (path: string) => /\.safetensors$/i.test(path);

/** Whether the operands are a model; what a .safetensors file is, its header says. */
export async function isModel({ operands, ...call }: Call): Promise<boolean> {
  if (operands.some((path) => isModelFile(path, { operands, ...call }))) return true;
  if (!operands.every(isSafetensors)) return false;
  // What cannot be read is reported by the reader of dumps.
  const isWhole = async (path: string) => isCheckpoint(await call.source(path));
  const found = await Promise.all(operands.map((path) => isWhole(path).catch(() => false)));
  return found.every(Boolean);
}

const baseName = (path: string) => path.replace(/^.*[\\/]/, '');
const folderOf = (path: string) => path.slice(0, path.length - baseName(path).length);

/** Names of shards or external data, which lie beside the file that names them. */
const companions = (first: string) =>
  /\.onnx$/i.test(first) ? /\.(onnx[._]?data|data|bin|weight)$/i : /\.safetensors$/i;

/** The files of a model: those of a folder, or a file and those beside it that it may name. */
async function modelFiles(path: string, call: Call): Promise<ByteSource[]> {
  const inside = call.files(path);
  const folder = inside ? `${path.replace(/[\\/]$/, '')}/` : folderOf(path);
  const names = inside ?? (/\.gguf$/i.test(path) ? [] : (call.files(folder || '.') ?? []));
  const endings = [/\.gguf$/i, /\.safetensors\.index\.json$/i, /\.safetensors$/i, /\.onnx$/i];
  const first = inside
    ? endings.map((ending) => names.find((name) => ending.test(name))).find(Boolean)
    : baseName(path);
  if (first === undefined)
    throw new UsageError(
      `${path} must hold a .gguf, .safetensors or .onnx file, got ${names.join(', ') || 'nothing'}`,
    );
  const others = names.filter((name) => name !== first && companions(first).test(name));
  const isAlone = /\.gguf$/i.test(first) || (!inside && isSafetensors(first));
  return Promise.all(
    [first, ...(isAlone ? [] : others)].map((name) => call.source(`${folder}${name}`)),
  );
}

/** The config that is given, or that of the folder of the model. */
function configOf(path: string, { given, files, read }: Call): string | undefined {
  const { config } = given as { config?: string };
  const folder = files(path) ? `${path.replace(/[\\/]$/, '')}/` : folderOf(path);
  const isBeside = files(folder || '.')?.includes('config.json');
  const place = config ?? (isBeside ? `${folder}config.json` : undefined);
  return place === undefined ? undefined : new TextDecoder().decode(read(place));
}

const fates: Record<FileSetting['fate'], string> = {
  kept: 'kept',
  lost: 'LOST',
  changed: 'CHANGED',
  'only-file': 'in the file',
};

function settingLine({ name, layers, config, file, from, fate }: FileSetting): string {
  const whose = layers ? ` (${layers})` : '';
  const values = fate === 'kept' || config === undefined ? file : `${file}, config ${config}`;
  return `  ${fates[fate]}: ${name}${whose} ${values} [${from}]`;
}

const verdicts: Record<ModelFileVerdict['verdict'], string> = {
  faults: 'The file differs from the config by',
  correct: 'Nothing is wrong: the file rotates as the config says.',
  undecided: 'Undecided: the file is described; --config says what it should be.',
  unknown: 'The file differs from the config, and none of the known faults explains how.',
};

function textOf(verdict: ModelFileVerdict): string {
  const { faults, hypotheses, data, expected, settings, corrections, further, bytesRead } = verdict;
  const [first] = hypotheses;
  const lines = [
    'File',
    ...data.map((line) => `  ${line}`),
    `  ${bytesRead} bytes read`,
    ...(expected.length ? ['Expected by the config', ...expected.map((line) => `  ${line}`)] : []),
    'Settings',
    ...settings.map(settingLine),
    '',
    verdict.verdict === 'faults'
      ? `${verdicts.faults} ${faults.join(' + ')}.`
      : verdicts[verdict.verdict],
    ...(verdict.verdict === 'faults' && first ? [first.says] : []),
    ...corrections.map(
      ({ text, flags }) => `  change: ${text}${flags ? ` (for one run: ${flags})` : ''}`,
    ),
    ...(further ? [`Not judged without ${further}.`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Without a verdict the process ends with 2, as grep and diff do. */
async function verdictOf(call: Call): Promise<ModelFileVerdict> {
  const { rw, operands, given } = call;
  const [path, ...more] = operands as [string, ...string[]];
  const { reference } = given as { reference?: string };
  if (!operands.every(isSafetensors) && !more.every((each) => isModelFile(each, call)))
    throw new UsageError(`a model must be given alone, got ${operands.join(' ')}`);
  const files = (await Promise.all(operands.map((each) => modelFiles(each, call)))).flat();
  const config = configOf(path, call);
  try {
    return await diagnoseModelFile(rw, {
      files,
      ...(config !== undefined && { config }),
      ...(reference !== undefined && {
        reference: (
          await Promise.all(
            reference
              .split(',')
              .map((each) =>
                isModelFile(each, call) ? modelFiles(each, call) : call.source(each),
              ),
          )
        ).flat(),
      }),
    });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    const { message, parameter } = error as ParameterError;
    throw new UsageError(message, parameter);
  }
}

const got: Record<Exclude<ModelFileVerdict['verdict'], 'correct'>, (faults: string) => string> = {
  faults: (faults) => faults,
  undecided: () => 'no config to compare with',
  unknown: () => 'none of the known faults',
};

/** The verdict on a model, as sentences or as JSON. */
export async function diagnoseModel(call: Call): Promise<Outcome> {
  const verdict = await verdictOf(call);
  return {
    arrays: {},
    facts: verdict,
    text: textOf(verdict),
    isTextInPipes: true,
    ...(verdict.verdict !== 'correct' && {
      failure: `the file must rotate as the config says, got ${got[verdict.verdict](verdict.faults.join(' + '))}`,
    }),
  };
}
