/** How texts and queries become terms: Latin words and parts of names, Chinese by pairs. */

const word = /[\p{Script=Latin}\p{Script=Greek}\d]+/gu;
const characters = /\p{Script=Han}+/gu;
/** rotaryFrequencies: rotary, Frequencies. NTKScaling: NTK, Scaling. */
const partOfName = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}]+|\d+/gu;

/** Chinese is written without spaces: its pairs of neighboring characters stand for words. */
const pairs = (run: string): string[] =>
  run.length === 1 ? [run] : Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2));

const partsOf = (name: string): string[] => {
  const parts = name.match(partOfName) ?? [];
  return parts.length > 1 ? [name, ...parts] : [name];
};

/** Terms of a text, with repetitions, in lower case. */
export const termsOf = (text: string): string[] =>
  [
    ...(text.match(word) ?? []).flatMap(partsOf),
    ...(text.match(characters) ?? []).flatMap(pairs),
  ].map((term) => term.toLowerCase());

/** Terms of a query: a name as it is typed, without its parts. */
export const termsOfQuery = (text: string): string[] =>
  [...(text.match(word) ?? []), ...(text.match(characters) ?? []).flatMap(pairs)].map((term) =>
    term.toLowerCase(),
  );
