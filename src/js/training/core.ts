/** The binary that trains: the functions of the core that it shares with the other, and its own. */
import { Core } from '../runtime/core.js';
import type { TrainingModule } from '../runtime/train_module.js';

/**
 * A core for what is in both binaries: attention, the biases by distance and the frequencies.
 */
export class TrainingCore extends Core {
  constructor(readonly training: TrainingModule) {
    super(training as unknown as Core['raw']);
  }
}
