/** Errors of files and of their arrays, in the reader's language. */
import { errorIn, phrases, type ErrorText } from '../error_text.ts';
import type { Language } from '../languages.ts';

const chinese = phrases({
  'must end in .npy or .safetensors': '文件名必须以 .npy 或 .safetensors 结尾',
  'must end in .json': '文件名必须以 .json 结尾',
  'must have at most 512 MB': '文件最大为 512 MB',
  'could not be read': '无法读取',
  'npy header must be a dict of descr, fortran_order and shape, got {}':
    'npy 文件头必须是含 descr、fortran_order 和 shape 的字典，现在是 {}',
  "npy descr must be '<' or '>' and one of {}, got {}":
    'npy 的 descr 必须以 < 或 > 开头，后面是 {} 之一，现在是 {}',
  'npy shape must be a tuple of whole numbers, got {}': 'npy 的 shape 必须是整数元组，现在是 {}',
  'npy file must have at least {} bytes, got {}': 'npy 文件至少要有 {} 字节，现在有 {} 字节',
  'npy file must begin with 93 4e 55 4d 50 59, got {}':
    'npy 文件必须以 93 4e 55 4d 50 59 开头，现在是 {}',
  'npy version must be 1.0, 2.0 or 3.0, got {}': 'npy 版本必须是 1.0、2.0 或 3.0，现在是 {}',
  'npy header must have at most {} bytes, got {}': 'npy 文件头最多 {} 字节，现在有 {} 字节',
  '{} data must have {} bytes for {} of shape {}, got {}':
    '{} 的数据应有 {} 字节（{}，形状 {}），现在有 {} 字节',
  'safetensors file must have at least 8 bytes, got {}':
    'safetensors 文件至少要有 8 字节，现在有 {} 字节',
  'safetensors header must have at most {} bytes here, got {}':
    'safetensors 文件头在这里最多 {} 字节，现在写着 {} 字节',
  'safetensors header must name each thing once, got {} twice':
    'safetensors 文件头里每个名字只能出现一次，{} 出现了两次',
  'safetensors header must be JSON, got {}': 'safetensors 文件头必须是 JSON，现在是 {}',
  'safetensors header must begin with {, got {}': 'safetensors 文件头必须以花括号开头，现在是 {}',
  'safetensors data must have {} bytes, got {}': 'safetensors 的数据应有 {} 字节，现在有 {} 字节',
  '{}.data_offsets must begin at {} and end by {}, got {}':
    '{}.data_offsets 必须从 {} 开始、不超过 {}，现在是 {}',
  '{}.dtype must be one of {}, got {}': '{}.dtype 必须是 {} 之一，现在是 {}',
  'arrays must hold something that positions decide, such as {}, got none that is known':
    '这些数组里没有可供判断位置编码的内容（例如 {}），数组名也都不认识',
  'arrays must hold something that positions decide, such as {}, got {}':
    '这些数组里没有可供判断位置编码的内容（例如 {}），现在只有 {}',
  'shapes must be equal, got {} and {}': '形状必须相同，现在是 {} 和 {}',
});

export const fileErrorIn = (language: Language, error: ErrorText): string =>
  (language === 'zh' && chinese(error.message)) || errorIn(language, error);
