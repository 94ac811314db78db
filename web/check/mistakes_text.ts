/** The mistakes in words, and where one was made in public. */
import type { Language } from '../languages.ts';
import { whole } from '../plots/number.ts';
import type { Mistake, MistakeId } from './mistakes.ts';

type Texts = Record<MistakeId, (values: Record<string, any>) => string>;

const number = (value: unknown) => (typeof value === 'number' ? whole(value) : String(value));

const english: Texts = {
  interleaved: () =>
    'Pairs are adjacent channels (2i, 2i + 1). Code written for Llama rotates halves: position 0 is right, and everything after it is nonsense.',
  'half-split': () =>
    'Pairs are channels (i, i + r/2). Code that rotates adjacent channels is right at position 0 only.',
  permuted: () =>
    'Pairs are channels (i, i + r/2). Meta’s checkpoints and llama.cpp’s files of Llama and Mistral have their rows in another order: they are permuted once on the way, not never and not twice.',
  partial: ({ dim, head }) =>
    `Only ${dim} of ${head} channels of a head rotate. The factor is applied twice, or dropped, or the exponents count over all ${head}.`,
  trailing: ({ dim, head }) =>
    `Only the last ${dim} of ${head} channels of a head rotate. Other code rotates the first ones, or counts the exponents over all ${head}.`,
  sections: ({ pairs }) =>
    `The pairs follow time, height and width (${pairs}). After an image, positions go on from its largest coordinate: a runtime that counts tokens while it decodes is wrong from the first new token on.`,
  bases: ({ first, firstLayers, second, secondLayers }) =>
    `${firstLayers} layers rotate with base ${whole(first)} and ${secondLayers} with base ${whole(second)}. A runtime that keeps one table for all is right in one kind only.`,
  unrotated: ({ layers, all }) =>
    `${layers} of ${all} attention layers do not rotate. No key of a GGUF says which; code that rotates all of them is wrong at every length.`,
  'not-attention': ({ layers, all }) =>
    `${layers} of ${all} layers do not attend. Numbers of layers count them: layer 3 of the file is not the third that rotates.`,
  window: ({ window }) =>
    `A window of ${whole(window)} includes the token itself: FlashAttention takes ${whole(window - 1)} to the left.`,
  chunks: ({ chunk }) =>
    `Some layers see only keys of the same block of ${whole(chunk)} positions. A sliding window in its place agrees until the second block.`,
  temperature: () =>
    'Queries are multiplied by a factor that grows with the position, in some layers. Short prompts do not show that it is missing.',
  linear: ({ factor }) =>
    `Positions are divided by ${factor}. A runtime that leaves it out is right only at position 0.`,
  'other-scaling': () =>
    'Frequencies are changed for longer texts. Runtimes without this type need them as numbers.',
  'dynamic-ntk': () =>
    'The base follows the length of the text, so keys in the cache keep an older one. vLLM, llama.cpp and MLX fix one length at the start.',
  yarn: ({ factor, original, attention }) =>
    `YaRN by ${factor} counts from ${number(original)} positions, not from the extended length. Its attention factor of ${attention} multiplies cos and sin: it is left out, or applied once more to the softmax scale.`,
  mscale: ({ factor, original, softmax }) =>
    `YaRN by ${factor} counts from ${number(original)} positions. mscale_all_dim multiplies the softmax scale by ${softmax}, and cos and sin keep their size; many ports do the reverse.`,
  longrope: ({ original }) =>
    `There are two lists of factors: short_factor for texts up to ${number(original)} tokens, long_factor for all rows of longer ones. Runtimes choose once, when they start.`,
  llama3: ({ factor, original }) =>
    `llama3 by ${factor} counts from ${number(original)} positions. GGUF has no key for it: the tensor rope_freqs.weight has the divisors, and a file without it is wrong on long texts only.`,
  proportional: () =>
    'The exponents count over the whole head, and the pairs that do not rotate have frequency 0 at the end of the list. A list without them pairs other channels.',
  alibi: ({ heads }) =>
    `ALiBi for ${heads} heads. Where that is no power of 2, the slopes are not 2^(−8h/H): they come from the next smaller power, then from every second of the larger one.`,
  t5: () =>
    'T5 has no softmax scale: 1/√d must not be there. The decoder’s buckets look only back.',
  learned: ({ positions }) =>
    `A table of ${number(positions)} rows. Beyond it there is nothing, whatever the runtime accepts; some models begin at row 2.`,
  other: () => 'Runtimes that know only RoPE leave this scheme out without an error.',
  none: () =>
    'Nothing rotates. A rope_theta in the file may be a leftover: code that follows it rotates what must not be rotated.',
};

