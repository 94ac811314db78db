/** What the package's declarations and docstrings say, as data: topics with functions and types. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { Application, Converter, OptionDefaults, ReflectionKind } from 'typedoc';

const folder = path.join(import.meta.dirname, '../../dist/package');
/** Names the declarations of every entry. */
const tsconfig = path.join(import.meta.dirname, 'tsconfig.json');
/** What the entries start: their functions are those of the reference. The second has the first's. */
const instances = ['Ropewalk', 'Training'];

/**
 * The topics in reading order, each with the modules that declare it.
 * @type {[title: string, modules: string[]][]}
 */
const topics = [
  [
    'Starting',
    [
      'entries/index',
      'entries/pool',
      'runtime/load',
      'runtime/errors',
      'ropewalk',
      'runtime/resident',
      'attention/residents',
      'pool/pool',
      'pool/parts',
      'pool/start',
      'elements',
    ],
  ],
  ['Tensors', ['runtime/tensor']],
  ['Tables at the input', ['input/absolute', 'input/learned', 'input/grid', 'input/position_ids']],
  [
    'Rotary',
    [
      'rotary/rotary',
      'rotary/frequencies',
      'rotary/table',
      'rotary/axes',
      'rotary/decay',
      'rotary/accumulated',
    ],
  ],
  ['Longer contexts', ['rotary/scaling', 'rotary/context_length', 'rotary/logit_factors']],
  [
    "A model's configuration",
    [
      'config/position',
      'config/layers',
      'config/rotary',
      'config/schemes',
      'config/runtimes',
      'config/reader',
      'config/notes',
    ],
  ],
  [
    'Diagnosis',
    [
      'diagnose/diagnose',
      'diagnose/curve',
      'diagnose/evidence',
      'model_file/checkpoint',
      'model_file/diagnose_file',
      'model_file/verdict',
    ],
  ],
  [
    'Biases',
    ['bias/biases', 'bias/distance', 'bias/distance_table', 'bias/windows', 'bias/network'],
  ],
  [
    'Relative terms of the score',
    [
      'content/relative',
      'content/deberta',
      'content/cope',
      'content/prefix_sums',
      'content/four_terms',
      'content/call',
    ],
  ],
  [
    'Attention',
    [
      'attention/attention',
      'attention/position',
      'attention/configured',
      'attention/operands',
      'attention/call',
    ],
  ],
  ['A KV cache', ['attention/kv_cache', 'attention/token_cache', 'pool/pool_cache']],
  ['Positions from the text', ['attention/text_schemes', 'content/polar', 'content/selective']],
  ['Layers', ['model/layers']],
  [
    'Language models',
    [
      'entries/model',
      'entries/model_in_worker',
      'entries/tokenizer',
      'model/create_model',
      'model/load_model',
      'model/weights',
      'model/folder',
      'model/model',
      'model/positions',
      'model/model_trainer',
      'model/description',
      'model/tokenizer',
      'model/llama2c_tokenizer',
      'model/hub_tokenizer',
      'model_worker/worker_model',
    ],
  ],
  ['Rounding', ['rotary/precision']],
  [
    'Training',
    [
      'entries/train',
      'training/training',
      'model/schedule',
      'training/gradients',
      'training/layers',
      'training/trainer',
      'training/evaluation',
      'training/options',
      'training/run',
      'training/run_evaluation',
      'training/plan',
      'training/training_pool',
    ],
  ],
  [
    'Files',
    [
      'entries/files',
      'formats/byte_source',
      'formats/file_tensor',
      'formats/npy',
      'formats/safetensors',
    ],
  ],
];

const textOf = (parts = []) =>
  parts
    .map(({ text }) => text)
    .join('')
    .trim();

/** A docstring: its summary and the texts of each tag. TypeDoc splits one between a property and its type. */
function docOf(...comments) {
  const given = comments.filter(Boolean);
  if (given.length === 0) return undefined;
  const tags = (name) =>
    given
      .flatMap(({ blockTags }) => blockTags)
      .filter(({ tag }) => tag === name)
      .map(({ content }) => textOf(content));
  return {
    summary: given.map(({ summary }) => textOf(summary)).find((text) => text !== ''),
    returns: tags('@returns')[0],
    throws: tags('@throws'),
    see: tags('@see'),
  };
}

/** As the sources spell it. */
const typeText = (type) =>
  String(type ?? 'void')
    .replaceAll(/<ArrayBuffer(Like)?>/g, '')
    .replaceAll('"', "'")
    .replaceAll(/\bModule\b/g, 'WebAssembly.Module');

/** A property or a getter, which has its type and its docstring in a signature. */
const valueOf = ({ name, type, flags, comment, getSignature }) => ({
  name,
  type: typeText(type ?? getSignature?.type),
  isOptional: flags.isOptional,
  doc: docOf(comment, getSignature?.comment),
});

