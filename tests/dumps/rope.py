"""Rotary formulas as transformers publishes them (modeling_rope_utils), in float32 NumPy.

A model is a dict: D head width, r rotated width, base, layout 'half' or 'inter', type, and the options
of its type. Nothing here comes from this package.
"""
import math

import numpy as np

F = np.float32


def bf16(x):
    """The nearest bfloat16, ties to even, as float32."""
    bits = np.asarray(x, F).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) << 16
    return rounded.astype(np.uint32).view(F).reshape(np.shape(x))


def f16(x):
    return np.asarray(x, F).astype(np.float16).astype(F)


def plain(base, width, count=None):
    exponents = np.arange(0, width, 2, dtype=F) / F(width)
    return (F(1) / F(base) ** exponents).astype(F)[:count]


def mscale(factor, m=1.0):
    return 1.0 if factor <= 1 else 0.1 * m * math.log(factor) + 1.0


def yarn(m, base, r):
    factor, original = m["factor"], m["original"]
    fast, slow = 32.0, 1.0
    i = np.arange(r // 2, dtype=F)
    f = plain(base, r)
    if m.get("ramp") == "paper":
        turns = original * f.astype(float) / (2 * math.pi)
        keep = np.clip((turns - slow) / (fast - slow), 0, 1)
    else:
        place = lambda n: r * math.log(original / (n * 2 * math.pi)) / (2 * math.log(base))
        low, high = place(fast), place(slow)
        if m.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, r - 1)
        high = high + 0.001 if low == high else high
        keep = 1 - np.clip((i - low) / (high - low), 0, 1)
    return (f / factor * (1 - keep) + f * keep).astype(F)


def llama3(m, base, r):
    f = plain(base, r).astype(float)
    factor, original, low, high = m["factor"], m["original"], 1.0, 4.0
    wave = 2 * math.pi / f
    smooth = (original / wave - low) / (high - low)
    middle = (1 - smooth) * f / factor + smooth * f
    out = np.where(wave > original / low, f / factor, f)
    return np.where((wave <= original / low) & (wave >= original / high), middle, out).astype(F)


def frequencies(m, length=None):
    """inv_freq, the factor on cos and sin, and the factor on the softmax scale."""
    D, r, base, kind = m["D"], m["r"], m["base"], m.get("type", "default")
    factor, original = m.get("factor", 1.0), m.get("original", m.get("max", 4096))
    length = m.get("seq_len", length) or original
    width = D if m.get("width") == "head" else r
    att, soft = 1.0, 1.0
    if kind == "proportional":
        over = r if m.get("width") == "rotary" else D
        inv = np.concatenate([plain(base, over, r // 2), np.zeros((D - r) // 2, F)])
        return inv, 1.0, 1.0
    if kind == "dynamic":
        grown = factor * max(length, original) / original - (factor - 1)
        inv = plain(base * grown ** (r / (r - 2)), r)
    elif kind == "ntk":
        inv = plain(base * factor ** (r / (r - 2)), r)
    elif kind == "linear":
        inv = plain(base, width, r // 2) / F(factor)
    elif kind == "yarn":
        inv = yarn({**m, "original": original}, base, r)
        att = mscale(factor)
        if m.get("deepseek"):
            att, soft = 1.0, mscale(factor) ** 2
    elif kind == "llama3":
        inv = llama3({**m, "original": original}, base, r)
    elif kind == "longrope":
        use = m.get("longrope_use") or ("long" if length > original else "short")
        inv = plain(base, r) / np.array(m[use], F)
        att = math.sqrt(1 + math.log(factor) / math.log(original)) if factor > 1 else 1.0
    else:
        inv = plain(base, width, r // 2)
    own = att if att != 1 else math.sqrt(soft)
    side = m.get("attention")
    if side == "missing":
        att, soft = 1.0, 1.0
    elif side == "twice":
        att = own**2
    elif side == "wrong":
        att, soft = (1.0, own**2) if att != 1 else (own, 1.0)
    return inv.astype(F), att, soft


def moved(m, p, role="q"):
    """The positions that the faulty program uses."""
    p = np.asarray(p)
    pos = m.get("pos", {})
    if not pos or (pos.get("applies_to") == "q" and role == "k"):
        return p
    if "shift" in pos:
        return p + pos["shift"]
    if "frozen" in pos:
        return np.where(p >= pos.get("from", -1), pos["frozen"], p)
    if "restart" in pos:
        return np.where(p >= pos["restart"], p - pos["restart"], p)
    if "clamp" in pos:
        return np.minimum(p, pos["clamp"] - 1)
    if "wrap" in pos:
        return p % pos["wrap"]
    if "padding" in pos:
        return np.broadcast_to(np.arange(p.shape[-1]), p.shape)
    return {"bf16": bf16, "f16": f16}[pos["round"]](p)


def axis_of_pair(m, pairs):
    sections, n = m["sections"], len(m["sections"])
    order = m.get("section_axes", list(range(n)))
    if not m.get("sections_interleaved"):
        axes = np.repeat(np.arange(n), sections)
    else:
        axes = np.zeros(pairs, int)
        for axis in range(1, n):
            axes[axis : sections[axis] * n : n] = axis
    return np.array(order)[axes]


def table(m, positions, length=None, role="q"):
    """cos and sin [..., rows, pairs]; positions [rows], [batch, rows], or [axes, rows]."""
    if m.get("seq_len_per_row"):
        rows = [table({**m, "seq_len_per_row": False, "seq_len": int(p) + 1}, [p]) for p in positions]
        return np.concatenate([c for c, _ in rows]), np.concatenate([s for _, s in rows])
    inv, att, _ = frequencies(m, length)
    rounded = {"bf16": bf16, "f16": f16}
    rules = m.get("round", {})
    if "frequency" in rules:
        inv = rounded[rules["frequency"]](inv)
    p = moved(m, positions, role).astype(F)
    if "sections" in m:
        angle = p[axis_of_pair(m, len(inv))].T * inv
    else:
        angle = p[..., None] * inv
    angle = angle.astype(F)
    if "angle" in rules:
        angle = rounded[rules["angle"]](angle)
    c, s = np.cos(angle) * F(att), np.sin(angle) * F(att)
    if "table" in rules:
        c, s = rounded[rules["table"]](c), rounded[rules["table"]](s)
    s = -s if m.get("sign") == -1 else s
    return (s, c) if m.get("swap") else (c.astype(F), s.astype(F))


def rotate(m, x, cos, sin):
    """x [batch, heads, rows, width] by cos and sin [(batch,) rows, pairs]."""
    if m.get("rotate") is False:
        return x.copy()
    n = cos.shape[-1]
    if cos.ndim == 3:
        cos, sin = cos[:, None], sin[:, None]
    y = x.copy()
    half = m["layout"] == "half"
    a, b = (x[..., :n], x[..., n : 2 * n]) if half else (x[..., 0 : 2 * n : 2], x[..., 1 : 2 * n : 2])
    c, d = (a * cos - b * sin).astype(F), (a * sin + b * cos).astype(F)
    if half or m.get("deinterleaves"):
        y[..., :n], y[..., n : 2 * n] = c, d
    else:
        y[..., 0 : 2 * n : 2], y[..., 1 : 2 * n : 2] = c, d
    return y
