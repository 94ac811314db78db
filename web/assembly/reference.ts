/**
 * The reference: an index, and a page for each topic with its functions and types, from the
 * docstrings of the built package.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escaped } from './html.ts';
import { brokenDeclaration, joinedComment, lineOf, proseOf } from './notation.ts';
import { railList } from './rail.ts';

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
  /** Type parameters, without their brackets; empty where there are none. */
  generics: string;
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

/** Where a signature of one line breaks on a phone. */
const folds: Record<string, string> = {
  '\uE000': '<span class="fold">\n  </span>',
  '\uE001': '<span class="fold">,\n</span>',
};

/** As tools/reference/extract.mjs writes it. */
export interface Topic {
  title: string;
  functions: Signature[];
  types: Type[];
}

const slug = (title: string) => title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
/** Functions have their own names as anchors, and one is called attention. */
const anchor = ({ title }: Topic) => `topic-${slug(title)}`;
const fileOf = ({ title }: Topic) => `reference-${slug(title.replaceAll("'", ''))}.html`;
const addressOf = (topic: Topic) => `./${fileOf(topic)}`;

const docstrings = path.join(import.meta.dirname, '../../build/reference.json');

/** Returns the topics in the order of reading. Throws where tools/reference.mjs has not run. */
export function readTopics(): Topic[] {
  try {
    return JSON.parse(readFileSync(docstrings, 'utf8'));
  } catch (error) {
    throw new Error(`${docstrings} cannot be read: node tools/reference.mjs makes it`, {
      cause: error,
    });
  }
}

/** The functions of a topic, each with its signatures. */
const overloadsOf = ({ functions }: Topic) =>
  [...new Set(functions.map(({ name }) => name))].map((name) => ({
    name,
    signatures: functions.filter((one) => one.name === name),
  }));
const names = (topic: Topic) => [...overloadsOf(topic), ...topic.types].map(({ name }) => name);
/**
 * What the index and the rail name, in the order of the page: functions, each with the types that
 * it alone gives, and types of their own. Options are found at their function.
 */
const entriesOf = (topic: Topic): string[] => [
  ...overloadsOf(topic).flatMap(({ name, signatures }) => {
    const given = topic.types.filter(
      (type) => type.shownWith === name && !signatures.some((one) => isTaken(one, type.name)),
    );
    return [name, ...given.map((type) => type.name)];
  }),
  ...topic.types.filter(({ shownWith }) => !shownWith).map(({ name }) => name),
];

export const topicFiles = (topics: readonly Topic[]) => topics.map(fileOf);

/** Whether a function has a parameter of a type. */
const isTaken = ({ parameters }: Signature, name: string) =>
  parameters.some(({ type }) => type.split(/\W+/).includes(name));

/** The address of each function and type, from the folder of the English pages on. */
export const namePlaces = (topics: readonly Topic[]) =>
  new Map(
    topics.flatMap((topic) =>
      names(topic).map((name) => [name, `${addressOf(topic)}#${name}`] as const),
    ),
  );

/**
 * The index. `data-holds` are the names of a topic, and its anchor: page.ts follows them from
 * addresses of the time when the reference was one page.
 */
export function referenceIndex(topics: readonly Topic[]): string {
  const entries = topics.map((topic) => {
    const held = [anchor(topic), ...names(topic)].join(' ');
    const links = entriesOf(topic).map(
      (name) => `<a href="${addressOf(topic)}#${name}"><code>${name}</code></a>`,
    );
    const title = `<a href="${addressOf(topic)}" data-holds="${held}">${escaped(topic.title)}</a>`;
    return `<p>${[title, ...links].join('\n')}</p>`;
  });
  return `<nav class="contents index" aria-label="Contents">${entries.join('\n')}</nav>`;
}

/** The document of a topic before it is framed; undefined where no topic has this file. */
export function topicDocument(topics: readonly Topic[], file: string): string | undefined {
  const topic = topics.find((one) => fileOf(one) === file);
  if (!topic) return undefined;
  const write = writer(topics, topic);
  const title = escaped(topic.title);
  const functions = overloadsOf(topic).map(write.function);
  const types = topic.types.filter(({ shownWith }) => !shownWith).map(write.type);
  return `<title>${title} · Reference · Ropewalk</title>
<meta name="description" content="${title}: functions and types of the npm package ropewalk, with shapes, defaults, errors and sources." />
<main id="main"><article class="chapter" aria-labelledby="${anchor(topic)}">
<h1 id="${anchor(topic)}">${title}</h1>
${sidebar(topics, topic)}
${[...functions, ...types].join('\n')}
${onward(topics, topic)}
</article></main>
`;
}

/** All topics, and the functions of this one: in the rail, and folded above the text on a phone. */
function sidebar(topics: readonly Topic[], current: Topic): string {
  const items = topics.map((topic) => {
    const isCurrent = topic === current;
    const own = entriesOf(topic).map(
      (name) => `<li><a href="#${name}"><code>${name}</code></a></li>`,
    );
    return `<li><a href="${addressOf(topic)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(topic.title)}</a>${
      isCurrent ? `<ul>${own.join('\n')}</ul>` : ''
    }</li>`;
  });
  const first = `<li><a href="./reference.html">Reference</a></li>`;
  return railList([first, ...items], 'Topics');
}

function onward(topics: readonly Topic[], topic: Topic): string {
  const place = topics.indexOf(topic);
  const link = (to: Topic | undefined, rel: 'prev' | 'next', text: string) =>
    to ? `<a rel="${rel}" href="${addressOf(to)}">${text}: ${escaped(to.title)}</a>` : '';
  return `<nav class="onward" aria-label="Other topics">
${link(topics[place - 1], 'prev', 'Previous')}
<a href="./reference.html">All topics</a>
${link(topics[place + 1], 'next', 'Next')}
</nav>`;
}

