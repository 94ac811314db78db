/** The page that compares arrays: the notebook. */
import './documents.ts';
import { createFileEngine } from './check/engine.ts';
import { onChoice, onDrop } from './check/files.ts';
import { Notebook } from './notebook/notebook.ts';

const notebook = new Notebook(createFileEngine());
notebook.start();

const take = (files: File[]) => notebook.take(files);
onChoice('files', take);
onDrop('drop', take);
