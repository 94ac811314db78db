import numpy as np

def sinusoidal(positions, dim, base=10000):
    frequencies = base ** (-np.arange(0, dim, 2) / dim)
    angles = np.outer(np.arange(positions), frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(positions, dim)

table = sinusoidal(50, 128)
print(*[f"{x:.4f}" for x in table[3, :4]])
print(f"{table[0] @ table[10]:.4f} {table[20] @ table[30]:.4f}")
# 0.1411 -0.9900 0.5173 -0.8558
# 42.8200 42.8200
