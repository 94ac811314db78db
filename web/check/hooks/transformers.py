# transformers 4.48 and later, read at modeling_llama.py of commit 5dd4a635: an attention layer,
# with layer_idx and position_ids, calls apply_rotary_pos_emb. First load `model` and `tokenizer`.
import sys
from safetensors.torch import save_file

code, dump = sys.modules[type(model).__module__], {}

def spy(q, k, cos, sin, *args, rotate=code.apply_rotary_pos_emb, **kwargs):
    q_rot, k_rot = rotate(q, k, cos, sin, *args, **kwargs)
    layer = sys._getframe(1).f_locals  # the variables of the attention layer that calls
    if layer["self"].layer_idx == 0:  # take another layer if you like
        ids = layer["kwargs"]["position_ids"]
        dump.update(q=q, k=k, q_rot=q_rot, k_rot=k_rot, cos=cos, sin=sin, position_ids=ids)
    return q_rot, k_rot

code.apply_rotary_pos_emb = spy
inputs = tokenizer("Row, row, row your boat", return_tensors="pt").to(model.device)
model.generate(**inputs, max_new_tokens=1)  # 1 saves the prompt, more save the last step
dump["attention_mask"] = inputs["attention_mask"]
# With attn_implementation="eager", also: dump["attn_weights"] =
#     model(**inputs, output_attentions=True).attentions[0]
save_file({f"layers.0.{name}": x.contiguous() for name, x in dump.items()}, "dump.safetensors")
