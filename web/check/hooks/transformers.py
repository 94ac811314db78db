# transformers 4.48 and later, read at modeling_llama.py of commit 5dd4a635.
# Before this: load `model` and `tokenizer`. Layer 0 is saved; take another one if you like.
import sys
from safetensors.torch import save_file

name, layer = next(x for x in model.named_modules() if x[0].endswith("layers.0.self_attn"))
code, dump = sys.modules[type(layer).__module__], {}
rotate = code.apply_rotary_pos_emb

def spy(q, k, cos, sin, *args, **kwargs):
    q_rot, k_rot = rotate(q, k, cos, sin, *args, **kwargs)
    dump.update(q=q, k=k, q_rot=q_rot, k_rot=k_rot, cos=cos, sin=sin)
    return q_rot, k_rot

def before(layer, args, kwargs):
    code.apply_rotary_pos_emb = spy
    dump["position_ids"] = kwargs["position_ids"]

def after(layer, args, out):
    code.apply_rotary_pos_emb = rotate
    if out[1] is not None:  # with attn_implementation="eager"
        dump["attn_weights"] = out[1]

layer.register_forward_pre_hook(before, with_kwargs=True)
layer.register_forward_hook(after)
inputs = tokenizer("Row, row, row your boat", return_tensors="pt").to(model.device)
model.generate(**inputs, max_new_tokens=1)  # 1 saves the prompt, more save the last step
dump["attention_mask"] = inputs["attention_mask"]
save_file({f"{name}.{key}": x.contiguous() for key, x in dump.items()}, "dump.safetensors")
