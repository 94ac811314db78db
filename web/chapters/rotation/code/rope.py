import numpy as np

def rope(x, position, layout, base=10000):
    half = len(x) // 2
    angles = position * base ** (-np.arange(half) / half)
    interleaved = layout == "interleaved"  # GPT-J; otherwise half-split, GPT-NeoX
    a, b = (x[0::2], x[1::2]) if interleaved else (x[:half], x[half:])
    turned = [a * np.cos(angles) - b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.stack(turned, axis=-1).ravel() if interleaved else np.concatenate(turned)

q, k = np.arange(1, 9) / 8, np.array([1, 0, -1, 1, 0.5, 0, 1, -0.5])
for layout in ("interleaved", "half-split"):
    near = rope(q, 12, layout) @ rope(k, 9, layout)
    far = rope(q, 112, layout) @ rope(k, 109, layout)
    print(layout, f"{near:.4f} {far:.4f}")
# interleaved 0.8908 0.8908
# half-split 0.0210 0.0210
