"""Runs the Python lines of web/check/hooks with stand-ins of the programs that they hook.

Each stand-in calls the hooked function as its program does, with a rotation that adds 1. Prints
the names of the saved arrays of each file, as JSON.
"""

import json
import sys
import types

import numpy as np


class Tensor(np.ndarray):
    def clone(self):
        return self.copy()

    def contiguous(self):
        return np.ascontiguousarray(self)


def tensor(*shape):
    return np.random.default_rng(1).random(shape).view(Tensor)


def module(name, **fields):
    made = types.ModuleType(name)
    vars(made).update(fields)
    sys.modules[name] = made
    return made


saved = {}


def save(tensors):
    saved.clear()
    saved.update({name: np.array(values) for name, values in tensors.items()})


module("safetensors")
module("safetensors.torch", save_file=lambda tensors, path: save(tensors))

# transformers: three layers of a file that has its own apply_rotary_pos_emb.
code = module("modeling")
exec(
    """
def apply_rotary_pos_emb(q, k, cos, sin, unsqueeze_dim=1):
    return q + 1, k + 1

class Attention:
    def __init__(self, layer_idx):
        self.layer_idx = layer_idx

    def forward(self, x, position_embeddings, **kwargs):
        cos, sin = position_embeddings
        return apply_rotary_pos_emb(x, 2 * x, cos, sin)

class Model:
    device = "cpu"

    def generate(self, input_ids, attention_mask, max_new_tokens):
        for layer in range(3):
            table = (input_ids, input_ids)
            Attention(layer).forward(input_ids + layer, table, position_ids=input_ids)
""",
    vars(code),
)


class Inputs(dict):
    def to(self, device):
        return self


def tokenizer(text, return_tensors):
    return Inputs(input_ids=tensor(1, 4), attention_mask=tensor(1, 4))


# vLLM: a profiling run while the model is loaded, then two layers that rotate in place.
class CustomOp:
    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, *args, **kwargs):
        return self._forward_method(*args, **kwargs)


class Rope(CustomOp):
    cos_sin_cache = None

    def _forward_method(self, positions, query, key):
        query += 1
        key += 1
        return query, key


class Norm(CustomOp):
    def _forward_method(self, x, residual=None):
        return x


class LLM:
    def __init__(self, model, enforce_eager):
        self.generate("", None)

    def generate(self, prompt, params):
        for layer in range(2):
            Norm()(tensor(4, 8), residual=tensor(4, 8))
            Rope()(tensor(4), tensor(4, 8) + layer, tensor(4, 8))


module("vllm", LLM=LLM, SamplingParams=lambda max_tokens: None)
module("vllm.model_executor")
module("vllm.model_executor.custom_op", CustomOp=CustomOp)


# MLX: two layers, each with a rope of its own.
class Attention:
    def __init__(self):
        self.rope = lambda x, offset=0: x + 1

    def __call__(self, x):
        return self.rope(x), self.rope(2 * x)


class Model:
    layers = [types.SimpleNamespace(self_attn=Attention()) for _ in range(2)]

    def __call__(self, tokens):
        for i, layer in enumerate(self.layers):
            layer.self_attn(tensor(1, 2, 4, 8) + i)


def load(name):
    return Model(), types.SimpleNamespace(encode=lambda text: [1, 2, 3, 4])


module("mlx")
sys.modules["mlx"].core = module(
    "mlx.core",
    array=np.array,
    arange=np.arange,
    save_safetensors=lambda path, tensors: save(tensors),
)
module("mlx_lm", load=load)

names = {}
for path in sys.argv[1:]:
    saved.clear()
    with open(path, encoding="utf-8") as file:
        exec(file.read(), {"model": code.Model(), "tokenizer": tokenizer})
    q, k = saved["layers.0.q"], saved["layers.0.k"]
    # Those of layer 0: of the next one, q would be larger by 1.
    assert q.max() <= 1, path
    assert np.allclose(saved["layers.0.q_rot"], q + 1), path
    assert np.allclose(saved["layers.0.k_rot"], k + 1), path
    assert "layers.0.position_ids" in saved, path
    names[path] = sorted(saved)
print(json.dumps(names))
