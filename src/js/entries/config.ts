/** The scheme of position of a model, from its Hugging Face config.json. */
export { describeNote } from '../config/notes.js';
export type { NoteMeaning, NoteValues, PlainNoteCode, NoteSentences } from '../config/notes.js';
export { layerPlanFromConfig } from '../config/layers.js';
export type { LayerPlan, LayerPosition } from '../config/layers.js';
export { frequenciesFromConfig, positionFromConfig } from '../config/position.js';
export type { ConfigPosition, FrequencySource, PositionScheme } from '../config/position.js';
export { runtimeSettings } from '../config/runtimes.js';
export type { DerivedScheme, RuntimeName, RuntimeSettings } from '../config/runtimes.js';
export type { ConfigAccount, ConfigNote, ConfigValue } from '../config/reader.js';
export type { ConfigChoices, RotaryScheme } from '../config/rotary.js';
export type { UnrotatedScheme } from '../config/schemes.js';
