/** The order of rows of q and k in a file, against the checkpoint from which it was made. */
import { readGgufRows, readableTypes, type GgufFile } from '../formats/gguf.js';
import { readStoredRows, type StoredTensor } from '../formats/safetensors_header.js';

/**
 * How often rows were put from two halves into adjacent pairs: 'once' and 'twice' are what
 * converters do; 'back' is the reverse.
 */
export type RowOrder = 'none' | 'once' | 'twice' | 'back';

export interface RowFinding {
  /** 'attn_q' or 'attn_k'. */
  name: string;
  layer: number;
  /** Absent: no known order, as with the weights of another checkpoint. */
  order?: RowOrder;
}

/** Row 2i + s of a head is row i + s · D/2 of the checkpoint. */
const paired = (row: number, width: number) => (row >> 1) + (row & 1) * (width / 2);
const unpaired = (row: number, width: number) =>
  row < width / 2 ? 2 * row : 2 * (row - width / 2) + 1;

const orders: Record<RowOrder, (row: number, width: number) => number> = {
  none: (row) => row,
  once: paired,
  twice: (row, width) => paired(paired(row, width), width),
  back: unpaired,
};

/** Quantized rows differ from those of the checkpoint by this share of their size at most. */
const largestError = 0.05;

function errorOf(
  ours: Float32Array,
  theirs: Float32Array,
  rows: number,
  of: (row: number) => number,
) {
  const width = ours.length / rows;
  let error = 0;
  let size = 0;
  for (let row = 0; row < rows; ++row) {
    const [at, from] = [row * width, of(row) * width];
    for (let i = 0; i < width; ++i) {
      error += (ours[at + i]! - theirs[from + i]!) ** 2;
      size += ours[at + i]! ** 2;
    }
  }
  return (error / (size || 1)) ** 0.5;
}

/** The order of the rows of one head; undefined where none fits. */
export function orderOf(ours: Float32Array, theirs: Float32Array, rows: number) {
  const errors = (Object.keys(orders) as RowOrder[]).map((order) => ({
    order,
    error: errorOf(ours, theirs, rows, (row) => orders[order](row, rows)),
  }));
  const best = errors.reduce((a, b) => (b.error < a.error ? b : a));
  return best.error <= largestError ? best.order : undefined;
}

const referencePattern = /(?:^|\.)layers\.(\d+)\..*\b(q_proj|k_proj|wq|wk)\.weight$/;

/** The tensors of q and k of the first layer that both have, and why others are not compared. */
function matches(file: GgufFile, reference: Iterable<StoredTensor>) {
  const found: { name: string; layer: number; key: string; tensor: StoredTensor }[] = [];
  const notes: string[] = [];
  for (const tensor of reference) {
    const [, layer, part] = referencePattern.exec(tensor.name) ?? [];
    if (layer === undefined) continue;
    const name = part!.includes('q') ? 'attn_q' : 'attn_k';
    const key = `blk.${layer}.${name}.weight`;
    const own = file.tensors.get(key);
    if (!own) continue;
    if (readableTypes.includes(own.type)) found.push({ name, layer: Number(layer), key, tensor });
    else
      notes.push(`${key} has type ${own.type}: rows are compared in ${readableTypes.join(', ')}`);
  }
  const first = Math.min(...found.map(({ layer }) => layer));
  return { found: found.filter(({ layer }) => layer === first), notes };
}

/** Compares the first head of q and k of one layer. */
export async function rowOrders(
  file: GgufFile,
  reference: Iterable<StoredTensor>,
  headDim: number,
): Promise<{ findings: RowFinding[]; notes: string[] }> {
  const { found, notes } = matches(file, reference);
  const findings: RowFinding[] = [];
  for (const { name, layer, key, tensor } of found) {
    const own = file.tensors.get(key)!;
    const [width, rows = 0] = own.shape;
    const [theirRows = 0, theirWidth] = tensor.shape;
    if (width !== theirWidth || rows !== theirRows || rows < headDim) {
      const [shape, theirs] = [own.shape.toReversed(), tensor.shape].map((each) =>
        each.join(' × '),
      );
      notes.push(`${key} has shape ${shape}, the reference ${theirs}`);
      continue;
    }
    const ours = await readGgufRows(file, key, own, 0, headDim);
    const order = orderOf(ours, await readStoredRows(tensor, 0, headDim), headDim);
    findings.push({ name, layer, ...(order && { order }) });
  }
  return { findings, notes };
}
