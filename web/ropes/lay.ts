/** The numbers of the ropes: recorded ones of the first words, of others by the models. */
import { liveRunsOf, type LiveRuns } from '../trained/live_runs.ts';
import { checkpointOf } from '../trained/models.ts';
import { recorded, recording, type Recorded } from '../trained/recordings.ts';
import { continuationOf, type Model } from '../worker/training.ts';
import {
  blockOf,
  laidOf,
  promptOf,
  ropeSchemes,
  writtenLength,
  yarnScaling,
  type Block,
  type Laid,
  type RopeScheme,
} from './letters.ts';

export const plan = 'heads_repeats';

export interface Ropes {
  word: string;
  block: Block;
  laid: Record<RopeScheme, Laid>;
  /** The seed of the models that were trained here; undefined for the recorded ones. */
  seed: number | undefined;
}

/** What was recorded of the first words; the file is small and the models are not. */
interface FirstRopes {
  shown: Record<string, Record<RopeScheme, Laid>>;
}

/** The models that a figure runs: the recorded ones, or the last that the reader trained. */
export class RopeModels {
  readonly #engine: object;
  /** The seed of the models in use. */
  seed: number | undefined;
  live: LiveRuns | undefined;
  plan: Recorded['plan'] | undefined;

  constructor(engine: object) {
    this.#engine = engine;
  }

  /** Loads what a training needs. */
  async prepare(): Promise<void> {
    const recorded = await recording(plan);
    this.plan = recorded.plan;
    this.live = liveRunsOf(this.#engine, recorded);
  }

  #warm: Promise<unknown> | undefined;

  /** Loads the models and what runs them: the reader is about to type. */
  warm() {
    const load = async () => continuationOf(await this.#modelOf('sinusoidal'), [0], 1);
    this.#warm ??= Promise.all([load(), ...ropeSchemes.map((scheme) => this.#modelOf(scheme))]);
    // What could not be loaded is an error of the word that needs it.
    this.#warm.catch(() => (this.#warm = undefined));
  }

  async #modelOf(scheme: RopeScheme): Promise<Model> {
    const variant = scheme === 'yarn' ? 'rope' : scheme;
    const own = this.live
      ?.of(plan, variant)
      .find(({ description, checkpoint }) =>
        checkpoint ? description.trainer.seed === this.seed : false,
      );
    if (own) return { id: own.id, options: own.description.trainer, checkpoint: own.checkpoint! };
    return (await checkpointOf(await recording(plan), variant))!;
  }

  async #lay(block: Block, scheme: RopeScheme): Promise<Laid> {
    const scaling = scheme === 'yarn' ? yarnScaling : undefined;
    const model = await this.#modelOf(scheme);
    const count = writtenLength(block);
    return laidOf(block, await continuationOf(model, promptOf(block), count, scaling));
  }

  /** Lays the ropes of a word; with the recorded models, those of the first words are recorded. */
  async ropesOf(word: string): Promise<Ropes> {
    const { seed } = this;
    const block = blockOf(word);
    const first = seed === undefined && (await recorded<FirstRopes>('first_ropes')).shown[word];
    if (first) return { word, block, laid: first, seed };
    // In the order in which they need a model: RoPE with YaRN is the same one as RoPE.
    const laid: Partial<Record<RopeScheme, Laid>> = {};
    for (const scheme of ropeSchemes) laid[scheme] = await this.#lay(block, scheme);
    return { word, block, laid: laid as Record<RopeScheme, Laid>, seed };
  }
}
