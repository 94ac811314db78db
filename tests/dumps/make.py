"""Makes dumps with known faults from published formulas:   python3 tests/dumps/make.py FOLDER [options]

--count N  dumps of each kind of fault, twice as many with two faults, and N * 40 that are correct or that
           nothing explains (default 5)
--seed N   another choice of families, sizes and inputs (default 1)
--pack     one small dump of each kind in FOLDER/dumps.bin, a .safetensors file, and FOLDER/dumps.json
Needs NumPy (python3-numpy). Nothing here comes from this package.
"""
import argparse
import itertools
import json
import os
import struct

import numpy as np

import families
from families import family, slopes, t5_bucket
from rope import F, bf16, f16, frequencies, rotate, table

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--count", type=int, default=5)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--pack", action="store_true")
options = parser.parse_args()
count = 1 if options.pack else options.count
families.is_small = options.pack
rng = np.random.default_rng(options.seed)
rounded = {"f32": lambda x: np.asarray(x, F), "bf16": bf16, "f16": f16}
pick = lambda *options: options[int(rng.integers(len(options)))]
normal = lambda *shape: rng.standard_normal(shape).astype(F)

plain_families = ["llama", "llama5", "qwen2", "mistral", "glm4", "gptj", "cohere", "neox", "stablelm"]
scaled_families = ["llama3", "linear", "yarn", "qwen_yarn", "gpt_oss"]
rope_families = plain_families + scaled_families


def positions_of(kind):
    n = int(rng.integers(10, 14 if options.pack else 33))
    start = {"near": 0, "cache": int(rng.integers(5, 60)), "far": int(rng.integers(300, 1500))}[kind]
    return np.arange(start, start + n)


def tables(m, p, length, style):
    c, s = table(m, p, length)
    if style == "single":
        return {"cos": c, "sin": s}
    double = (lambda x: np.repeat(x, 2, -1)) if style == "side" else (lambda x: np.concatenate([x, x], -1))
    lead = (lambda x: x[None]) if rng.random() < 0.5 else (lambda x: x)
    return {"cos": lead(double(c)), "sin": lead(double(s))}


def vectors(m, p, length, names, x):
    out = {}
    for name in names:
        role = "k" if name == "k" else "q"
        c, s = table(m, p, length, role)
        out[name] = x[name]
        out[f"{name}_rot"] = rotate(m, x[name], c, s)
    return out


def scores_of(m, q, k, mask=None):
    """Scaled scores in double, [batch, heads, queries, keys]."""
    heads, kv = q.shape[1], k.shape[1]
    of = np.arange(heads) % kv if m.get("gqa") == "tile" else np.arange(heads) // (heads // kv)
    scale = {"missing": 1.0, "doubled": m["scale"] ** 2}.get(m.get("score_scale"), m["scale"])
    raw = np.einsum("bhmd,bhnd->bhmn", q.astype(float), k[:, of].astype(float)) * scale * m["soft"]
    cap = m.get("softcap")
    if cap and m.get("cap_after"):
        return cap * np.tanh(np.where(mask, raw, -1e30) / cap)
    raw = cap * np.tanh(raw / cap) if cap else raw
    return raw if mask is None else np.where(mask, raw, -np.inf)


def visible(m, queries, keys, attention):
    """[batch, 1, queries, keys]: what a query sees."""
    i, j = np.arange(queries)[:, None], np.arange(keys)[None]
    own = i if m.get("causal") == "top-left" else i + keys - queries
    seen = j <= own
    if m.get("window"):
        seen = seen & (j > own - m["window"])
    real = attention[:, None, :] != 0
    if m.get("mask") == "padding":
        real = ~real
    seen = seen[None] & real
    return (~seen if m.get("mask") == "all" else seen)[:, None]


