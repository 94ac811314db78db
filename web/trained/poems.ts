/** Poems of the 8th to 10th century, of which models are trained in the reader's browser. */
import { fetchedBytes } from './models.ts';
import poems from './poems/tang.txt?url';

/** The text of the file: a poem per line. */
export const poemFile = async () => new TextDecoder().decode(await fetchedBytes(poems));
