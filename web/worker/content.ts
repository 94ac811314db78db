/** Schemes of `ropewalk/content` as the page sees them: in a worker that is loaded when needed. */
import type { runLab } from '../toy/forward.ts';
import { createEngine, type Engine } from './client.ts';
import address from './content_worker.ts?worker&url';
import { spawner } from './spawn.ts';

interface Jobs {
  runLab: typeof runLab;
}

let engine: Engine<Jobs> | undefined;

/** One worker for all figures of the page. */
export const contentEngine = (): Engine<Jobs> =>
  (engine ??= createEngine<Jobs>(
    spawner({
      address,
      handler: async () => (await import('./content_handler.ts')).createContentHandler(),
    }),
  ));
