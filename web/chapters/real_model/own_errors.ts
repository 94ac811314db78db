/** Errors about a model's files, in the reader's language. */
import { errorIn, phrases } from '../../error_text.ts';
import type { Language } from '../../languages.ts';

const inChinese = phrases({
  '{} is missing; {} lists it': '缺少 {}，{} 里列出了它',
  '{} is missing; {} is one of {} files': '缺少 {}：{} 是 {} 个分卷之一，要全部选上',
  'config.json is missing; it says what the .safetensors files are':
    '缺少 config.json，没有它就不知道 .safetensors 里是什么',
  'tokenizer.json is missing; without it the model reads no text':
    '缺少 tokenizer.json，没有它模型读不了文本',
  'files must have weights: .safetensors, .gguf or .bin, got {}':
    '里面没有权重文件（.safetensors、.gguf 或 .bin），只有 {}',
  'files must have one file of weights, got {}': '权重文件只能有一个，现在有 {}',
  '{} must be JSON: {}': '{} 不是合法的 JSON：{}',
  '{}: general.architecture must be one of {}, got {}': '{} 的架构读不了：只支持 {}，现在是 {}',
  '{}: tensor "{}" must be F32, F16, BF16 or Q8_0, got {}, of a {} file; take the model as F16, BF16 or Q8_0, which {} writes':
    '{} 的量化类型读不了：张量 {} 是 {}（{} 文件），只支持 F32、F16、BF16 和 Q8_0。请换用 F16、BF16 或 Q8_0 的文件，{} 可以生成',
  '{}: tensor "{}" must be F32, F16, BF16 or Q8_0, got {}; take the model as F16, BF16 or Q8_0, which {} writes':
    '{} 的量化类型读不了：张量 {} 是 {}，只支持 F32、F16、BF16 和 Q8_0。请换用 F16、BF16 或 Q8_0 的文件，{} 可以生成',
  '{}: tensor "{}" must be absent: it is not read': '{} 里有读不了的张量 {}',
  'config.model_type must be one of {}, got {}': '模型类型必须是 {} 之一，现在是 {}',
  'weights: {} is missing; it has {}': '权重里缺少 {}（{}）',
  'weights: {} must fit {}, {} × {}, got {}':
    '权重 {} 的形状不对：应与 {} 相符（{} × {}），现在是 {}',
  'weights: {} must be finite, got {}': '权重 {} 里有非有限的数：{}',
  'logits must be finite, got {}: a value exceeds what float32 holds; the largest weight is {}, in {}':
    'logits 必须是有限的数，现在是 {}：计算超出了 float32 的范围，最大的权重是 {}（{}）',
  'the tokenizer has {} tokens, but the model has {}':
    '分词器有 {} 个词元，模型却只有 {} 个：它不是这个模型的分词器',
  '{}: tokenizer.ggml.{} must be one of {}, unless a tokenizer.json is beside the file, got {}':
    '{} 的分词器读不了：tokenizer.ggml.{} 只支持 {}，现在是 {}；旁边放上 tokenizer.json 就可以',
  "{}: tokenizer.ggml.{} must be 'llama' or 'gpt2', unless a tokenizer.json is beside the file, got {}":
    '{} 的分词器读不了：tokenizer.ggml.{} 只支持 llama 和 gpt2，现在是 {}；旁边放上 tokenizer.json 就可以',
  '{}: tokenizer.ggml.{} must be a list {}, got {}':
    '{} 的分词器不完整：缺少列表 tokenizer.ggml.{}',
  '{}: tokenizer.ggml.{} must have a number for each of {} tokens, got {}':
    '{} 的分词器不完整：tokenizer.ggml.{} 应给 {} 个词元各一个数，现在是 {} 个',
  '{}: tokenizer.{} must {}, got {}': '{} 的分词器有错：tokenizer.{} 的值不对',
  '{} must be a whole safetensors file: {}': '{} 不完整：这个 safetensors 文件可能没有下载完',
  '{}: tensor "{}" must end within the file, at {} (is the file complete?), got {}':
    '{} 不完整，可能没有下载完：张量 {} 应在第 {} 字节之前结束，实际要到第 {} 字节',
  '{}: the header must have at most {} bytes, got {}':
    '{} 的文件头不能超过 {} 字节，现在是 {} 字节',
  '{} must have {} bytes for the sizes in its header, got {}':
    '{} 按文件头应有 {} 字节，现在是 {} 字节',
});

export function ownErrorIn(language: Language, error: Error): string {
  return (language === 'zh' && inChinese(error.message)) || errorIn(language, error);
}