def softmax(x):
    peak = np.max(x, -1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(peak), peak, 0))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def dump(kind, m, given):
    """The arrays of a program with the model m on the same inputs."""
    p, length, x = given["p"], given["length"], given["x"]
    if kind == "inv":
        return {"inv_freq": frequencies(m, length)[0]}
    if kind == "table":
        return tables(m, p, length, given["style"])
    if kind in ("q", "qk"):
        names = ["q"] if kind == "q" else ["q", "k"]
        return vectors(m, p, length, names, x)
    m = {**m, "soft": frequencies(m, length)[2], "scale": m.get("scale", m["D"] ** -0.5)}
    if kind in ("scores", "qscores"):
        both = vectors(m, p, length, ["q", "k"], x)
        s = scores_of(m, both["q_rot"], both["k_rot"])
        out = {"q": x["q"], "k": x["k"], "scores": s}
        return {**out, "q_rot": both["q_rot"]} if kind == "qscores" else out
    mask = visible(m, x["q"].shape[2], x["k"].shape[2], given["attention"])
    out = {"q_rot": x["q"], "k_rot": x["k"]}
    if kind == "weights":
        return {**out, "attn_weights": softmax(scores_of(m, x["q"], x["k"], mask))}
    masked = mask if given["masked"] or m.get("cap_after") else None
    return {**out, "scores": scores_of(m, x["q"], x["k"], masked)}


def save(folder, arrays, formats):
    """.npy files, or one .safetensors where a format is not NumPy's."""
    os.makedirs(folder, exist_ok=True)
    if formats == "f32" and rng.random() < 0.7:
        for name, array in arrays.items():
            np.save(f"{folder}/{name}.npy", array)
        return
    save_safetensors(f"{folder}/dump.safetensors", {n: (a, formats) for n, a in arrays.items()})


def save_safetensors(path, arrays):
    header, parts, at = {}, [], 0
    for name, (array, formats) in arrays.items():
        if array.dtype.kind == "i":
            kind, data = "I64", array.astype(np.int64).tobytes()
        elif formats == "bf16":
            kind, data = "BF16", (array.astype(F).view(np.uint32) >> 16).astype(np.uint16).tobytes()
        else:
            kind = {"f16": "F16", "f32": "F32"}[formats]
            data = array.astype({"f16": np.float16, "f32": F}[formats]).tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


made = 0
packed = {"arrays": {}, "dumps": {}}


def write(config, arrays, expect, formats="f32", reference=None):
    global made
    made += 1
    if options.pack:
        packed["dumps"][f"{made:04}"] = {"config": config, "expect": expect}
        every = {**arrays, **{f"reference/{n}": a for n, a in (reference or {}).items()}}
        packed["arrays"].update({f"{made:04}/{n}": (a, formats) for n, a in every.items()})
        return
    folder = f"{options.folder}/{made:04}"
    save(folder, arrays, formats)
    if reference:
        save(f"{folder}/reference", reference, formats)
    for name, content in (("config", config), ("expect", expect)):
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(content, file)


