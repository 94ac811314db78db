/** The binary of `ropewalk/content`: what it shares with the main one, and its own functions. */
import type { ContentModule } from '../runtime/content_module.js';
import { Core } from '../runtime/core.js';

/** A core for what is in both binaries: attention, the biases by distance and the frequencies. */
export class ContentCore extends Core {
  constructor(readonly content: ContentModule) {
    super(content as unknown as Core['raw']);
  }
}
