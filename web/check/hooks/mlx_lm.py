# mlx-lm, read at models/llama.py of commit 17772c05: rope is called with queries, then with keys.
import mlx.core as mx
from mlx_lm import load
from mlx_lm.models.cache import make_prompt_cache

model, tokenizer = load("MODEL")
layer, dump = model.layers[0].self_attn, {}
rotate = layer.rope

def spy(x, offset=0, **kwargs):
    out = rotate(x, offset=offset, **kwargs)
    name = "k" if dump and "k" not in dump else "q"
    if name == "q":
        dump.clear()
    dump.update({name: x, f"{name}_rot": out, "position_ids": mx.arange(x.shape[2]) + offset})
    return out

layer.rope = spy
cache = make_prompt_cache(model)
tokens = tokenizer.encode("Row, row, row your boat")
model(mx.array([tokens]), cache=cache)  # for a later step, call it again with one token
mx.save_safetensors("dump.safetensors", {f"layers.0.{name}": x for name, x in dump.items()})
