/**
 * The API page: topics with their functions and types, from the docstrings of the built package.
 */
import markdownIt from 'markdown-it';

interface Docstring {
  summary: string;
  returns?: string;
  throws: string[];
  see: string[];
}

interface Value {
  name: string;
  type: string;
  isOptional: boolean;
  doc?: Docstring;
}

interface Signature {
  name: string;
  parameters: Value[];
  returns: string;
  doc?: Docstring;
}

interface Type {
  name: string;
  doc?: Docstring;
  members: Value[];
  methods: Signature[];
  definition?: string;
  /** The one function that takes or gives it. */
  shownWith?: string;
}

/** As tools/reference/extract.mjs writes it. */
export interface Topic {
  title: string;
  functions: Signature[];
  types: Type[];
}

const markdown = markdownIt();

const escaped = (text: string) => markdown.utils.escapeHtml(text);
/** Functions have their own names as anchors, and one is called attention. */
const anchor = (title: string) => `topic-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
const prose = (text: string) => markdown.render(text);
const line = (text: string) => markdown.renderInline(text);

export function reference(topics: readonly Topic[]): string {
  const write = writer(topics);
  const entries = topics.map(
    ({ title, functions, types }) => `<section class="chapter" aria-labelledby="${anchor(title)}">
<h2 id="${anchor(title)}">${escaped(title)}</h2>
${functions.map(write.signature).join('\n')}
${types
  .filter(({ shownWith }) => !shownWith)
  .map(write.type)
  .join('\n')}
</section>`,
  );
  return `<nav class="contents index" aria-label="Contents">${topics.map(index).join('')}</nav>
${entries.join('\n')}`;
}

function index({ title, functions, types }: Topic): string {
  const free = types.filter(({ shownWith }) => !shownWith);
  const links = [...functions, ...free].map(
    ({ name }) => `<a href="#${name}"><code>${name}</code></a>`,
  );
  return `<p><a href="#${anchor(title)}">${escaped(title)}</a> ${links.join(' ')}</p>`;
}

/** Links type names to their entries. */
function writer(topics: readonly Topic[]) {
  const types = topics.flatMap((topic) => topic.types);
  const names = new Set(types.map(({ name }) => name));

  /** Code in which every type that has a place of its own is a link; comments are left alone. */
  const code = (text: string) =>
    text
      .split(/(\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*")/)
      .map((part, i) =>
        i % 2 === 1
          ? escaped(part)
          : escaped(part).replaceAll(/\b[A-Z]\w*\b/g, (word) =>
              names.has(word) ? `<a href="#${word}">${word}</a>` : word,
            ),
      )
      .join('');

  const value = ({ name, type, isOptional, doc }: Value) =>
    `<dt><code>${escaped(name)}${isOptional ? '?' : ''}: ${code(type)}</code></dt>
<dd>${doc ? line(doc.summary) : ''}</dd>`;

  const method = (one: Signature) =>
    `<dt><code>${code(called(one, Infinity))}</code></dt>
<dd>${one.doc ? line(one.doc.summary) : ''}</dd>`;

  const values = (all: readonly Value[], methods: readonly Signature[] = []) => {
    const rows = [...all.map(value), ...methods.map(method)];
    return rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '';
  };

  const called = ({ name, parameters, returns }: Signature, width = 76) => {
    const given = parameters.map((one) => `${one.name}${one.isOptional ? '?' : ''}: ${one.type}`);
    const together = `${name}(${given.join(', ')}): ${returns}`;
    if (together.length <= width) return together;
    return `${name}(\n${given.map((one) => `  ${one},\n`).join('')}): ${returns}`;
  };

  const outcome = (doc: Docstring) => {
    const rows = [
      ['Returns', doc.returns ? [doc.returns] : []],
      ['Throws', doc.throws],
      ['Source', doc.see],
    ] as const;
    return `<dl class="outcome">${rows
      .flatMap(([name, texts]) => texts.map((text) => `<dt>${name}</dt><dd>${line(text)}</dd>`))
      .join('')}</dl>`;
  };

  /** What goes in, with the types that nothing else takes; what comes out, likewise. */
  const description = (one: Signature, own: readonly Type[]): string => {
    const documented = one.parameters.filter(({ doc }) => doc);
    const isGiven = ({ name }: Type) =>
      one.parameters.some(({ type }) => type.split(/\W+/).includes(name));
    const parts = (some: readonly Type[]) => some.map(part).join('\n');
    return `<pre tabindex="0"><code>${code(called(one))}</code></pre>
${one.doc ? prose(one.doc.summary) : ''}
${values(documented)}
${parts(own.filter(isGiven))}
${one.doc ? outcome(one.doc) : ''}
${parts(own.filter((type) => !isGiven(type)))}`;
  };

  const part = (type: Type) =>
    `<h4 id="${type.name}"><code>${type.name}</code></h4>\n${body(type)}`;

  const body = ({ doc, members, methods, definition }: Type) =>
    `${doc ? prose(doc.summary) : ''}
${definition ? `<pre tabindex="0"><code>${code(definition)}</code></pre>` : ''}
${definition ? '' : values(members, methods)}`;

  const ownOf = ({ name }: Signature) => types.filter(({ shownWith }) => shownWith === name);

  return {
    signature: (one: Signature) => `<section class="declaration" id="${one.name}">
<h3><a href="#${one.name}">${one.name}</a></h3>
${description(one, ownOf(one))}
</section>`,
    type: (type: Type) => `<section class="declaration" id="${type.name}">
<h3><a href="#${type.name}">${type.name}</a> <small>type</small></h3>
${body(type)}
</section>`,
  };
}
