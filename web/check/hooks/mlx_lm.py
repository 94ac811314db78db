# mlx-lm, read at models/llama.py of commit 17772c05: rope is called with queries, then with keys.
import itertools
import mlx.core as mx
import mlx_lm

model, tokenizer = mlx_lm.load("MODEL")
layer, names, dump = model.layers[0].self_attn, itertools.cycle("qk"), {}

def spy(x, offset=0, rotate=layer.rope):
    name, out = next(names), rotate(x, offset=offset)
    dump.update({name: x, f"{name}_rot": out, "position_ids": mx.arange(x.shape[2]) + offset})
    return out

layer.rope = spy
model(mx.array([tokenizer.encode("Row, row, row your boat")]))
# For a later step, in place of that line: mlx_lm.generate(model, tokenizer, "Row", max_tokens=5)
mx.save_safetensors("dump.safetensors", {f"layers.0.{name}": x for name, x in dump.items()})
