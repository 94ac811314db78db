/** What is said about the positions of a model file. */
import type { Diagnosis } from '../diagnose/diagnose.js';
import type { ByteSource } from '../formats/byte_source.js';

export interface ModelFileOptions {
  /**
   * The files of one model: a .gguf; the shards of .safetensors, with or without their
   * model.safetensors.index.json; or a .onnx with the files of its external data.
   */
  files: readonly ByteSource[];
  /**
   * The text of a Hugging Face config.json, or the object it holds. Without one the file is
   * described, and the verdict is 'undecided'.
   */
  config?: string | object;
  /**
   * The checkpoint from which a GGUF was made, as .safetensors: rows of q_proj and k_proj are
   * compared. Default: the order of rows is not judged.
   */
  reference?: readonly ByteSource[];
}

/** One setting of positions, as the config says it and as the file gives it. */
export interface FileSetting {
  /** In words, such as 'base' or 'rotated channels'. */
  name: string;
  /** The kind of layer, where the kinds differ. */
  layers?: 'full_attention' | 'sliding_attention';
  /** By the config. Absent: without a config, or when it does not decide this. */
  config?: string;
  /** By the file, with the defaults of the program that runs it. */
  file: string;
  /** The key or tensor that has it, or what stands in its place. */
  from: string;
  /**
   * 'kept': both say the same. 'lost': the config has it and the file does not. 'changed': they
   * differ. 'only-file': there is nothing to compare with.
   */
  fate: 'kept' | 'lost' | 'changed' | 'only-file';
}

/** What corrects a file or its use. */
export interface Correction {
  /** The keys of the file with their right values, or a sentence. */
  text: string;
  /** Flags of llama.cpp that do the same for one run, where there are such. */
  flags?: string;
}

/** The verdict on a model file. It has the members of the verdict on a dump, and its own. */
export interface ModelFileVerdict extends Omit<Diagnosis, 'curve'> {
  /** The format of the file. */
  format: 'gguf' | 'safetensors' | 'onnx';
  /** What the conversion kept, lost and changed. */
  settings: FileSetting[];
  /** What corrects the file or its use. */
  corrections: Correction[];
  /** How many bytes of the files were read. */
  bytesRead: number;
}
