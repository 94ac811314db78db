import numpy as np

def slopes(heads):
    if heads & (heads - 1) == 0:  # a power of two
        return [2 ** (-8 * h / heads) for h in range(1, heads + 1)]
    lower = 2 ** (heads.bit_length() - 1)
    return slopes(lower) + slopes(2 * lower)[::2][: heads - lower]

def bias(heads, tokens):
    distance = np.abs(np.arange(tokens)[:, None] - np.arange(tokens))
    return np.array(slopes(heads))[:, None, None] * -distance

print(*[f"{1 / slope:.0f}" for slope in slopes(8)])
print(*[f"{slope:.4f}" for slope in slopes(12)[8:]])
print(*bias(8, 5)[0, 4])
# 2 4 8 16 32 64 128 256
# 0.7071 0.3536 0.1768 0.0884
# -2.0 -1.5 -1.0 -0.5 0.0
