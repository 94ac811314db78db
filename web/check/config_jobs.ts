/** What a config.json alone says: the scheme, the layers, and settings for other programs. */
import type { Ropewalk } from 'ropewalk';
import { positionFromConfig, runtimeSettings, type RuntimeSettings } from 'ropewalk/config';
import { errorTextOf, type ErrorText } from '../error_text.ts';
import { accountInWords, type AccountInWords } from '../worker/account_texts.ts';
import { layerPlan, type LayerPlan } from '../worker/layer_plan.ts';
import { mistakesOf, type Mistake } from './mistakes.ts';
import type { PositionScheme } from 'ropewalk/config';

/** The programs whose settings are shown, by the names of the package. */
const programs = ['hf', 'vllm', 'llama.cpp', 'mlx'] as const;

export type Program = (typeof programs)[number];

export interface AboutConfig {
  scheme?: PositionScheme;
  /** Of the scheme: what was read, assumed and contradictory. */
  account?: AccountInWords;
  layers?: LayerPlan['layers'];
  mistakes: Mistake[];
  settings: { program: Program; settings: RuntimeSettings }[];
  /** Why the scheme or the layers cannot be read. */
  errors: ErrorText[];
}

/** @param text of the config.json; it is an object in JSON */
export function aboutConfig(rw: Ropewalk, text: string, path: string): AboutConfig {
  const errors: ErrorText[] = [];
  const tried = <Result>(read: () => Result): Result | undefined => {
    try {
      return read();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      errors.push(errorTextOf(error));
      return undefined;
    }
  };
  const position = tried(() => positionFromConfig(rw, text));
  const layers = tried(() => layerPlan(text))?.layers;
  const scheme = position?.scheme;
  const modelType = position?.account.read.find(({ key }) => /model_type$/.test(key))?.value;
  return {
    ...(position && { scheme: position.scheme, account: accountInWords(position.account) }),
    ...(layers && { layers }),
    mistakes: scheme ? mistakesOf(scheme, layers ?? [], String(modelType)) : [],
    settings:
      scheme?.type === 'rotary'
        ? programs.map((program) => ({
            program,
            settings: runtimeSettings(rw, scheme, program, path),
          }))
        : [],
    // A file that is no configuration has the same error twice.
    errors: errors.filter(
      ({ message }, i) => errors.findIndex((one) => one.message === message) === i,
    ),
  };
}