def differs(a, b, formats):
    """By more than 100 times the rounding of the format, in any array."""
    if any(a[n].shape != b[n].shape for n in a):
        return True
    unit = {"f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-9}[formats]
    # Of frequencies each one counts, of the others the size of the array.
    size = lambda n: np.abs(b[n]) + 1e-30 if n == "inv_freq" else np.nanmax(np.abs(b[n][np.isfinite(b[n])]))
    with np.errstate(invalid="ignore"):
        return any(np.nanmax(np.abs(np.nan_to_num(a[n], neginf=-99) - np.nan_to_num(b[n], neginf=-99)) / size(n))
                   > 100 * unit for n in a)


def given_for(kind, config, m, p, formats, batch=1, queries=None, attention=None, masked=False):
    n, D = p.shape[-1], m["D"]
    form = rounded[formats]
    x = {"q": form(normal(batch, m["heads"], queries or n, D)), "k": form(normal(batch, m["kv"], n, D))}
    style = pick("half", "single") if m["layout"] == "half" else pick("half", "side", "single")
    attention = np.ones((batch, n), int) if attention is None else attention
    return {"p": p, "length": int(p.max()) + 1, "x": x, "style": style, "attention": attention, "masked": masked}


def case(ids, families, kinds, change, positions=("near", "cache"), formats=None, extra=None, **expect):
    """One dump with the faults `ids`; `change` makes a faulty model of a sound one, or None."""
    for _ in range(60):
        config, m = family(pick(*families), rng)
        p = positions(m) if callable(positions) else positions_of(pick(*positions))
        kind = pick(*kinds)
        form = formats or pick("f32", "f32", "f32", "bf16", "f16")
        if kind == "inv" or (not callable(positions) and "far" in positions):
            form = "f32"
        faulty = change(m, p)
        if faulty is None or (kind in ("table", "inv") and m.get("rotate") is False):
            continue
        if kind in ("scores", "qscores") and m.get("deepseek"):
            continue
        if form != "f32":
            config["torch_dtype" if "torch_dtype" in config else "dtype"] = {"bf16": "bfloat16", "f16": "float16"}[form]
        given = given_for(kind, config, m, p, form, **(extra(m, p) if extra else {}))
        with np.errstate(all="ignore"):
            sound, wrong = dump(kind, m, given), dump(kind, {**m, **faulty}, given)
        sound, wrong = ({n: rounded[form](a) for n, a in d.items()} for d in (sound, wrong))
        if ids and not differs(wrong, sound, form):
            continue
        dynamic = m.get("type") in ("dynamic", "longrope")
        if p.ndim > 1 or p[0] != 0 or np.any(np.diff(p) != 1) or dynamic or rng.random() < 0.5:
            if kind not in ("weights", "masked") or given["x"]["q"].shape[2] == p.shape[-1]:
                wrong["position_ids"] = p.astype(np.int64)
        if np.any(given["attention"] == 0):
            wrong["attention_mask"] = given["attention"]
            wrong.pop("position_ids", None)
        if m.get("deepseek") and kind in ("q", "qk"):
            names = {"q": "q_pe", "k": "k_pe", "q_rot": "q_pe_rot", "k_rot": "k_pe_rot"}
            wrong = {names.get(n, n): a for n, a in wrong.items()}
        layer = 5 if m.get("local") else 3 if m.get("rotate") is False else None
        named = layer is not None and kind != "inv"
        wrong = {f"model.layers.{layer}.self_attn.{n}" if named and n != "position_ids" else n: a
                 for n, a in wrong.items()}
        write(config, wrong, {"faults": ids, "kind": kind, "family": config["model_type"], **expect}, form)
        return
    raise RuntimeError(f"no case of {ids}")


def times(*arguments, **rest):
    for _ in range(count):
        case(*arguments, **rest)


both_kinds = ["table", "q", "qk"]
pos = lambda **change: lambda m, p: {"pos": change}


def faults():
    f32 = {"formats": "f32"}
    far = {"positions": ("far",), **f32}
    times(["layout_swapped"], rope_families, ["q", "qk"],
          lambda m, p: {"layout": "inter" if m["layout"] == "half" else "half", "deinterleaves": False})
    times(["wrong_base"], plain_families + scaled_families, ["inv", *both_kinds],
          lambda m, p: {"base": pick(*[b for b in (1e4, 5e5, 1e6, 5e6, 1.5e5, 75e3, 8e6) if b != m["base"]])})
    times(["dim_head_instead_of_rotary"], ["neox", "stablelm", "glm4", "gptj"], ["inv", *both_kinds],
          lambda m, p: {"width": "head"})
    times(["dim_rotary_instead_of_head"], ["gemma4"], ["inv", "q"], lambda m, p: {"width": "rotary"})
    times(["partial_vs_proportional"], ["gemma4"], ["inv", "q"], lambda m, p: {"type": "default"})
    times(["partial_vs_proportional"], ["neox", "stablelm"], ["inv", "q"], lambda m, p: {"type": "proportional"})
    times(["scaling_missing"], [*scaled_families, "phi3"], ["inv", *both_kinds], lambda m, p: {"type": "default"})
    times(["scaling_wrong_type"], scaled_families, ["inv", *both_kinds], lambda m, p: {
        "type": pick(*[t for t in ("linear", "ntk", "yarn", "llama3") if t != m["type"]]),
        "original": m.get("original", m["max"])})
    times(["scaling_wrong_factor"], scaled_families, ["inv", *both_kinds],
          lambda m, p: {"factor": pick(*[f for f in (2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 64.0) if f != m["factor"]])})
    times(["wrong_original_length"], ["llama3", "yarn", "qwen_yarn", "gpt_oss"], ["inv", *both_kinds],
          lambda m, p: {"original": m["max"]})
    times(["dynamic_ntk_other_length"], ["dynamic"], ["inv", *both_kinds],
          lambda m, p: {"seq_len": pick(4096, 8192, 6000, 16384)},
          positions=lambda m: pick(np.arange(2990, 3012), np.array([0, 1, 2, 1500, 2999])))
    times(["dynamic_ntk_other_length"], ["dynamic"], ["q", "table"], lambda m, p: {"seq_len_per_row": True},
          positions=lambda m: np.array([0, 1, 2, 2047, 2500, 3000, 4100]))
    times(["longrope_short_beyond_boundary"], ["phi3"], ["inv", *both_kinds], lambda m, p: {"longrope_use": "short"},
          positions=lambda m: np.array([0, 1, 2, 3, 4096, 5000]))
    times(["longrope_long_within_boundary"], ["phi3"], ["inv", *both_kinds], lambda m, p: {"longrope_use": "long"})
    times(["yarn_ramp_paper_vs_code"], ["yarn", "qwen_yarn"], ["inv", *both_kinds], lambda m, p: {"ramp": "paper"},
          **far)
    times(["yarn_truncate"], ["gpt_oss", "yarn"], ["inv", *both_kinds],
          lambda m, p: {"truncate": not m.get("truncate", True)}, **far)
    times(["attention_factor_missing"], ["yarn", "gpt_oss"], ["qscores"], lambda m, p: {"attention": "missing"})
    times(["attention_factor_missing"], ["yarn", "phi3"], both_kinds, lambda m, p: {"attention": "missing"},
          decidable=False, alternatives=[["attention_factor_on_wrong_side"]])
    times(["attention_factor_twice"], ["yarn", "gpt_oss", "phi3"], [*both_kinds, "qscores"],
          lambda m, p: {"attention": "twice"})
    times(["attention_factor_on_wrong_side"], ["yarn"], ["qscores"], lambda m, p: {"attention": "wrong"})
    times(["attention_factor_on_wrong_side"], ["deepseek"], ["table", "q"], lambda m, p: {"attention": "wrong"})
    all_families = [*rope_families, "deepseek"]
    times(["rotation_inverted"], all_families, both_kinds, lambda m, p: {"sign": -1})
    times(["sin_cos_swapped"], all_families, both_kinds, lambda m, p: {"swap": True})
    times(["rotation_inverted"], plain_families, ["scores"], lambda m, p: {"sign": -1},
          decidable=False, alternatives=[["sin_cos_swapped"]])
    times(["positions_frozen"], all_families, both_kinds, lambda m, p: {"pos": {"frozen": int(rng.integers(1, 99))}})
    times(["positions_frozen"], all_families, both_kinds,
          lambda m, p: (lambda r: {"pos": {"frozen": int(p[r]), "from": int(p[r])}})(int(rng.integers(3, len(p) - 3))))
    times(["positions_shifted"], all_families, both_kinds, lambda m, p: {"pos": {"shift": pick(-1, 1, 2, 5, 64)}})
    times(["positions_shifted"], plain_families, ["qk", "scores"],
          lambda m, p: {"pos": {"shift": pick(-1, 1, 2), "applies_to": "q"}}, positions=("near",))
    times(["positions_restart_after_cache"], all_families, both_kinds,
          lambda m, p: {"pos": {"restart": int(p[int(rng.integers(0, len(p) - 3))]) or int(p[4])}})
    times(["table_too_short_clamped"], all_families, both_kinds, lambda m, p: {"pos": {"clamp": 2048}},
          positions=lambda m: np.array([0, 1, 100, 2046, 2047, 2048, 2049, 2500, 3000]), **f32)
    times(["table_too_short_wrapped"], all_families, both_kinds, lambda m, p: {"pos": {"wrap": 2048}},
          positions=lambda m: np.array([0, 1, 2047, 2048, 2049, 3000, 4095, 4096, 5001]), **f32)

    def padded(m, p):
        attention = np.ones((2, len(p)), int)
        attention[1, : int(rng.integers(2, len(p) // 2))] = 0
        return {"batch": 2, "attention": attention}

    for _ in range(count):
        padding()
    for name, ids in (("position", "positions"), ("angle", "angles"), ("table", "table"), ("frequency", "frequencies")):
        for form in ("bf16", "f16"):
            if (name, form) == ("position", "f16"):
                change, where = pos(round="f16"), lambda m: np.arange(2050, 2080)
            elif name == "position":
                change, where = pos(round="bf16"), ("far",)
            else:
                change, where = (lambda m, p, name=name, form=form: {"round": {name: form}}), ("far",)
            times([f"rounded_{ids}_{form}"], plain_families, both_kinds, change, positions=where, **f32)
    images = lambda m: np.array([[0, 1, 2, *[3] * 12, 7, 8], [0, 1, 2, *[3 + i // 4 for i in range(12)], 7, 8],
                                 [0, 1, 2, *[3 + i % 4 for i in range(12)], 7, 8]])
    times(["mrope_sections_wrong"], ["qwen2_vl", "qwen3_vl"], ["q", "table"], lambda m, p: pick(
        {"sections": [24, 16, 24]}, {"sections": [16, 16, 32]}, {"section_axes": [0, 2, 1]},
        {"sections_interleaved": not m["sections_interleaved"]}), positions=images, **f32)
    times(["nope_layer_rotated"], ["smollm3", "cohere2"], ["q", "qk"], lambda m, p: {"rotate": True})
    times(["local_base_used_globally"], ["gemma3"], both_kinds, lambda m, p: {"base": 10000.0})
    times(["local_base_used_globally"], ["gemma4"], ["q"],
          lambda m, p: {"base": 10000.0, "type": "default", "r": pick(128, 256), "D": 256})
    dense = [f for f in plain_families if f not in ("mistral",)]
    times(["scale_missing"], dense, ["scores", "masked"], lambda m, p: {"score_scale": "missing"}, positions=("near",))
    times(["scale_doubled"], dense, ["scores", "masked"], lambda m, p: {"score_scale": "doubled"}, positions=("near",))
    many = lambda m, p: {"gqa": "tile"} if m["kv"] > 1 and m["heads"] > m["kv"] else None
    times(["gqa_repeat_order"], dense, ["scores", "weights", "masked"], many, positions=("near",))
    times(["causal_alignment"], dense, ["weights"], lambda m, p: {"causal": "top-left"}, positions=("near",),
          extra=lambda m, p: {"queries": int(rng.integers(2, 8))})
    times(["mask_inverted"], ["llama", "qwen2"], ["weights"], lambda m, p: {"mask": "padding"}, positions=("near",),
          extra=padded)
    times(["mask_inverted"], ["llama", "qwen2"], ["weights"], lambda m, p: {"mask": "all"}, positions=("near",))
    times(["softcap_after_mask"], ["gemma2"], ["masked"], lambda m, p: {"cap_after": True}, positions=("near",))
    for _ in range(count):
        window()
        alibi()
        t5()
        permuted()
        deepseek_scores()


def padding():
    config, m = family(pick("llama", "qwen2", "neox", "glm4"), rng)
    n = int(rng.integers(12, 24))
    attention = np.ones((2, n), int)
    attention[1, : int(rng.integers(2, n // 2))] = 0
    p = np.maximum(np.cumsum(attention, 1) - 1, 0)
    x = {"q": normal(2, m["heads"], n, m["D"])}
    wrong = vectors({**m, "pos": {"padding": True}}, p, n, ["q"], x)
    write(config, {**wrong, "attention_mask": attention}, {"faults": ["positions_from_padding"]})


def window():
    config, m = family("mistral", rng)
    size = config["sliding_window"] = int(rng.integers(4, 9))
    n = int(rng.integers(14, 24))
    given = given_for("weights", config, m, np.arange(n), "f32")
    delta = pick(1, -1)
    write(config, dump("weights", {**m, "window": size + delta}, given), {"faults": ["window_off_by_one"]})
    write(config, dump("weights", {**m, "window": size}, given), {"faults": []})


def alibi():
    heads = pick(6, 12, 20, 8, 16)
    config = {"model_type": "bloom", "n_head": heads, "hidden_size": 64 * heads, "torch_dtype": "float32"}
    rule = pick("naive", "zero", "sorted") if heads in (6, 12, 20) else "zero"
    n = int(rng.integers(12, 30))
    full = lambda s: -s[:, None, None] * (np.arange(n)[:, None] - np.arange(n)).astype(F)
    key = lambda s: s[:, None, None] * np.arange(n, dtype=F)[None, None]
    form, name = pick((full, "bias"), (key, "alibi"), (lambda s: s, "slopes"))
    write(config, {name: form(slopes(heads, rule)).astype(F)}, {"faults": ["alibi_slopes_convention"]})
    write(config, {name: form(slopes(heads)).astype(F)}, {"faults": []})
    write(config, {"bias": pick(full, key)(-slopes(heads)).astype(F)}, {"faults": ["alibi_direction"]})
    q, k = normal(1, heads, n, 16), normal(1, heads, n, 16)
    config = {**config, "hidden_size": 16 * heads}
    raw = np.einsum("bhmd,bhnd->bhmn", q.astype(float), k.astype(float)) / 4
    for sign, ids in ((1, []), (-1, ["alibi_direction"])):
        scores = raw + pick(full, key)(sign * slopes(heads))
        write(config, {"q": q, "k": k, "scores": scores.astype(F)}, {"faults": ids})


def t5():
    heads, n, d = pick(4, 6, 8), int(rng.integers(20, 24 if options.pack else 150)), 64
    d = 16 if options.pack else d
    config = {"model_type": pick("t5", "mt5"), "d_model": d * heads, "d_kv": d, "num_heads": heads,
              "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128,
              "torch_dtype": "float32"}
    stack = pick("encoder", "decoder")
    prefix = f"{stack}.block.0.layer.0.SelfAttention."
    weights = normal(32, heads)
    relative = np.arange(n)[None] - np.arange(n)[:, None]
    bias = lambda two: weights[t5_bucket(relative, two)].transpose(2, 0, 1)[None]
    for faulty in (True, False):
        arrays = {f"{prefix}relative_attention_bias.weight": weights,
                  f"{prefix}position_bias": bias((stack == "encoder") != faulty)}
        write(config, arrays, {"faults": ["t5_bidirectional_vs_causal"] if faulty else []})
        q, k = normal(1, heads, n, d), normal(1, heads, n, d)
        b = bias(stack == "encoder")
        raw = np.einsum("bhmd,bhnd->bhmn", q.astype(float), k.astype(float))
        scores = (raw / np.sqrt(d) if faulty else raw) + b
        arrays = {f"{prefix}{a}": v.astype(F) for a, v in (("q", q), ("k", k), ("position_bias", b), ("scores", scores))}
        write(config, arrays, {"faults": ["t5_scaled"] if faulty else []})


def deepseek_scores():
    """The attention factor of DeepSeek, which only the scores show."""
    config, m = family("deepseek", rng)
    n, heads = int(rng.integers(10, 20)), m["heads"]
    x = {"q": normal(1, heads, n, 64), "k": normal(1, 1, n, 64)}
    nope = {"q": normal(1, heads, n, 128), "k": normal(1, heads, n, 128)}
    for kind, ids in (("missing", ["attention_factor_missing"]), ("wrong", ["attention_factor_on_wrong_side"]),
                      (None, [])):
        made_by = {**m, "attention": kind}
        both = vectors(made_by, np.arange(n), n, ["q", "k"], x)
        q = np.concatenate([nope["q"], both["q_rot"]], -1)
        k = np.concatenate([nope["k"], np.repeat(both["k_rot"], heads, 1)], -1)
        s = scores_of({**made_by, "soft": frequencies(made_by, n)[2]}, q, k)
        arrays = {"q_pe": x["q"], "k_pe": x["k"], "q_nope": nope["q"], "k_nope": nope["k"], "scores": s.astype(F)}
        write(config, arrays, {"faults": ids})


def permuted():
    config, m = family(pick("llama", "qwen2", "mistral"), rng)
    order = np.r_[0 : m["D"] : 2, 1 : m["D"] : 2]
    if rng.random() < 0.5:
        q = normal(1, m["heads"], 12, m["D"])
        c, s = table(m, np.arange(12))
        arrays = {"q": q[..., order], "q_rot": rotate(m, q[..., order], c, s)}
        reference = {"q": q, "q_rot": rotate(m, q, c, s)}
    else:
        weight = normal(m["heads"], m["D"], 8)
        reference = {"model.layers.0.self_attn.q_proj.weight": weight.reshape(-1, 8)}
        arrays = {name: weight[:, order].reshape(-1, 8) for name in reference}
    write(config, arrays, {"faults": ["weights_permuted_twice"]}, reference=reference)


pair_changes = {
    "wrong_base": lambda m, p: {"base": 1e6 if m["base"] != 1e6 else 1e4},
    "layout_swapped": lambda m, p: {"layout": "inter" if m["layout"] == "half" else "half"},
    "rotation_inverted": lambda m, p: {"sign": -1},
    "sin_cos_swapped": lambda m, p: {"swap": True},
    "positions_shifted": lambda m, p: {"pos": {"shift": pick(1, 2, 7)}},
    "positions_restart_after_cache": lambda m, p: {"pos": {"restart": int(p[4])}},
    "scaling_missing": lambda m, p: {"type": "default"} if m.get("type") else None,
    "scaling_wrong_factor": lambda m, p: {"factor": m["factor"] * 2} if m.get("type") else None,
    "attention_factor_twice": lambda m, p: {"attention": "twice"} if m.get("type") == "yarn" else None,
}
exclusive = [{"rotation_inverted", "sin_cos_swapped"}, {"positions_shifted", "positions_restart_after_cache"},
             {"scaling_missing", "scaling_wrong_factor"}, {"scaling_missing", "attention_factor_twice"}]


def pairs(n):
    choices = [c for c in itertools.combinations(pair_changes, 2) if set(c) not in exclusive]
    for _ in range(n):
        ids = list(pick(*choices))
        scaled = [i for i in ids if i.startswith(("scaling", "attention"))]
        kinds = ["q", "qk"] if "layout_swapped" in ids else both_kinds

        def change(m, p, ids=ids):
            parts = [pair_changes[i](m, p) for i in ids]
            return None if None in parts else {k: v for part in parts for k, v in part.items()}

        # Both must show beside the other one.
        families = ["yarn", "qwen_yarn"] if scaled else plain_families
        case(ids, families, kinds, change, positions=("near",), formats="f32")


def correct_or_random(n):
    every = [*rope_families, "deepseek", "gemma3", "smollm3", "cohere2", "phi3", "dynamic"]
    for _ in range(n):
        if rng.random() < 0.5:
            kinds = ["inv", *both_kinds, "scores", "weights", "masked"]
            case([], every, kinds, lambda m, p: {}, positions=("near",))
        elif rng.random() < 0.5:
            case([], every, both_kinds, lambda m, p: {}, positions=("near", "cache", "far"))
        else:
            config, m = family(pick(*rope_families), rng)
            r, rows, D = m["r"], 16, m["D"]
            q = normal(1, 2, rows, D)
            orthogonal = np.linalg.qr(rng.standard_normal((D, D)))[0].astype(F)
            angle = rng.uniform(-3, 3, (rows, r)).astype(F)
            arrays = pick(
                {"inv_freq": rng.uniform(0, 1, r // 2).astype(F)},
                {"inv_freq": np.sort(rng.uniform(0, 1, r // 2).astype(F))[::-1].copy()},
                {"cos": normal(rows, r), "sin": normal(rows, r)},
                {"cos": np.cos(angle), "sin": np.sin(angle)},
                {"q": q, "q_rot": normal(1, 2, rows, D)},
                {"q": q, "q_rot": q @ orthogonal},
                {"q": q, "q_rot": np.zeros_like(q)},
                {"q": q, "k": q[:, :1], "scores": normal(1, 2, rows, rows)},
                {"q_rot": q, "k_rot": q, "attn_weights": softmax(normal(1, 2, rows, rows))},
            )
            inv = arrays.get("inv_freq", np.zeros(0))
            # Values that rise cannot be frequencies of any hypothesis.
            rises = np.sum(np.diff(inv) > 0) >= len(inv) / 4 and len(inv) > 0
            write(config, arrays, {"faults": ["inv_freq_uninitialised" if rises else "unknown"]})


def from_threads():
    """Kinds that came later: at the end, so that the dumps before stay as they are."""
    for _ in range(count):
        config, m = family("yarn", rng)
        config["rope_scaling"]["attention_factor"] = 1.0
        given = given_for("table", config, m, np.arange(int(rng.integers(8, 14))), "f32")
        write(config, dump("table", m, given), {"faults": ["attention_factor_ignored"]})
        sound = dump("table", {**m, "attention": "missing"}, given)
        write(config, sound, {"faults": []})
        config, m = family("gemma4", rng)
        live = frequencies(m)[0][: m["r"] // 2]
        write(config, {"inv_freq": live}, {"faults": ["partial_vs_proportional"]})


faults()
pairs(2 * count)
correct_or_random(20 if options.pack else 40 * count)
from_threads()
if options.pack:
    os.makedirs(options.folder, exist_ok=True)
    save_safetensors(f"{options.folder}/dumps.bin", packed["arrays"])
    with open(f"{options.folder}/dumps.json", "w") as file:
        json.dump(packed["dumps"], file)
print(f"{made} dumps")
