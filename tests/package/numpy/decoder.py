"""The logits of a Llama in NumPy, in double: what the decoder of the guide is tested against.

Reads JSON from standard input: config, weights {name: {shape, data}}, tokens and variants. Writes one
list of logits per variant.
"""
import json
import math
import sys

import numpy as np


def frequencies(dim, base, yarn):
    inverse = base ** (-np.arange(0, dim, 2) / dim)
    if not yarn:
        return inverse, 1.0
    # Peng et al. 2023, as published in code: ramp between the pairs that turn 32 times and once.
    factor, length = yarn["factor"], yarn["originalLength"]
    pair = lambda turns: dim * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), dim - 1)
    ramp = np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
    return inverse / factor * ramp + inverse * (1 - ramp), 0.1 * math.log(factor) + 1


def rotated(x, inverse, factor):
    angles = np.arange(x.shape[1])[:, None] * inverse
    cos, sin = np.cos(angles) * factor, np.sin(angles) * factor
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


def slopes(heads):
    powers = 2 ** math.floor(math.log2(heads))
    own = [2 ** (-8 * (h + 1) / powers) for h in range(powers)]
    between = [2 ** (-8 * (h + 1) / (2 * powers)) for h in range(2 * powers)][::2]
    return np.array(own + between[: heads - powers])


def logits(config, weights, tokens, variant):
    w = {name: np.array(t["data"]).reshape(t["shape"]) for name, t in weights.items()}
    heads, key_heads = config["num_attention_heads"], config["num_key_value_heads"]
    dim = config["hidden_size"] // heads
    norm = lambda x, name: x / np.sqrt((x * x).mean(-1, keepdims=True) + config["rms_norm_eps"]) * w[name]
    split = lambda x, count: x.reshape(len(tokens), count, dim).transpose(1, 0, 2)
    distance = np.arange(len(tokens))[:, None] - np.arange(len(tokens))
    x = w["model.embed_tokens.weight"][tokens]
    for layer in range(config["num_hidden_layers"]):
        of = lambda name: f"model.layers.{layer}.{name}.weight"
        h = norm(x, of("input_layernorm"))
        q, k, v = (h @ w[of(f"self_attn.{name}_proj")].T for name in "qkv")
        q, k, v = split(q, heads), split(k, key_heads), split(v, key_heads)
        if variant.get("rotates"):
            inverse, factor = frequencies(dim, config["rope_theta"], variant.get("yarn"))
            q, k = rotated(q, inverse, factor), rotated(k, inverse, factor)
        k, v = (np.repeat(one, heads // key_heads, axis=0) for one in (k, v))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(dim)
        if variant.get("alibi"):
            scores = scores - slopes(heads)[:, None, None] * distance
        scores = np.where((distance >= 0) & (distance < variant.get("window", 10**9)), scores, -np.inf)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ v
        x = x + mixed.transpose(1, 0, 2).reshape(len(tokens), -1) @ w[of("self_attn.o_proj")].T
        m = norm(x, of("post_attention_layernorm"))
        gate = m @ w[of("mlp.gate_proj")].T
        x = x + (gate / (1 + np.exp(-gate)) * (m @ w[of("mlp.up_proj")].T)) @ w[of("mlp.down_proj")].T
    return norm(x, "model.norm.weight") @ w["lm_head.weight"].T


given = json.load(sys.stdin)
results = [
    logits(given["config"], given["weights"], given["tokens"], variant).ravel().tolist()
    for variant in given["variants"]
]
json.dump(results, sys.stdout)
