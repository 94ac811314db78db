# vLLM 0.9 and later, read at rotary_embedding/base.py of commit 04458da0: forward of a CustomOp
# calls _forward_method, which rotates query and key in place.
import os
os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
os.environ["VLLM_ALLOW_INSECURE_SERIALIZATION"] = "1"
from safetensors.torch import save_file
from vllm import LLM, SamplingParams

def record(model):
    rope = next(x for x in model.modules() if hasattr(x, "cos_sin_cache"))
    rotate = rope._forward_method

    def spy(positions, query, key=None, *args, **kwargs):
        dump = {"q": query.clone(), "k": key.clone(), "position_ids": positions.clone()}
        dump["q_rot"], dump["k_rot"] = out = rotate(positions, query, key, *args, **kwargs)
        tensors = {f"layers.0.{name}": x.clone().contiguous() for name, x in dump.items()}
        save_file(tensors, "dump.safetensors")
        rope._forward_method = rotate  # only the first layer of the first step
        return out

    rope._forward_method = spy

llm = LLM("MODEL", enforce_eager=True)
llm.apply_model(record)
llm.generate("Row, row, row your boat", SamplingParams(max_tokens=1))
