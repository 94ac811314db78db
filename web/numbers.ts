/** The notebook: text, and cells that run. */
import './documents.ts';
import { Notebook } from './notebook/notebook.ts';

new Notebook().start();
