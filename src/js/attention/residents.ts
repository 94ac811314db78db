/** Tensors and rotary tables that stay in the core's memory. */
import { checkedTable, type RotaryTable } from '../rotary/table.js';
import type { Core } from '../runtime/core.js';
import { dtypeOption, ResidentTensor, type ResidentOptions } from '../runtime/resident.js';
import { read, type Schema } from '../runtime/schema.js';
import type { TensorInput } from '../runtime/tensor.js';

const residentSchema = { dtype: dtypeOption } satisfies Schema<ResidentOptions>;

function tableTensor(table: RotaryTable) {
  const { cos, sin, rows, pairs } = checkedTable('table', table);
  const data = new Float32Array(2 * cos.length);
  data.set(cos);
  data.set(sin, cos.length);
  return { data, shape: [2, rows, pairs] };
}

export const residents = (core: Core) => ({
  /**
   * Keeps a copy of a tensor in the core's memory until it is disposed of. For keys and values of
   * earlier tokens use createCache().
   * @param tensor of any shape; attention reads [length, dim], [heads, length, dim], [batch, heads,
   * length, dim]; or a table of cos and sin, kept as floats [2, rows, pairs] for `rotate`
   * @returns a handle of the tensor's shape
   * @throws TypeError, RangeError if the argument is not a tensor or does not fit in memory; in
   * fewer bits also for values that are not finite, or above 2²⁹
   * @see Dettmers et al. 2022, LLM.int8(), section 2.1 (a scale per row)
   */
  resident(tensor: TensorInput | RotaryTable, settings?: ResidentOptions): ResidentTensor {
    const { dtype } = read('resident options', settings, residentSchema);
    const isTable = typeof tensor === 'object' && tensor !== null && 'cos' in tensor;
    return new ResidentTensor(core, isTable ? tableTensor(tensor) : tensor, dtype);
  },
});
