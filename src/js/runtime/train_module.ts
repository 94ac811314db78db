/** The module with gradients and trainers, which has all of the other one too. */
import { Core } from './core.js';
import { instantiated } from './load.js';
import createModule, { type MainModule } from './train_glue.js';

type RecordName = 'trainer' | 'evaluation' | 'use' | 'model' | 'given' | 'modelTrainer';

/** A core with the functions of both modules. */
export class TrainingCore extends Core {
  readonly #fields = new Map<RecordName, string[]>();

  constructor(readonly training: MainModule) {
    super(training);
  }

  /**
   * The numbers of a record in the order of the core, of values by field. What was not given
   * crosses as NaN: the core has the defaults.
   */
  recordOf(name: RecordName, values: Readonly<Record<string, unknown>>): Float64Array {
    const fields = this.#fields.get(name) ?? this.training[`${name}Fields`]().trim().split(' ');
    this.#fields.set(name, fields);
    for (const [field, value] of Object.entries(values))
      if (value !== undefined && !fields.includes(field))
        throw new Error(`the core has no field ${field} in the record ${name}`);
    return Float64Array.from(fields, (field) => Number(values[field]));
  }
}

export const startedForTraining = async (module: WebAssembly.Module): Promise<TrainingCore> =>
  new TrainingCore(await instantiated(module, createModule));
