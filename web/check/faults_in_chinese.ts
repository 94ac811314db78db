/** What each fault does and how to correct it, for Chinese readers. */
interface FaultText {
  /** With the parameters of the hypothesis. */
  says(parameters: Record<string, any>): string;
  fix: string;
}

const fixed = (says: string, fix: string): FaultText => ({ says: () => says, fix });

const rounded = (says: string): FaultText =>
  fixed(
    says,
    '位置、频率、角度、cos 和 sin 都用 float32 计算，只把最后的结果转成低精度：torch.autocast(enabled=False)（Hugging Face）、float32 的 cos_sin_cache（vLLM）、float32 缓存（ONNX）。',
  );

const short = (value: number) => Number(value.toPrecision(5));

const factorText = (says: string, fix: string): FaultText => ({
  says: ({ attention_factor: factor }) => `${says}（因子为 ${short(factor)}）。`,
  fix,
});

const longerTable =
  '把表加长：max_position_embeddings（Hugging Face）、--max-model-len（vLLM）、--ctx-size（llama.cpp）、cos_cache 和 sin_cache 的行数（ONNX）。';

const filled: Record<string, string> = {
  zeros: '全是零',
  ones: '全是一',
  arange: '是计数 0、1、2……',
};

export const faultsInChinese: Record<string, FaultText> = {
  inv_freq_uninitialised: {
    says: ({ inv }) => `inv_freq 里${filled[inv] ?? '是内存中残留的数'}：它从未被计算过。`,
    fix: '模型离开 meta 设备之后、.half() 或 .to() 之前，重新计算 inv_freq：它不随权重保存（persistent=False），加载时不会被填上（Hugging Face、unsloth）；转换后的模型里要重新登记它（ONNX、ExecuTorch）。',
  },
  rotary_width_wrong: {
    says: ({ rotary, reason, expected, of }) =>
      `每头 ${of} 维里旋转了 ${rotary} 维，config 要的是 ${expected} 维${reason === 'twice' ? '：partial_rotary_factor 乘了两次' : reason === 'dropped' ? '：partial_rotary_factor 被丢掉了' : ''}。`,
    fix: '只算一次 r = int(head_dim * partial_rotary_factor)，指数按 r 维计，旋转 q[..., :r] 和 k[..., :r]，其余各维原样传下去。在别的程序里，r 叫 rotary_dim（vLLM）、rope.dimension_count（llama.cpp）、nn.RoPE 的 dims（MLX）、rotary_embedding_dim（ONNX）。',
  },
  partial_dims_leading_vs_trailing: {
    says: ({ part }) =>
      part === 'leading'
        ? '旋转的是每个头的前面几维，而模型旋转的是最后几维。'
        : '旋转的是每个头的最后几维，而模型旋转的是前面几维。',
    fix: 'DeepSeek（V2 到 V4）旋转最后几维，GPT-NeoX、Phi、StableLM、GLM 旋转前面几维：改正旋转之前拆分 q 和 k 的顺序，各种运行时都一样。',
  },
  rotated_twice: {
    says: ({ applies_to: to }) => `${to ? `${to} ` : 'q 和 k 都'}旋转了两次。`,
    fix: '只旋转一次：在模型里，或者在注意力算子里（Hugging Face、vLLM、SGLang、TensorRT-LLM）；写入缓存之前，或者取出之后；GroupQueryAttention 的 do_rotary 或 RotaryEmbedding 节点（ONNX），不要都做。',
  },
  one_side_unrotated: {
    says: ({ unrotated }) => `${unrotated} 没有旋转，${unrotated === 'k' ? 'q' : 'k'} 旋转了。`,
    fix: 'q 和 k 用同一张表旋转，从缓存取出的 k 也要旋转：apply_rotary_pos_emb（Hugging Face）、rotary_emb(positions, q, k)（vLLM）、两边都用 ggml_rope_ext（llama.cpp）、两边都用 self.rope（MLX）、两个输入（ONNX）。',
  },
  scaling_factor_applied_twice: {
    says: ({ twice }) =>
      twice === 'all'
        ? '上下文扩展应用了两次：频率和注意力因子都算了两遍。'
        : '上下文扩展在频率上应用了两次。',
    fix: '要么在转换权重时缩放，要么在运行时缩放：inv_freq 或 rope_freqs.weight 已经缩放过，就去掉 rope_scaling（Hugging Face、vLLM），或者用 --rope-scaling none（llama.cpp）、scale=1（MLX）、不再乘因子的缓存（ONNX）。',
  },
  sliding_given_global_rope: {
    says: ({ base }) => `滑动窗口层用了全局层的旋转（底数 ${base}）。`,
    fix: "按层的类型选择：滑动窗口层用 rope_local_base_freq、swa_rope_theta 或 rope_parameters['sliding_attention']（DeepSeek V4 是 main）（Hugging Face、vLLM）；rope.freq_base_swa（llama.cpp）。",
  },
  output_not_derotated: {
    says: ({ output }) =>
      output === 'raw'
        ? '注意力的输出没有转回来：值里还带着各个键的位置。'
        : '注意力的输出按查询的位置往前转了，而不是转回来。',
    fix: '输出投影之前，把注意力输出的最后 qk_rope_head_dim 维按查询位置的负角度旋转：apply_rotary_pos_emb 用 cos 和 −sin（Hugging Face、vLLM）、ggml_rope_ext_back（llama.cpp）、位置或 sin 取负（MLX、ONNX）。',
  },
  draft_positions_or_table: {
    says: ({ draft: { fault, ...own } }) =>
      `草稿头与主模型不一致。${faultsInChinese[fault]!.says(own)}`,
    fix: '草稿头要用主模型的位置和旋转参数：两个模型都传 --hf-overrides（vLLM），--speculative-draft-model-path 配同样的旋转设置（SGLang），草稿模型的 config.json（Hugging Face），草稿模型的 --rope-scaling 和 --rope-freq-base（llama.cpp）。',
  },
  evicted_positions_lag: {
    says: ({ evicted, sinks, cached_rows: end }) =>
      `从第 ${sinks} 行${end === undefined ? '起' : `到第 ${end - 1} 行`}，键的位置${evicted > 0 ? '大' : '小'}了 ${Math.abs(evicted)}：它们还是逐出词元之前的位置。`,
    fix: '逐出之后重新旋转剩下的键（llama.cpp 的 llama_memory_seq_add、Hugging Face 的 SinkCache），或者在缓存里存未旋转的键（StreamingLLM），或者让查询接着用原来的位置（MLX 的 RotatingKVCache、vLLM）。',
  },
  mrope_decode_positions: {
    says: ({ decode_from: from, mode }) =>
      `图像之后，从第 ${from} 行起，` +
      (mode === 'row_index'
        ? '位置就是行号：图像造成的偏移丢了。'
        : mode === 'restart'
          ? '位置又从 0 开始。'
          : '位置只前进一步，好像图像只有一个词元。'),
    fix: '从提示词里最大的位置加一接着数，各个轴相同：解码时保留 get_rope_index 的 rope_deltas（Hugging Face）、mrope_position_delta（vLLM）、llama_batch.pos 的各个轴（llama.cpp）、缓存里的 rope_deltas（mlx-vlm）、position_ids [3, N]（ONNX）。',
  },
  cache_rotated_by_other_table: {
    says: ({ cached_rows: rows, seq_len: length, longrope_use: list }) =>
      `前 ${rows} 个键用的是旧表：` +
      (length !== undefined
        ? `长度不超过 ${length} 时的表。`
        : list !== undefined
          ? 'short_factor 的表。'
          : '没有缩放的表。'),
    fix: '表变了就重新旋转缓存里的键，或者在缓存里存未旋转的键；不要读入另一种旋转设置下存的缓存（Hugging Face、vLLM、llama.cpp 的 --cache-reuse 和会话文件、MLX、ONNX 的 past_key）。',
  },
  wrong_base: {
    says: ({ base }) => `频率的底数是 ${base}。`,
    fix: '传入 config 里的底数：rope_theta（Hugging Face、vLLM；transformers 5 是 rope_parameters.rope_theta）、--rope-freq-base（llama.cpp）、nn.RoPE 的 base（MLX）、cos_cache 和 sin_cache 输入（ONNX）。',
  },
  dim_head_instead_of_rotary: fixed(
    '频率的指数按整个头的维数计算，而不是按旋转的维数。',
    '指数除以旋转的维数：rotary_dim 或 head_dim · partial_rotary_factor（Hugging Face、vLLM）、n_rot（llama.cpp）、nn.RoPE 的 dims（MLX）、rotary_embedding_dim（ONNX）。',
  ),
  dim_rotary_instead_of_head: fixed(
    '频率的指数按旋转部分的维度计算，而不是按每头维度。',
    "像 rope_type 'proportional' 那样让指数除以 head_dim，并保留末尾的零。",
  ),
  partial_vs_proportional: {
    says: ({ scheme, width }) =>
      width === 'head'
        ? '频率与 proportional RoPE 相同，但末尾没有补零：配对只在前面几维之内，而不是跨整个头。'
        : scheme === 'partial'
          ? '数据是普通的部分旋转（只转前面几维，指数按这几维算）；config 要的是 proportional RoPE（整个头配对，指数按整个头算，末尾补零）。'
          : '数据是 proportional RoPE（整个头配对，指数按整个头算，末尾补零）；config 要的是普通的部分旋转。',
    fix: '使用 config 的 rope_type：proportional 把 (i, i + head_dim/2) 配成一对，并给 inv_freq 补零；只有 partial_rotary_factor 时只旋转前面几维。',
  },
  scaling_missing: fixed(
    '频率只由底数决定：没有应用 rope_scaling。',
    '应用 rope_scaling（transformers 5 是 rope_parameters）：--rope-scaling 和 --rope-scale（llama.cpp）、--rope-scaling 或 config（vLLM）、给 mx.fast.rope 传缩放后的 freqs（MLX）、缩放后的缓存（ONNX）。',
  ),
  scaling_wrong_type: {
    says: ({ type, factor }) => `频率符合 rope_type '${type}'、factor ${factor}。`,
    fix: '使用 config 的 rope_type 和它自己的参数；同一个 factor 在不同类型里含义不同。',
  },
  scaling_wrong_factor: {
    says: ({ factor, attention_factor: temperature }) =>
      temperature
        ? `频率按 factor ${factor} 缩放，注意力因子也由它算出，没有读取 config 给出的值。`
        : `频率按 factor ${factor} 缩放。`,
    fix: '使用 config 的 factor：rope_scaling.factor（Hugging Face、vLLM）、--rope-scale 或 1/--rope-freq-scale（llama.cpp）、nn.RoPE 的 1/scale（MLX）。',
  },
  wrong_original_length: {
    says: ({ original_max_position_embeddings: original }) => `缩放是按训练长度 ${original} 算的。`,
    fix: '使用 original_max_position_embeddings，而不是 max_position_embeddings（Hugging Face、vLLM）；--yarn-orig-ctx（llama.cpp）。',
  },
  dynamic_ntk_other_length: {
    says: ({ seq_len: length }) =>
      length === undefined
        ? '每一行的动态 NTK 底数都按它被计算时的长度取。'
        : `动态 NTK 是按长度 ${length} 算的。`,
    fix: '按当前长度计算底数并重新旋转缓存里的键，或者在缓存里存未旋转的键；vLLM 在启动时就定下长度。',
  },
  longrope_short_beyond_boundary: fixed(
    '文本已超过训练长度，却仍在用 short_factor。',
    '超过 original_max_position_embeddings 后，所有行都用 long_factor：rope_factors_long（llama.cpp）、long_factor（Hugging Face、MLX）；vLLM 由 max_model_len 决定。',
  ),
  longrope_long_within_boundary: fixed(
    '文本在训练长度以内，却用了 long_factor。',
    '不超过 original_max_position_embeddings 时用 short_factor；vLLM 由 max_model_len 决定，它也要在这个长度以内。',
  ),
  yarn_ramp_paper_vs_code: fixed(
    'YaRN 的过渡段按论文的写法，对圈数是线性的。',
    '使用已发布代码的写法：在 beta_fast 和 beta_slow 的 find_correction_range 之间，对维度对的序号是线性的。',
  ),
  yarn_truncate: {
    says: ({ truncate }) =>
      truncate
        ? 'YaRN 过渡段的两端取整到了整数编号的维度对；config 写的是 truncate: false。'
        : 'YaRN 过渡段的两端没有取整到整数编号的维度对，而默认是要取整的。',
    fix: '按 rope_scaling.truncate 来（默认 true；gpt-oss 是 false）。',
  },
  layout_swapped: {
    says: ({ layout, runtime, right_in: other }) => {
      const whose = runtime ? `${runtime} 对这个模型用的` : '模型';
      return layout === 'inter'
        ? `旋转的是相邻配对 (2i, 2i+1)，而${whose}是前后半配对 (i, i + r/2)。` +
            (other
              ? `如果数据来自 ${other}，这是对的：它在转换这类模型时重排 q 和 k 的行，再旋转相邻配对；否则就是配对用错了。`
              : '')
        : `旋转的是前后半配对 (i, i + r/2)，而${whose}是相邻配对 (2i, 2i+1)。`;
    },
    fix: '换一种配对：rotate_half 还是 interleaved（Hugging Face）、is_neox_style（vLLM）、LLAMA_ROPE_TYPE_NEOX 或 NORM（llama.cpp）、nn.RoPE 的 traditional（MLX）、interleaved（ONNX）；或者重排 q_proj 和 k_proj 的行。',
  },
  weights_permuted_twice: {
    says: ({ unseen }) =>
      unseen
        ? 'q 和 k 的各维是否多重排了一次，只有对照参考实现才能看出来。'
        : '每个头的各维与参考一致，但多重排了一次（先偶数维，后奇数维）。',
    fix: 'q_proj 和 k_proj 的行只重排一次：Meta 的 checkpoint 需要重排，Hugging Face 的已经排好，convert_hf_to_gguf.py（llama.cpp）会把它排回去。',
  },
  rotation_inverted: fixed(
    '旋转的角度取了负号。',
    '改正 sin 或 rotate_half 的符号：(a cos − b sin, a sin + b cos)，各种运行时都一样。',
  ),
  sin_cos_swapped: fixed(
    'cos 和 sin 互换了。',
    '先传 cos：apply_rotary_pos_emb(q, k, cos, sin)（Hugging Face）、cos_sin_cache 是 [cos, sin]（vLLM）、cos_cache 在 sin_cache 之前（ONNX）。',
  ),
  attention_factor_missing: factorText(
    '注意力因子没有起作用',
    'cos 和 sin 乘上 attention_factor（Hugging Face 的 attention_scaling、vLLM 的 mscale、llama.cpp 的 --yarn-attn-factor、MLX 的 mscale）。',
  ),
  attention_factor_twice: factorText(
    'cos 和 sin 乘了两次注意力因子',
    '注意力因子只乘一次：要么乘在 cos 和 sin 上，要么乘在 q 和 k 上，不要都乘。',
  ),
  attention_factor_on_wrong_side: factorText(
    '注意力因子乘错了地方：该乘 cos 和 sin 的乘到了 softmax 的缩放上，或者相反',
    'YaRN 把因子乘在 cos 和 sin 上；mscale = mscale_all_dim 的 DeepSeek 则用它的平方乘 softmax 的缩放。',
  ),
  attention_factor_ignored: {
    says: ({ attention_factor: factor, on_cos_sin: used }) =>
      `cos 和 sin 乘的是 YaRN 自己的因子 ${short(used)}，而 config 写的是 ${short(factor)}。`,
    fix: '读取 config 的 attention_factor，它代替 0.1 · ln(factor) + 1（Hugging Face）；再传下去：mscale（vLLM、MLX）、--yarn-attn-factor（llama.cpp），或者用它生成 cos_cache 和 sin_cache（ONNX）。',
  },
  rounded_positions_bf16: rounded('位置被舍入到 bfloat16。'),
  rounded_positions_f16: rounded('位置被舍入到 float16。'),
  rounded_frequencies_bf16: rounded('频率（inv_freq）被舍入到 bfloat16。'),
  rounded_frequencies_f16: rounded('频率（inv_freq）被舍入到 float16。'),
  rounded_angles_bf16: rounded('位置与频率的乘积被舍入到 bfloat16。'),
  rounded_angles_f16: rounded('位置与频率的乘积被舍入到 float16。'),
  rounded_table_bf16: rounded('cos 和 sin 被舍入到 bfloat16。'),
  rounded_table_f16: rounded('cos 和 sin 被舍入到 float16。'),
  mrope_sections_wrong: {
    says: ({ sections, sections_interleaved: interleaved, section_axes: axes }) =>
      `维度对按分段 ${sections.join('、')} 跟随各个位置轴（${interleaved ? '交错排列' : '成块排列'}），轴的顺序是 ${axes.join('、')}。`,
    fix: '使用 config 的 mrope_section，顺序为时间、高、宽，并按 mrope_interleaved 排列（Hugging Face、vLLM）；rope_sections（llama.cpp）。',
  },
  nope_layer_rotated: fixed(
    '这一层没有旋转位置编码，q 和 k 却被旋转了。',
    'no_rope_layers 为 0 或该层类型不旋转时，跳过旋转（Hugging Face、vLLM：use_rope；llama.cpp：n_no_rope_layer_step）。',
  ),
  local_base_used_globally: {
    says: ({ base }) => `全局层用了滑动窗口层的旋转（底数 ${base}）。`,
    fix: "按层的类型选择：全局注意力用 rope_theta；滑动窗口层用 rope_local_base_freq（transformers 4）或 rope_parameters['sliding_attention']（transformers 5）。",
  },
  positions_frozen: {
    says: ({ frozen, from }) =>
      from === undefined
        ? `所有行的位置都是 ${frozen}${frozen === 0 ? '，或者根本没有旋转' : ''}。`
        : `从位置 ${from} 起，所有行的位置都是 ${frozen}。`,
    fix: '每来一个词元，位置要加一：position_ids 或 cache_position（Hugging Face）、positions（vLLM）、llama_batch.pos（llama.cpp）、nn.RoPE 的 offset（MLX）、position_ids（ONNX）。',
  },
  positions_shifted: {
    says: ({ shift, applies_to: to }) =>
      `${to ? `${to} 的` : ''}位置${shift > 0 ? '大' : '小'}了 ${Math.abs(shift)}。`,
    fix: '从 0 开始；有缓存时，第一个新词元从缓存里的词元数开始：cache_position（Hugging Face）、n_past（llama.cpp）、offset=cache.offset（MLX）、past_sequence_length（ONNX）。',
  },
  positions_restart_after_cache: {
    says: ({ restart }) => `从位置 ${restart} 起，各行又从 0 开始计数。`,
    fix: '加上缓存的长度：cache_position（Hugging Face）、positions（vLLM）、n_past（llama.cpp）、offset=cache.offset（MLX）、past_sequence_length（ONNX）。',
  },
  positions_from_padding: fixed(
    '位置把左侧填充也算了进去：从第一个填充词元起数 0、1、2……',
    '用 attention_mask.cumsum(-1) − 1 作 position_ids（Hugging Face），或者改为右侧填充。',
  ),
  table_too_short_clamped: {
    says: ({ clamp }) => `位置超过 ${clamp - 1} 后，都用 ${clamp} 行里的最后一行。`,
    fix: longerTable,
  },
  table_too_short_wrapped: {
    says: ({ wrap }) => `位置对表长 ${wrap} 取了余数。`,
    fix: longerTable,
  },
  scale_missing: fixed(
    '分数是 q · k，没有乘 softmax 的缩放。',
    '乘上 softmax 的缩放：scaling（Hugging Face）、scale（vLLM、MLX、ONNX）、kq_scale（llama.cpp）。',
  ),
  scale_doubled: fixed(
    '分数乘了两次 softmax 的缩放。',
    '缩放只乘一次：乘在 q 上或分数上，不要都乘。',
  ),
  t5_scaled: fixed(
    'q · k 乘了 1/√d_kv，而 T5 不乘。',
    'T5 的缩放是 1：scaled_dot_product_attention(scale=1.0)，scale=1（vLLM、MLX、ONNX）。',
  ),
  gqa_repeat_order: fixed(
    '查询头 h 读的是键头 h mod H_kv。',
    '每个键头在自己的组里重复，即头 h // (H / H_kv)：用 repeat_interleave、repeat_kv（Hugging Face），不要用 repeat 或 tile；num_kv_heads（vLLM）、kv_num_heads（ONNX）。',
  ),
  causal_alignment: fixed(
    '因果掩码按左上角对齐：查询 i 看到的是键 0 到 i，而不是缓存里的键。',
    "查询是最后几个键时按右下角对齐：键 ≤ 查询 +（键数 − 查询数）。PyTorch 的 is_causal=True 是左上角；请用 causal_lower_right 或自己给掩码；mask='causal'（MLX）、past_key（ONNX）。",
  ),
  mask_inverted: {
    says: ({ mask }) =>
      mask === 'padding_inverted'
        ? '权重落在了填充上：填充掩码反了。'
        : '保留的键和屏蔽的键互换了。',
    fix: '把掩码反过来：attention_mask 里 1 表示要看的词元（Hugging Face、ONNX）；scaled_dot_product_attention 的布尔 attn_mask 用 true 表示参与，key_padding_mask 则用 true 表示不参与。',
  },
  softcap_after_mask: fixed(
    '被屏蔽的分数是 −softcap：softcap 用在了掩码之后。',
    '先算 cap · tanh(分数 / cap)，再加掩码（Hugging Face 的 eager attention、vLLM 的 logits_soft_cap、ONNX 的 softcap）。',
  ),
  window_off_by_one: {
    says: ({ window }) => `每个查询看到的键比窗口${window > 0 ? '多' : '少'}一个。`,
    fix: 'sliding_window W 表示连自己在内 W 个键（Hugging Face、vLLM）；FlashAttention 是 window_size = (W − 1, 0)；ONNX 是查询之前 W − 1 个；n_swa（llama.cpp）。',
  },
  alibi_slopes_convention: {
    says: ({ slopes }) =>
      ({
        naive: '所有头的斜率都按 2^(−8h/H) 取。',
        sorted: '斜率是作者给出的那些，但排了序。',
        zero_based: '斜率从 2^0 = 1 开始：头从 0 数起。',
      })[slopes as 'naive'],
    fix: '按作者的规则和顺序（get_slopes）：先取小于 H 的 2 的幂的各个斜率，再隔一个取上一级的斜率（Hugging Face BLOOM、vLLM、MPT 的 alibi_bias_max；llama.cpp 的 f_max_alibi_bias）。',
  },
  alibi_direction: fixed(
    '偏置随距离增大：符号反了，远处的键反而占优。',
    '加上 −斜率 ·（查询 − 键），或者 斜率 · 键，两者每行只差一个常数。',
  ),
  t5_bidirectional_vs_causal: {
    says: ({ bidirectional }) =>
      bidirectional ? '解码器用了双向的桶。' : '编码器用了因果的桶：后面的键全落在 0 号桶里。',
    fix: '在 _relative_position_bucket 里令 bidirectional = not is_decoder。',
  },
};
