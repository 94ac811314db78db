/** What the package says of settings for other programs, for Chinese readers. */
import { phrases } from '../error_text.ts';
import type { Language } from '../languages.ts';

const layouts = phrases({ 'half-split': '前后半配对', interleaved: '相邻配对' });

const chinese = phrases(
  {
    'config.json of transformers 5; in transformers 4, rope_theta and partial_rotary_factor stand beside a rope_scaling of the rest':
      'transformers 5 的 config.json；在 transformers 4 里，rope_theta 和 partial_rotary_factor 单独写，其余放进 rope_scaling',
    'vLLM 0.12 or later; before, --rope-scaling with this JSON and --rope-theta':
      'vLLM 0.12 及以后；更早的版本用 --rope-scaling 加这段 JSON，再加 --rope-theta',
    'llama-cli, llama-server; ARCH is general.architecture of the GGUF':
      'llama-cli、llama-server；ARCH 是 GGUF 的 general.architecture',
    'config.json for mlx-lm: rope_theta, rope_scaling, rope_traditional':
      'mlx-lm 的 config.json：rope_theta、rope_scaling、rope_traditional',
    'the base follows the length: this is the base at {} positions (--length), for any length':
      '底数随长度变化：这里是 {} 个位置时的底数，各种长度都用它',
    'no rope_type: here as longrope, whose divisors serve every length':
      '没有 rope_type：这里写成 longrope，它的除数适用于各种长度',
    "the softmax scale is multiplied by {}: only DeepSeek's classes do so":
      'softmax 的缩放要乘 {}：只有 DeepSeek 的类这样做',
    "the softmax scale is multiplied by {}: only DeepSeek's class (rope_type deepseek_yarn) does so":
      'softmax 的缩放要乘 {}：只有 DeepSeek 的类（rope_type deepseek_yarn）这样做',
    'the softmax scale is multiplied by {}: only the architecture deepseek2 does so':
      'softmax 的缩放要乘 {}：只有架构 deepseek2 这样做',
    "the softmax scale is multiplied by {}: only DeepSeek's models do so":
      'softmax 的缩放要乘 {}：只有 DeepSeek 的模型这样做',
    "each query has a factor on its scores ({}): it is in the model's code":
      '每个查询的分数还要乘一个因子（{}）：写在模型代码里',
    "layers {} do not rotate: it is in the model's code":
      '第 {} 层（从 0 数起）不旋转：写在模型代码里',
    "pairs are {}: the model's code decides, no setting does":
      '配对方式是{}：由模型代码决定，没有设置项',
    "pairs are {}: is_neox_style of the model's code decides, no setting does":
      '配对方式是{}：由模型代码的 is_neox_style 决定，没有设置项',
    'pairs are {}: the architecture decides ({}); convert the weights for the other one':
      '配对方式是{}：由架构决定（{}）；另一种架构要转换权重',
    'attention_factor and mscale are not read: attn_factor has their quotient':
      '不读 attention_factor 和 mscale：attn_factor 里是两者之比',
    'the list is chosen once, by --max-model-len, not by the length of a text':
      '用哪一列由 --max-model-len 一次选定，不看文本长度',
    'get_rope has no rope_type proportional: a version that serves Gemma 4 is needed':
      'get_rope 没有 rope_type proportional：需要支持 Gemma 4 的版本',
    'the ends of the ramp are rounded to whole pairs (truncate is true)':
      '过渡段的两端取整到整数编号的维度对（truncate 为 true）',
    '--yarn-attn-factor is overwritten when YaRN is on: --override-kv ARCH.rope.scaling.attn_factor=float:{} multiplies cos and sin':
      '启用 YaRN 时 --yarn-attn-factor 会被覆盖：用 --override-kv ARCH.rope.scaling.attn_factor=float:{} 让 cos 和 sin 乘上因子',
    'no flag: the GGUF has rope_factors_short.weight and rope_factors_long.weight, of which the size of the context chooses':
      '没有选项：GGUF 里有 rope_factors_short.weight 和 rope_factors_long.weight，由上下文大小选用',
    'no flag: the GGUF needs the tensor rope_freqs.weight with these divisors':
      '没有选项：GGUF 需要张量 rope_freqs.weight，里面是这些除数',
    '{} of {} values rotate: ARCH.rope.dimension_count says it':
      '{} 维旋转（每头 {} 维）：写在 ARCH.rope.dimension_count 里',
    'YarnRoPE rounds the ends of the ramp to whole pairs (truncate is true)':
      'YarnRoPE 把过渡段的两端取整到整数编号的维度对（truncate 为 true）',
    'SuScaledRoPE uses long_factor at every length, also where short_factor belongs':
      'SuScaledRoPE 在任何长度都用 long_factor，该用 short_factor 时也一样',
    'no rope_type: pass freqs to mx.fast.rope, with base=None':
      '没有 rope_type：给 mx.fast.rope 传 freqs，并令 base=None',
  },
  (part) => layouts(part) ?? part,
);

/** Where settings go, or what they cannot express. */
export const lineIn = (language: Language, line: string): string =>
  language === 'zh' ? (chinese(line) ?? line) : line;
