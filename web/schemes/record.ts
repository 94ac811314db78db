/**
 * What the page says of a position scheme: its record, of which a scheme has the parts that it
 * needs. What the lab says stands apart, so that the lab does not load what only the build needs.
 */
import type { Words } from '../languages.ts';

/** What a position scheme should do; assembly/spine.ts defines each. */
export type Requirement =
  'bounded' | 'unique' | 'relative' | 'directed' | 'extrapolates' | 'cached';

export type Mark = 'yes' | 'half' | 'no' | 'open';

/**
 * How far it meets a requirement, and a note in both languages. The evidence is an anchor of the
 * page or the address of a paper; none where nothing was measured.
 */
export type Tick = readonly [mark: Mark, evidence: string | undefined, en: string, zh: string];

export type Ticks = Record<Requirement, Tick>;

/** Its place in the timeline. */
export interface History {
  /** Default: the scheme's name. */
  name?: Words;
  /** Address of the paper or post. */
  source: string;
  /** Year, or year and month, of its publication. Default: those in the number at arXiv. */
  date?: string;
  /** Where this page explains it. */
  anchor?: string;
}

/** Its row in the glossary. */
export interface Term {
  name: Words;
  anchor: string;
  definition: Words;
}

/** Its row in the table for a new model. */
export interface Facts {
  /** Default: the scheme's name. */
  name?: Words;
  /** The figure that shows it. */
  figure: string;
  acts: Words;
  /** The numbers that are learned. */
  learned: Words;
  cache: Words;
  users: Words;
}

/** Its row in the table for a longer context. */
export interface Extension {
  /** Default: the scheme's name. */
  name?: Words;
  figure: string;
  /** The method's name in the recorded evaluations. */
  method: string;
  changes: Words;
  users: Words;
}

/** Its row in the table of schemes whose positions come from the text. */
export interface TextRow {
  /** Default: the scheme's name. */
  name?: Words;
  /** What the text decides. */
  decides: Words;
  /** In TeX between dollars; \text{score} is translated. */
  formula: Words | string;
  cost: Words;
  cache: Words;
  /** Text and address of each. Default: that of its history. */
  sources?: readonly (readonly [string, string])[];
}

/** The name of each form of a scheme in the lab and what it does, by its name in the toy model. */
export type Lab = Record<string, { name: Words; note: Words }>;

export interface SchemeRecord {
  /** As in a heading. */
  name: Words;
  term?: Term;
  history?: History;
  ticks?: Ticks;
  facts?: Facts;
  extension?: Extension;
  row?: TextRow;
}

export const open: Tick = ['open', undefined, 'not measured here', '本页没有测量'];
export const keysStay: Tick = ['yes', '#stale-cache-text', 'keys stay as they are', '键不再变化'];
export const byMask: Tick = ['half', '#attention-lab', 'by a causal mask only', '只能靠因果掩码'];

/** What every rotation meets in the same way. */
export const rotation = {
  bounded: ['yes', '#rotary-clocks', 'a rotation keeps lengths', '旋转不改变长度'],
  relative: ['yes', '#rotary-clocks', 'only the difference counts', '只取决于位置之差'],
  directed: ['yes', '#rotary-clocks', 'exchange m and n, and it changes', '对调 m 与 n，分数就变'],
} satisfies Partial<Ticks>;
