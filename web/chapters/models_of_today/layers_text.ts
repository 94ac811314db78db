/** Words of the figure `models-by-layer`. */
import type { Try } from '../../figures/figure.ts';
import type { Language } from '../../languages.ts';
import { kindIn, stackWords } from '../../figures/layer_stack_text.ts';

/** What layers do: in models where all rotate, how far they see. */
const verbs = {
  en: {
    rotates: 'rotate',
    decays: 'have a decay instead',
    unrotated: 'have no position',
    biased: 'add a bias instead',
    seesNear: 'see only a window',
    seesCompressed: 'see earlier text compressed',
    seesAll: 'see everything',
  },
  zh: {
    rotates: '旋转',
    decays: '改用衰减',
    unrotated: '无位置编码',
    biased: '改加偏置',
    seesNear: '只看窗口',
    seesCompressed: '把更早的文本压缩后再看',
    seesAll: '能看到全部键',
  },
};

export type Trait = keyof typeof verbs.en;
export const traits = Object.keys(verbs.en) as Trait[];

/** Models by how many of their layers rotate. */
export type Group = 'every' | 'some' | 'none';

export interface Verdict {
  group: Group;
  /** Models in the group, and in the figure. */
  alike: number;
  models: number;
  model: string;
  layers: number;
  /** Counts of layers. */
  parts: (readonly [Trait, number])[];
}

const groups = {
  en: { every: 'Every layer rotates', some: 'Some layers rotate', none: 'No layer rotates' },
  zh: { every: '每层都旋转', some: '只有一部分层旋转', none: '全不旋转' },
} satisfies Record<Language, Record<Group, string>>;

const where = { every: 'in every layer', some: 'in some layers', none: 'in no layer' };

/** “2 do this, 3 do that and 4 do the other”. */
function listOf(parts: Verdict['parts']): string {
  const each = parts.map(([trait, count]) => `${count} ${verbs.en[trait]}`);
  return `${each.slice(0, -1).join(', ')} and ${each.at(-1)}`;
}

export const words = {
  model: { en: 'Model', zh: '模型' },
  tries: [
    {
      label: { en: 'Choose Llama 4', zh: '选 Llama 4' },
      notice: {
        en: 'Three of four layers rotate and see a chunk. The fourth sees everything, and has no positions.',
        zh: '四层里有三层旋转，只看一块文本；第四层看到全部，没有位置编码（NoPE）。',
      },
      set: { model: 'llama-4-scout' },
    },
    {
      label: { en: 'Choose Gemma 3', zh: '选 Gemma 3' },
      notice: {
        en: 'All layers rotate. Five of six see a window; the sixth sees everything and has a larger base.',
        zh: '每层都旋转。六层里有五层只看窗口；第六层看到全部，底数也更大。',
      },
      set: { model: 'gemma-3-27b' },
    },
    {
      label: { en: 'Choose Inkling', zh: '选 Inkling' },
      notice: {
        en: 'No layer rotates: a bias that each token computes for each distance takes its place.',
        zh: '没有一层旋转：代替旋转的是由词元和距离算出的偏置。',
      },
      set: { model: 'inkling' },
    },
  ] as readonly Try[],
  strings: {
    en: {
      title: 'Models side by side',
      question: 'Which layers of today’s models still rotate?',
      caption:
        'One row per model, one bar per layer, the first at the left. The color says what the layer does with positions; a short bar sees only a window or a chunk.',
      ...stackWords.en,
      kind: kindIn.en,
      groups: groups.en,
      verdict: ({ group, alike, models, model, layers, parts }: Verdict) =>
        `${alike} of ${models} models rotate ${where[group]}. ${model} is one: ` +
        (parts.length === 1
          ? `all its ${layers} layers ${verbs.en[parts[0]![0]]}.`
          : `of its ${layers} layers, ${listOf(parts)}.`),
      legend: {
        rotates: 'rotates',
        larger: 'rotates, larger base',
        unrotated: 'no position',
        recurrent: 'linear attention, with decay',
        biased: 'bias per token',
        short: 'window or chunk',
        compressed: 'window, earlier text compressed',
      },
      columns: ['model', 'layers', 'what they do'],
    },
    zh: {
      title: '各模型逐层比较',
      question: '今天的模型里，还有哪些层在旋转？',
      caption:
        '一行是一个模型，一条是一层，最左边是第一层。颜色表示这层怎样处理位置，短条表示只看一个窗口或一块。',
      ...stackWords.zh,
      kind: kindIn.zh,
      groups: groups.zh,
      verdict: ({ group, alike, models, model, layers, parts }: Verdict) =>
        `${models} 个模型里，有 ${alike} 个${groups.zh[group]}，${model} 是其中之一：` +
        (parts.length === 1
          ? `${layers} 层都${verbs.zh[parts[0]![0]]}。`
          : `共 ${layers} 层，${parts.map(([trait, count]) => `${count} 层${verbs.zh[trait]}`).join('，')}。`),
      legend: {
        rotates: '旋转',
        larger: '旋转，底数更大',
        unrotated: '无位置编码（NoPE）',
        recurrent: '线性注意力，带衰减',
        biased: '由词元内容算出的偏置',
        short: '窗口或分块',
        compressed: '窗口，更早的文本压缩',
      },
      columns: ['模型', '层数', '怎样处理位置'],
    },
  },
};
