/** What a layer does with positions, in words. */
import type { Language } from '../languages.ts';
import { whole } from '../plots/number.ts';
import { isBiased, isCompressed, isOther, type Layer, type OtherKind } from './layer_kinds.ts';

const list = (parts: (string | false)[], separator: string) =>
  parts.filter((part) => part !== false).join(separator);

const seen = {
  en: (layer: Layer) =>
    layer.window !== undefined
      ? `window of ${whole(layer.window)}${isCompressed(layer) ? ', earlier text compressed' : ''}`
      : layer.chunk !== undefined
        ? `chunks of ${whole(layer.chunk)}`
        : 'all keys in view',
  zh: (layer: Layer) =>
    layer.window !== undefined
      ? `窗口 ${whole(layer.window)}${isCompressed(layer) ? '，更早的文本压缩后再看' : ''}`
      : layer.chunk !== undefined
        ? `按 ${whole(layer.chunk)} 个词元分块`
        : '能看到全部键',
};

const others = {
  en: {
    linear_attention: 'linear attention',
    mamba: 'Mamba',
    mamba2: 'Mamba 2',
    conv: 'convolution',
    recurrent: 'recurrence',
    cross_attention: 'cross-attention',
    moe: 'experts without attention',
    mlp: 'MLP without attention',
  },
  zh: {
    linear_attention: '线性注意力',
    mamba: 'Mamba',
    mamba2: 'Mamba 2',
    conv: '卷积',
    recurrent: '循环',
    cross_attention: '交叉注意力',
    moe: '只有专家层，没有注意力',
    mlp: '只有 MLP，没有注意力',
  },
} satisfies Record<Language, Record<OtherKind, string>>;

const otherIn = (names: Record<OtherKind, string>, { kind }: Layer): string | undefined =>
  isOther(kind) ? names[kind] : undefined;

export const kindIn = {
  en: (layer: Layer) =>
    otherIn(others.en, layer) ??
    list(
      [
        layer.base === undefined
          ? isBiased(layer)
            ? 'a bias per token and distance'
            : 'no rotation'
          : `rotation with base ${whole(layer.base)}`,
        layer.isScaled && 'extended frequencies',
        seen.en(layer),
        layer.temperature !== undefined &&
          `temperature 1 + ${layer.temperature.scale} ln(1 + ⌊(p + 1)/${whole(layer.temperature.floorLength)}⌋)`,
      ],
      ', ',
    ),
  zh: (layer: Layer) =>
    otherIn(others.zh, layer) ??
    list(
      [
        layer.base === undefined
          ? isBiased(layer)
            ? '偏置由词元内容和距离算出'
            : '不旋转'
          : `旋转，底数 ${whole(layer.base)}`,
        layer.isScaled && '频率经过扩展',
        seen.zh(layer),
        layer.temperature !== undefined &&
          `温度 1 + ${layer.temperature.scale} ln(1 + ⌊(p + 1)/${whole(layer.temperature.floorLength)}⌋)`,
      ],
      '，',
    ),
};

/** What the drawing of a stack of layers says. */
export const stackWords = {
  en: {
    axis: 'keys that a layer sees (log scale)',
    full: 'all keys',
    side: 'layer',
    before: 'previous layer',
    after: 'next layer',
    count: (layers: number) => `${layers} × `,
    layer: (number: number, layer: Layer) => `Layer ${number}: ${kindIn.en(layer)}.`,
  },
  zh: {
    axis: '一层能看到的键数（对数刻度）',
    full: '全部键',
    side: '层',
    before: '上一层',
    after: '下一层',
    count: (layers: number) => `${layers} 层：`,
    layer: (number: number, layer: Layer) => `第 ${number} 层：${kindIn.zh(layer)}。`,
  },
};
