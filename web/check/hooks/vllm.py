# vLLM 0.9 and later, read at rotary_embedding/base.py of commit 04458da0: a rotation is a CustomOp
# that has cos_sin_cache and takes positions, query and key, which it may rotate in place.
import os
os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"  # the model runs in this process
from safetensors.torch import save_file
from vllm import LLM, SamplingParams
from vllm.model_executor.custom_op import CustomOp

def spy(op, *args, forward=CustomOp.forward, **kwargs):
    if not hasattr(op, "cos_sin_cache"):
        return forward(op, *args, **kwargs)
    CustomOp.forward = forward  # only the first layer of the first step is saved
    dump = dict(zip(["position_ids", "q", "k"], [x.clone() for x in args]))
    dump["q_rot"], dump["k_rot"] = out = forward(op, *args, **kwargs)
    tensors = {f"layers.0.{name}": x.clone().contiguous() for name, x in dump.items()}
    save_file(tensors, "dump.safetensors")
    return out

llm = LLM("MODEL", enforce_eager=True)
CustomOp.forward = spy
llm.generate("Row, row, row your boat", SamplingParams(max_tokens=1))
