/** Makes the lab's request from the settings, and reports the settings that it cannot follow. */
import type { LabRequest } from '../../toy/forward.ts';
import { isCausalOnly, lastStart } from '../../toy/schemes.ts';
import { readText } from '../../toy/tokens.ts';
import type { LabSettings, NotShown } from './lab_controls.ts';

/** `before` are the tokens that stay on show while the text cannot be read. */
export function requestOf(
  settings: LabSettings,
  before: string[],
): { request: LabRequest; notShown: NotShown } {
  const { text, dim, head, weights, layer, llamaLayer, ...others } = settings;
  const { mode: _, view: __, difference: ___, ...model } = others;
  const { tokens = before, fault } = readText(text);
  const compare = model.compare === 'off' ? undefined : model.compare;
  const schemes = [model.scheme, ...(compare ? [compare] : [])];
  const trainedLayer = { random: undefined, trained: Number(layer), llama: llamaLayer }[weights];
  // Trained decoders are causal.
  const causal = model.causal || trainedLayer !== undefined || schemes.some(isCausalOnly);
  const offset = Math.min(model.offset, lastStart(schemes, tokens.length));
  return {
    request: {
      ...model,
      tokens,
      compare,
      causal,
      offset,
      headDim: Number(dim),
      head: head - 1,
      ...(trainedLayer !== undefined && { layer: trainedLayer - 1 }),
    },
    notShown: { fault, requestedOffset: offset === model.offset ? undefined : model.offset },
  };
}