/** What stands between the angle brackets before the parameters. */
const genericsOf = (parameters = []) =>
  parameters
    .map(({ name, type }) => (type ? `${name} extends ${typeText(type)}` : name))
    .join(', ');

const signatureOf = ({ parameters = [], typeParameters, type, comment }, name) => ({
  name,
  generics: genericsOf(typeParameters),
  parameters: parameters.map(valueOf),
  returns: typeText(type),
  doc: docOf(comment),
});

/** What a property's docstring says of a parameter, where its type does not take that over. */
function paramOf(comment, name) {
  const tag = comment?.blockTags.find((one) => one.tag === '@param' && one.name === name);
  return tag && { summary: tag.content, blockTags: [] };
}

/** Every way to call a member: a method, a property that holds a function, a function with members. */
function signaturesOf(member) {
  const { name, signatures, type, comment } = member;
  if (signatures) return signatures.map((signature) => signatureOf(signature, name));
  const parts = type?.type === 'intersection' ? type.types : [type];
  return parts.flatMap((part) => {
    const declaration = part?.type === 'reflection' ? part.declaration : part?.reflection;
    if (!declaration?.signatures) return [];
    const own = declaration.signatures.map((signature) => {
      // Of several types, one that has its own docstring does not share that of the property.
      const isAlone = parts.length > 1 && signature.comment;
      const written = signatureOf(signature, name);
      if (!isAlone) {
        written.doc = docOf(signature.comment, comment);
        for (const parameter of written.parameters)
          parameter.doc ??= docOf(paramOf(comment, parameter.name));
      }
      return written;
    });
    const members = (declaration.children ?? []).flatMap(signaturesOf);
    return [...own, ...members.map((called) => ({ ...called, name: `${name}.${called.name}` }))];
  });
}

/** Where a declaration stands: the module's path in the package, and the line to sort by. */
function placeOf({ sources, signatures, getSignature }) {
  const { fullFileName, line } = (sources ?? signatures?.[0].sources ?? getSignature.sources)[0];
  const file = path.relative(folder, fullFileName).replaceAll(path.sep, '/');
  return { module: file.replace(/\.d\.ts$/, ''), line };
}

const isForeign = ({ sources, signatures }) => {
  const [source] = sources ?? signatures?.[0].sources ?? [];
  return source !== undefined && path.relative(folder, source.fullFileName).startsWith('..');
};

const byLine = (a, b) => a.line - b.line;
const byPlace = (a, b) => a.module.localeCompare(b.module) || byLine(a, b);

function typeOf(reflection, texts) {
  const { name, comment } = reflection;
  // Members of types that the package does not declare, such as Error, are known from there.
  const children = (reflection.children ?? []).filter((child) => !isForeign(child));
  // Inherited members are documented where they are declared, as an instance's functions are.
  const own = children.filter(({ inheritedFrom }) => !inheritedFrom);
  const isLarge = children.length - own.length > 30;
  // Own members first: lines of two files have no order.
  const inherited = children.filter((child) => !own.includes(child));
  const sorted = (list) => list.toSorted((a, b) => byPlace(placeOf(a), placeOf(b)));
  const members = [...sorted(own), ...(isLarge ? [] : sorted(inherited))];
  return {
    name,
    doc: docOf(comment),
    members: members.filter(({ signatures }) => !signatures).map(valueOf),
    methods: members.filter(({ signatures }) => signatures).flatMap(signaturesOf),
    definition: reflection.kind === ReflectionKind.TypeAlias ? texts.get(reflection) : undefined,
    ...placeOf(reflection),
  };
}

/** A declaration with the comment above it, without what a module needs. */
function writtenAs(declaration) {
  const source = declaration.getSourceFile();
  const text = source.text.slice(declaration.getStart(source, true), declaration.end);
  // Half the indentation; the stars of a comment keep the one column that they stand in.
  return text
    .replace(/^export |^declare /gm, '')
    .replaceAll(/^ +/gm, ({ length }) => ' '.repeat(Math.ceil(length / 2)));
}

