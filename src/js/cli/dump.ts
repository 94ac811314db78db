/** `npx ropewalk dump`: queries and keys of a text, for `ropewalk diagnose`. */
import { numbersOf } from './inputs.js';
import { modelOperand, openModel, tokenizerRule } from './models.js';
import { positionFromText, positionRule } from './position_text.js';
import { ruleOf, type Command } from './rules.js';
import * as option from '../runtime/option.js';

interface DumpOptions {
  text: string;
  tokens?: number;
  layers?: string;
  position?: string;
}

export const dump: Command = {
  says: 'queries and keys of a text in each layer of a language model, before and after rotation, as `ropewalk diagnose` reads them',
  operands: modelOperand,
  count: [1, 1],
  options: {
    text: { kind: 'file', says: 'the text, in UTF-8', required: true },
    tokens: ruleOf(option.whole.default(64), 'most tokens of the text to read'),
    layers: { kind: 'numbers', says: 'indices from 0; default: all' },
    position: positionRule,
    tokenizer: tokenizerRule,
  },
  example: 'ropewalk dump FOLDER --text book.txt --out dump.safetensors',
  async run(call) {
    const {
      operands: [place],
      given,
    } = call;
    const { text, tokens: most = 64, layers, position } = given as unknown as DumpOptions;
    const onProgress = (share: number) => call.progress(Math.round(100 * share), 100);
    const { rw, model, tokenizer } = await openModel(place!, given, { ...call, onProgress });
    const tokens = tokenizer.encode(new TextDecoder().decode(call.read(text))).slice(0, most);
    const arrays = model.dump(tokens, {
      ...(layers !== undefined && { layers: numbersOf('layers', layers, call) }),
      ...(position !== undefined && { position: positionFromText(rw, model, position) }),
    });
    const { config, runtime } = model.origin;
    const metadata = {
      ...(config && { 'ropewalk.config': JSON.stringify(config) }),
      ...(runtime && { 'ropewalk.runtime': runtime }),
    };
    return { arrays, metadata };
  },
};
