import numpy as np

def yarn(dim, base, factor, original_length, beta_fast=32, beta_slow=1):
    def pair(turns):  # the pair that makes so many turns within the training length
        return dim * np.log(original_length / (2 * np.pi * turns)) / (2 * np.log(base))
    low, high = max(np.floor(pair(beta_fast)), 0), min(np.ceil(pair(beta_slow)), dim - 1)
    kept = 1 - np.clip((np.arange(dim // 2) - low) / (high - low), 0, 1)
    frequencies = base ** (-np.arange(0, dim, 2) / dim)
    return frequencies * (kept + (1 - kept) / factor), 0.1 * np.log(factor) + 1

scaled, attention_factor = yarn(128, 10000, 8, 4096)
ratio = scaled / yarn(128, 10000, 1, 4096)[0]
print(*[f"{ratio[i]:.4f}" for i in (0, 20, 33, 46, 63)], f"{attention_factor:.4f}")
# 1.0000 1.0000 0.5625 0.1250 0.1250 1.2079