/** Links type names to their entries, on the page of a topic. */
function writer(topics: readonly Topic[], current: Topic) {
  const types = topics.flatMap((topic) => topic.types);
  const places = new Map(
    topics.flatMap((topic) =>
      topic.types.map(({ name }) => [name, `${topic === current ? '' : addressOf(topic)}#${name}`]),
    ),
  );

  /** Code in which every other type with a place is a link; comments and values are left alone. */
  const code = (text: string, self?: string) =>
    text
      .split(/(\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*")/)
      .map((part, i) =>
        i % 2 === 0
          ? escaped(part)
              .replaceAll(/\b[A-Z]\w*\b/g, (word) =>
                word !== self && places.has(word)
                  ? `<a href="${places.get(word)}">${word}</a>`
                  : word,
              )
              .replaceAll(/[\uE000\uE001]/g, (sign) => folds[sign]!)
          : part.startsWith('/')
            ? `<span class="comment">${escaped(joinedComment(part))}</span>`
            : `<span class="whole">${escaped(part)}</span>`,
      )
      .join('');

  const keyOf = (name: string) => (name.includes('-') ? `'${name}'` : name);

  const value = ({ name, type, isOptional, doc }: Value) =>
    `<dt><code>${escaped(keyOf(name))}${isOptional ? '?' : ''}: ${code(type)}</code></dt>
<dd>${doc ? lineOf(doc.summary) : ''}</dd>`;

  const method = (one: Signature) =>
    `<dt><code>${code(called(one, Infinity))}</code></dt>
<dd>${one.doc ? lineOf(one.doc.summary) + details(one) : ''}</dd>`;

  /** What a method takes, returns and throws, below its summary. */
  const details = ({ parameters, doc }: Signature): string => {
    const documented = parameters.filter((one) => one.doc);
    return values(documented) + (doc && hasOutcome(doc) ? outcome(doc) : '');
  };

  const values = (all: readonly Value[], methods: readonly Signature[] = []): string => {
    const rows = [...all.map(value), ...methods.map(method)];
    return rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '';
  };

  const called = ({ name, generics, parameters, returns }: Signature, width = 76) => {
    const given = parameters.map((one) => `${one.name}${one.isOptional ? '?' : ''}: ${one.type}`);
    const start = generics === '' ? name : `${name}<${generics}>`;
    const together = `${start}(${given.join(', ')}): ${returns}`;
    if (width === Infinity || given.length === 0) return together;
    if (together.length <= width)
      return `${start}(\uE000${given.join(', \uE000')}\uE001): ${returns}`;
    return brokenDeclaration(
      `${start}(\n${given.map((one) => `  ${one},\n`).join('')}): ${returns}`,
    );
  };

  const hasOutcome = ({ returns, throws, see }: Docstring) =>
    returns !== undefined || throws.length + see.length > 0;

  const outcome = (doc: Docstring) => {
    const rows = [
      ['Returns', doc.returns ? [doc.returns] : []],
      ['Throws', doc.throws],
      ['Source', doc.see],
    ] as const;
    return `<dl class="outcome">${rows
      .flatMap(([name, texts]) => texts.map((text) => `<dt>${name}</dt><dd>${lineOf(text)}</dd>`))
      .join('')}</dl>`;
  };

  /** What goes in and comes out, and then the types of both that nothing else has. */
  const description = (one: Signature, own: readonly Type[]): string => {
    const documented = one.parameters.filter(({ doc }) => doc);
    const isGiven = ({ name }: Type) => isTaken(one, name);
    const parts = (some: readonly Type[]) => some.map(part).join('\n');
    return `<pre tabindex="0"><code>${code(called(one))}</code></pre>
${one.doc ? proseOf(one.doc.summary) : ''}
${values(documented)}
${one.doc ? outcome(one.doc) : ''}
${parts(own.filter(isGiven))}
${parts(own.filter((type) => !isGiven(type)))}`;
  };

  const part = (type: Type) =>
    `<h3 id="${type.name}">${type.name} <small>type</small></h3>\n${body(type)}`;

  const body = ({ name, doc, members, methods, definition }: Type) =>
    `${doc ? proseOf(doc.summary) : ''}
${definition ? `<pre tabindex="0"><code>${code(brokenDeclaration(definition), name)}</code></pre>` : ''}
${definition ? '' : values(members, methods)}`;

  /** A type is shown with the last signature that takes it, or else with the first one. */
  const ownOf = (name: string, signatures: readonly Signature[], at: number) =>
    types
      .filter(({ shownWith }) => shownWith === name)
      .filter((type) => {
        const last = signatures.findLastIndex((one) => isTaken(one, type.name));
        return Math.max(0, last) === at;
      });

  return {
    function: ({ name, signatures }: { name: string; signatures: readonly Signature[] }) =>
      `<section class="declaration" id="${name}">
<h2><a href="#${name}">${name}</a></h2>
${signatures
  .map((one, at) => {
    const heading = at > 0 ? `<h3>${name} <small>overload ${at + 1}</small></h3>\n` : '';
    return heading + description(one, ownOf(name, signatures, at));
  })
  .join('\n')}
</section>`,
    type: (type: Type) => `<section class="declaration" id="${type.name}">
<h2><a href="#${type.name}">${type.name}</a> <small>type</small></h2>
${body(type)}
</section>`,
  };
}
