/** The figure `attention-lab`: a sentence of the reader's through one layer of attention. */
import { defineFigure, type Table } from '../../figures/figure.ts';
import { compareText } from './compare_text.ts';
import { comparedIn } from './compare_view.ts';
import { controls, withMode, type LabData, type LabFocus, type LabView } from './lab_controls.ts';
import { drawLab } from './lab_view.ts';
import { labStyle } from './lab_style.ts';
import { strongestIn } from './pointed_view.ts';
import { requestOf } from './request.ts';
import { schemeText } from './scheme_text.ts';
import { examples, text } from './text.ts';
import { runLlama, runTrained } from './trained.ts';
import { tries } from './tries.ts';

/**
 * The last text that could be read, per figure: it stays on show while the next one is repaired.
 */
const lastTokens = new WeakMap<object, string[]>();

export default defineFigure<typeof controls, typeof text, LabData, LabFocus>({
  claims: ['C01', 'C13', 'C14', 'C18', 'C19', 'C20', 'C27', 'C28', 'C29', 'C31', 'C32'],
  text,
  controls,
  complete: withMode,
  tries,
  async compute(settings, engine) {
    const before = lastTokens.get(engine) ?? examples.dog.split(' ');
    const { request, notShown } = requestOf(settings, before);
    const start = performance.now();
    const result =
      settings.weights === 'random'
        ? { ...(await engine.runLab(request)), trained: undefined }
        : await (settings.weights === 'llama' ? runLlama : runTrained)(request);
    lastTokens.set(engine, request.tokens);
    return { ...result, ...notShown, elapsed: performance.now() - start };
  },
  hasOwnFinding: true,
  isWide: true,
  draw: drawLab,
  describe(view) {
    const { data, settings, language, say } = view;
    const { tokens, head } = data.request;
    return [
      say.describe(
        say.tokens(tokens.length),
        schemeText[settings.scheme].name[language],
        head + 1,
        say.viewTitles[settings.view],
      ),
      say.strongest(...strongestIn(view)),
      comparedIn(data, language),
    ].join(' ');
  },
  table: tableOf,
  styles: labStyle,
});

/** Vectors as one row per token; everything between two tokens as one row per pair. */
function tableOf({ data, settings, language, say }: LabView): Table {
  const { tokens } = data.request;
  const { order, input, output, scores, content, bias, biased, weights, entropy } = data.shown;
  const label = (place: number) => [tokens[order[place]!]!, data.positions[place]!];
  if (settings.view === 'input' || settings.view === 'output') {
    const values = settings.view === 'input' ? input : output;
    const width = values.length / order.length;
    return {
      columns: [
        say.table.token,
        say.table.position,
        ...Array.from({ length: width }, (_, d) => String(d)),
      ],
      rows: order.map((_, place) => [
        ...label(place),
        ...Array.from(values.subarray(place * width, (place + 1) * width), short),
      ]),
    };
  }
  const pairs = Array.from(weights, (_, pair) => pair);
  const { query, queryPosition, key, keyPosition } = say.table;
  const names = ['content', 'scores', 'bias', 'biased', 'weights'] as const;
  const other = data.compared?.pass;
  const own = names.map((name) => say.views[name]);
  const others = other
    ? names.map((name) => compareText[language].named('B', say.views[name]))
    : [];
  return {
    columns: [query, queryPosition, key, keyPosition, ...own, say.table.entropy, ...others],
    rows: pairs.map((pair) => [
      ...label(Math.floor(pair / order.length)),
      ...label(pair % order.length),
      ...[content, scores, bias, biased, weights].map((step) => short(step?.[pair] ?? 0)),
      short(entropy[Math.floor(pair / order.length)]!),
      ...(other ? names.map((name) => short(other[name]?.[pair] ?? 0)) : []),
    ]),
  };
}

/** A float32 in as many decimal digits as tell it apart. */
const short = (value: number) => Number(value.toPrecision(9));