const chinese: Texts = {
  interleaved: () =>
    '相邻两维 (2i, 2i + 1) 成对。照 Llama 写的代码旋转的是前后两半：位置 0 正确，之后全是乱码。',
  'half-split': () => '第 i 维与第 i + r/2 维成对。旋转相邻两维的代码，只有位置 0 是对的。',
  permuted: () =>
    '第 i 维与第 i + r/2 维成对。Meta 的 checkpoint，以及 llama.cpp 的 Llama、Mistral 文件，行的顺序都不同：途中要重排一次，不能不排，也不能排两次。',
  partial: ({ dim, head }) =>
    `每头 ${head} 维里只旋转 ${dim} 维。常见的错误是比例乘了两次、没有乘，或者指数按 ${head} 维计算。`,
  trailing: ({ dim, head }) =>
    `每头 ${head} 维里只旋转最后 ${dim} 维。常见的错误是旋转了最前面的，或者指数按 ${head} 维计算。`,
  sections: ({ pairs }) =>
    `各个维度对分别跟随时间、高、宽（${pairs}）。图像之后的位置要从它最大的坐标往后数；解码时按词元数计数，第一个新词元就错了。`,
  bases: ({ first, firstLayers, second, secondLayers }) =>
    `${firstLayers} 层的底数是 ${whole(first)}，${secondLayers} 层是 ${whole(second)}。所有层共用一张表，就只有一种层是对的。`,
  unrotated: ({ layers, all }) =>
    `${all} 个注意力层里有 ${layers} 层不旋转。GGUF 里没有键写明是哪些层；每层都旋转的代码，在任何长度上都是错的。`,
  'not-attention': ({ layers, all }) =>
    `${all} 层里有 ${layers} 层不是注意力层。层号把它们也算在内：文件里的第 3 层不是第三个旋转的层。`,
  window: ({ window }) =>
    `窗口 ${whole(window)} 包含词元自己：FlashAttention 的左侧窗口要写 ${whole(window - 1)}。`,
  chunks: ({ chunk }) =>
    `有些层只看同一块里的键，每块 ${whole(chunk)} 个位置。换成滑动窗口，到第二块才看得出差别。`,
  temperature: () => '有些层的查询要乘一个随位置增大的因子。漏掉它，短提示词看不出来。',
  linear: ({ factor }) => `位置要除以 ${factor}。漏掉的话，只有位置 0 是对的。`,
  'other-scaling': () => '文本变长时要改频率。不认识这种类型的程序，需要直接给它改过的频率。',
  'dynamic-ntk': () =>
    '底数随文本长度变化，缓存里的键还是用旧的底数。vLLM、llama.cpp、MLX 在启动时就固定一个长度。',
  yarn: ({ factor, original, attention }) =>
    `YaRN 扩展 ${factor} 倍，从 ${number(original)} 个位置算起，而不是从扩展后的长度算起。注意力因子 ${attention} 乘在 cos 和 sin 上：常见的错误是漏掉，或者又乘到 softmax 的缩放上。`,
  mscale: ({ factor, original, softmax }) =>
    `YaRN 扩展 ${factor} 倍，从 ${number(original)} 个位置算起。mscale_all_dim 使 softmax 的缩放乘 ${softmax}，cos 和 sin 不变；许多移植正好做反了。`,
  longrope: ({ original }) =>
    `因子有两列：文本不超过 ${number(original)} 个词元时用 short_factor，超过后所有行都用 long_factor。各种程序往往在启动时就选定一列。`,
  llama3: ({ factor, original }) =>
    `llama3 扩展 ${factor} 倍，从 ${number(original)} 个位置算起。GGUF 没有相应的键，除数在张量 rope_freqs.weight 里；缺了它，只有长文本会错。`,
  proportional: () =>
    '指数按整个头计算，不旋转的维度对在末尾，频率是 0。列表里缺了这些 0，配对就变了。',
  alibi: ({ heads }) =>
    `ALiBi，${heads} 个头。头数不是 2 的幂时，斜率不是 2^(−8h/H)：先取较小的 2 的幂的各个斜率，再隔一个取较大的。`,
  t5: () => 'T5 没有 softmax 的缩放，不能乘 1/√d。解码器的桶只往前看。',
  learned: ({ positions }) =>
    `表有 ${number(positions)} 行，再往后就没有了，不管程序收不收；有的模型从第 2 行开始用。`,
  other: () => '只支持 RoPE 的程序会漏掉这种方案，而且不报错。',
  none: () => '这个模型什么也不旋转。文件里的 rope_theta 可能是遗留的，照着它旋转就错了。',
};

const texts: Record<Language, Texts> = { en: english, zh: chinese };

export const mistakeIn = (language: Language, { id, values }: Mistake): string =>
  texts[language][id](values);

/** Threads of the guide on real bugs. */
const threads: Partial<Record<MistakeId, [name: string, address: string]>> = {
  interleaved: ['onnxruntime#26758', 'https://github.com/microsoft/onnxruntime/pull/26758'],
  yarn: ['vllm#48351', 'https://github.com/vllm-project/vllm/pull/48351'],
  mscale: ['sglang#22711', 'https://github.com/sgl-project/sglang/pull/22711'],
  longrope: ['onnxruntime#27434', 'https://github.com/microsoft/onnxruntime/pull/27434'],
  proportional: [
    'Megatron-Bridge#4195',
    'https://github.com/NVIDIA-NeMo/Megatron-Bridge/issues/4195',
  ],
};

/** Where it happened. */
export const threadOf = ({ id }: Mistake) => threads[id];