/** The types that a declaration names and no entry exports, and those that these name. */
function unexportedIn(declaration, checker, exported, found = new Set()) {
  const visit = (node) => {
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) {
      let symbol = checker.getSymbolAtLocation(node.typeName);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
      const [named] = symbol?.declarations ?? [];
      const isOurs =
        named &&
        (ts.isInterfaceDeclaration(named) || ts.isTypeAliasDeclaration(named)) &&
        !path.relative(folder, named.getSourceFile().fileName).startsWith('..');
      if (isOurs && !exported.has(symbol.name) && !found.has(named)) {
        found.add(named);
        unexportedIn(named, checker, exported, found);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return [...found].filter((one) => one !== declaration);
}

/**
 * The declaration as it is written, since a union's comments stand between its members; below it
 * the types that have no place of their own. Names of an object's keys are listed.
 */
function definitionOf({ checker, declaration }, exported) {
  const text = writtenAs(declaration).replace(/^(\/\*\*[^]*?\*\/\s*)+/, '');
  if (/keyof typeof/.test(text)) {
    const { InTypeAlias, NoTruncation } = ts.TypeFormatFlags;
    const type = checker.getTypeAtLocation(declaration);
    const names = checker.typeToString(type, undefined, InTypeAlias | NoTruncation);
    return `type ${declaration.name.text} = ${names.replaceAll('"', "'")};`;
  }
  const named = unexportedIn(declaration, checker, exported).map(writtenAs);
  return [text, ...named].join('\n\n');
}

async function converted() {
  const aliases = new Map();
  const { files } = JSON.parse(await readFile(tsconfig, 'utf8'));
  const app = await Application.bootstrap({
    entryPoints: files.map((name) => path.join(import.meta.dirname, name)),
    tsconfig,
    basePath: folder,
    readme: 'none',
    excludeInternal: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    sort: ['source-order'],
    blockTags: OptionDefaults.blockTags,
    logLevel: 'Warn',
    treatWarningsAsErrors: true,
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    const [declaration] = context.getSymbolFromReflection(reflection)?.declarations ?? [];
    if (reflection.kind === ReflectionKind.TypeAlias && declaration)
      aliases.set(reflection, { checker: context.checker, declaration });
  });
  const project = await app.convert();
  if (!project || app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('TypeDoc found fault with the declarations, see above');
  return { modules: project.children, aliases };
}

/** Each export once, although several entries have it. */
function exportsOf(modules) {
  const all = new Map();
  for (const { children = [] } of modules)
    for (const child of children) {
      const meant = child.kind === ReflectionKind.Reference ? child.getTargetReflection() : child;
      const before = all.get(meant.name) ?? meant;
      // A page has one place for each name. Entries for browsers and for Node have functions of one name.
      if (before !== meant && !meant.kindOf(ReflectionKind.Function))
        throw new Error(`two types have the name ${meant.name}`);
      all.set(meant.name, before);
    }
  return [...all.values()];
}

const mentions = (name, texts) =>
  texts.some((text) => text !== undefined && new RegExp(`\\b${name}\\b`).test(text));

const textsOf = ({ parameters, returns }) => [...parameters.map(({ type }) => type), returns];

/** The one function that takes or gives a type: its reader need not look elsewhere. */
function ownerOf({ name }, functions, types) {
  const users = functions.filter((one) => mentions(name, textsOf(one)));
  const others = types.filter(
    (type) =>
      type.name !== name &&
      mentions(name, [
        type.definition,
        ...type.members.map((member) => member.type),
        ...type.methods.flatMap(textsOf),
      ]),
  );
  return users.length === 1 && others.length === 0 ? users[0].name : undefined;
}

/** Reads dist/package, as tsconfig.json names its entries. */
export async function extract() {
  const { modules, aliases } = await converted();
  const exported = exportsOf(modules);
  const names = new Set(exported.map(({ name }) => name));
  const texts = new Map(
    [...aliases].map(([reflection, alias]) => [reflection, definitionOf(alias, names)]),
  );
  const [first, second] = instances.map(
    (type) => exported.find(({ name }) => name === type).children,
  );
  const more = second.filter((member) => !first.some(({ name }) => name === member.name));
  const called = [
    ...exported.filter(({ kind }) => kind === ReflectionKind.Function),
    ...[...first, ...more].filter(({ inheritedFrom, overwrites }) => inheritedFrom ?? overwrites),
  ].map((member) => ({
    // What an instance adds to a function is declared where the function is.
    ...placeOf(member.overwrites ? member.type.types.at(-1).reflection : member),
    signatures: signaturesOf(member),
  }));
  const types = exported
    .filter(({ kind }) => kind !== ReflectionKind.Function)
    .filter(({ signatures }) => !signatures)
    .map((reflection) => typeOf(reflection, texts));
  for (const { module } of [...called, ...types])
    if (!topics.some(([, ours]) => ours.includes(module)))
      throw new Error(`no topic of tools/reference/extract.mjs has the module ${module}`);
  const functions = called.flatMap(({ signatures }) => signatures);
  const owned = types.map((type) => ({ ...type, shownWith: ownerOf(type, functions, types) }));
  const of = (list, module) => list.filter((one) => one.module === module).toSorted(byLine);
  return topics.map(([title, ours]) => {
    const topic = {
      title,
      functions: ours
        .flatMap((module) => of(called, module))
        .flatMap(({ signatures }) => signatures),
      types: ours.flatMap((module) => of(owned, module)),
    };
    if (topic.functions.length + topic.types.length === 0)
      throw new Error(`the topic "${title}" of tools/reference/extract.mjs is empty`);
    return topic;
  });
}
