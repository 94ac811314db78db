"""Made the files beside it, with NumPy 1.24.2: arrays in every format, and a reference in double precision.

The attention is what web/guides/numbers computes: rotary positions in half-split pairs, then a
causal softmax. Run it again with `python3 make.py`; the files do not change.
"""
import numpy as np

random = np.random.default_rng(7)
q, k, v = (random.standard_normal((2, 6, 8)).astype(np.float32) for _ in range(3))
for name, array in {"q": q, "k": k, "v": v}.items():
    np.save(f"{name}.npy", array)


def rotated(x):
    """Row m of every head, its pair (i, i + d/2) rotated by m * 10000 ** (-2i / d)."""
    length, dim = x.shape[-2:]
    angles = np.arange(length)[:, None] * 10000.0 ** (-2 * np.arange(dim // 2) / dim)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(x.astype(np.float64), 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


scores = rotated(q) @ rotated(k).swapaxes(-1, -2) / np.sqrt(8)
scores = np.where(np.tri(6, dtype=bool), scores, -np.inf)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
np.save("attention.npy", weights @ v.astype(np.float64))
np.save("weights.npy", weights)

angles = np.arange(50)[:, None] * 10000.0 ** (-2 * np.arange(4) / 8)
np.save("rotary.npy", np.stack([np.cos(angles), np.sin(angles)]))

# Every format and order of values that a .npy file may have, small, with what they hold as text.
formats = {}
plain = [[0, 1, 2], [3, 4, 100]]
for code in "?1", "i1", "u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8":
    kind = np.bool_ if code == "?1" else np.dtype(code)
    for order in "CF":
        name = f"{np.dtype(kind).str.strip('|').replace('<', 'le_').replace('>', 'be_')}_{order}"
        formats[name] = np.array(plain, dtype=kind, order=order)
formats["scalar"] = np.float32(1.5)[...]
formats["empty"] = np.zeros((0, 3), np.float32)
formats["axes"] = np.asfortranarray(np.arange(24, dtype=np.int32).reshape(2, 3, 4))
for version in (1, 0), (2, 0), (3, 0):
    with open(f"version_{version[0]}.npy", "wb") as file:
        np.lib.format.write_array(file, np.array(plain, np.float32), version=version)
for name, array in formats.items():
    np.save(f"{name}.npy", array)
