"""Configurations of published families with reduced heads, and their models for rope.py."""
import math

import numpy as np


# Narrow heads, where a family has no width of its own.
is_small = False


def base_config(kind, D, heads, kv, theta, longest, **more):
    return {
        "model_type": kind,
        "hidden_size": D * heads,
        "num_attention_heads": heads,
        "num_key_value_heads": kv,
        "num_hidden_layers": 32,
        "torch_dtype": "float32",
        "max_position_embeddings": longest,
        "rope_theta": theta,
        **more,
    }


def family(name, rng):
    """(config, model) with random widths and heads where the family allows."""
    D = 32 if is_small else int(rng.choice([64, 80, 128]))
    kv = int(rng.choice([1, 2]))
    heads = kv * int(rng.choice([1, 2] if is_small else [1, 2, 4]))
    m = {"D": D, "r": D, "base": 10000.0, "layout": "half", "max": 4096, "heads": heads, "kv": kv}

    def made(kind, theta, longest, block=None, **more):
        m.update(base=float(theta), max=longest)
        config = base_config(kind, m["D"], heads, kv, theta, longest, **more)
        if block is not None:
            config["rope_scaling"] = block
        return config, m

    if name == "llama":
        return made("llama", 10000.0, 4096)
    if name == "llama5":
        config, m = made("llama", 10000.0, 4096)
        config["rope_parameters"] = {"rope_type": "default", "rope_theta": config.pop("rope_theta")}
        config["dtype"] = config.pop("torch_dtype")
        return config, m
    if name == "qwen2":
        return made("qwen2", 1000000.0, 32768, use_sliding_window=False, sliding_window=131072)
    if name == "mistral":
        return made("mistral", 10000.0, 32768, sliding_window=4096)
    if name == "llama3":
        factor = float(rng.choice([8, 32]))
        m.update(type="llama3", factor=factor, original=8192)
        block = {"rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                 "original_max_position_embeddings": 8192}
        return made("llama", 500000.0, 131072, block)
    if name == "linear":
        factor = float(rng.choice([2, 4, 8]))
        m.update(type="linear", factor=factor)
        return made("llama", 10000.0, 4096, {"type": "linear", "factor": factor})
    if name == "dynamic":
        factor = float(rng.choice([2, 4]))
        m.update(type="dynamic", factor=factor, original=2048)
        return made("llama", 10000.0, 2048, {"rope_type": "dynamic", "factor": factor})
    if name in ("yarn", "qwen_yarn"):
        factor = float(rng.choice([4, 8, 16]))
        original = 4096 if name == "yarn" else 32768
        theta = 10000.0 if name == "yarn" else 1000000.0
        m.update(type="yarn", factor=factor, original=original)
        block = {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": original}
        return made("llama" if name == "yarn" else "qwen2", theta, int(original * factor), block)
    if name == "gpt_oss":
        m.update(D=64, r=64, type="yarn", factor=32.0, original=4096, truncate=False)
        block = {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096,
                 "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False}
        return made("gpt_oss", 150000.0, 131072, block, head_dim=64)
    if name == "phi3":
        n = m["r"] // 2
        short = [round(1 + 0.3 * (i / n) ** 1.3, 4) for i in range(n)]
        long = [round(1.02 + 60 * (i / n) ** 2.1, 4) for i in range(n)]
        m.update(type="longrope", short=short, long=long, original=4096, factor=32.0)
        block = {"type": "longrope", "short_factor": short, "long_factor": long}
        return made("phi3", 10000.0, 131072, block, original_max_position_embeddings=4096)
    if name == "neox":
        m["r"] = m["D"] // 4
        config, m = made("gpt_neox", 10000, 2048, rotary_pct=0.25, rotary_emb_base=10000)
        del config["rope_theta"]
        return config, m
    if name == "stablelm":
        m["r"] = m["D"] // 4
        return made("stablelm", 10000.0, 4096, partial_rotary_factor=0.25)
    if name == "glm4":
        m.update(r=m["D"] // 2, layout="inter")
        return made("glm4", 10000.0, 32768, partial_rotary_factor=0.5, head_dim=m["D"])
    if name == "gptj":
        m.update(D=128, r=32, layout="inter", kv=heads)
        config = {"model_type": "gptj", "n_embd": 128 * heads, "n_head": heads, "n_positions": 2048,
                  "rotary_dim": 32, "torch_dtype": "float32"}
        m.update(max=2048)
        return config, m
    if name == "cohere":
        m["layout"] = "inter"
        return made("cohere", 8000000.0, 8192)
    if name == "deepseek":
        m.update(D=64, r=64, layout="inter", deinterleaves=True, type="yarn", factor=40.0, original=4096,
                 deepseek=True, kv=1, scale=192**-0.5)
        block = {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0,
                 "mscale_all_dim": 1.0, "original_max_position_embeddings": 4096}
        return made("deepseek_v3", 10000, 163840, block, qk_nope_head_dim=128, qk_rope_head_dim=64,
                    v_head_dim=128, rope_interleave=True)
    if name == "gemma3":
        m.update(D=128, r=128, local=10000.0)
        types = ["full_attention" if i % 6 == 5 else "sliding_attention" for i in range(26)]
        return made("gemma3_text", 1000000.0, 32768, head_dim=128, rope_local_base_freq=10000.0,
                    layer_types=types, query_pre_attn_scalar=128, sliding_window=512)
    if name == "gemma4":
        m.update(D=256, r=64, type="proportional", local=10000.0)
        types = ["full_attention" if i % 6 == 5 else "sliding_attention" for i in range(30)]
        parameters = {
            "full_attention": {"rope_type": "proportional", "rope_theta": 1000000.0, "partial_rotary_factor": 0.25},
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        }
        config, m = made("gemma4_text", 1000000.0, 131072, head_dim=128, global_head_dim=256,
                         layer_types=types, rope_parameters=parameters, sliding_window=512)
        del config["rope_theta"]
        return config, m
    if name in ("qwen2_vl", "qwen3_vl"):
        m.update(D=128, r=128)
        sections = [16, 24, 24] if name == "qwen2_vl" else [24, 20, 20]
        m.update(sections=sections, sections_interleaved=name == "qwen3_vl")
        block = {"type": "mrope" if name == "qwen2_vl" else "default", "mrope_section": sections}
        if name == "qwen3_vl":
            block["mrope_interleaved"] = True
        return made(name, 1000000.0, 32768, block, head_dim=128)
    if name == "smollm3":
        m["rotate"] = False
        return made("smollm3", 5000000.0, 65536, no_rope_layers=[1, 1, 1, 0] * 9)
    if name == "cohere2":
        m.update(layout="inter", rotate=False)
        return made("cohere2", 50000.0, 8192, sliding_window=4096, sliding_window_pattern=4)
    if name == "gemma2":
        m.update(D=64, r=64, softcap=50.0)
        return made("gemma2", 10000.0, 8192, head_dim=64, attn_logit_softcapping=50.0,
                    query_pre_attn_scalar=64, sliding_window=4096)
    raise ValueError(name)


def slopes(heads, rule="published"):
    """ALiBi's slopes as the authors' get_slopes gives them, or by a mistaken rule."""
    first = 0 if rule == "zero" else 1
    power = lambda n: [2.0 ** (-8.0 * (h + first) / n) for h in range(n)]
    if rule == "naive" or math.log2(heads) % 1 == 0:
        made = power(heads)
    else:
        n = 2 ** int(math.log2(heads))
        made = power(n) + power(2 * n)[0::2][: heads - n]
    return np.array(sorted(made, reverse=True) if rule == "sorted" else made, np.float32)


def t5_bucket(relative, bidirectional, buckets=32, longest=128):
    """_relative_position_bucket of transformers' T5Attention, key − query."""
    out = np.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        out += (relative > 0) * buckets
        n = np.abs(relative)
    else:
        n = -np.minimum(relative, 0)
    exact = buckets // 2
    far = exact + (np.log(np.maximum(n, 1) / exact) / math.log(longest / exact) * (buckets - exact)).astype(int)
    return out + np.where(n < exact, n, np.minimum(far, buckets - 1))
