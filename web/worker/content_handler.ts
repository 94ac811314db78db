/** Computes with the package and `ropewalk/content`, whose attention has more schemes. */
import { createRopewalk } from 'ropewalk';
import { createContent } from 'ropewalk/content';
import { runLab } from '../toy/forward.ts';
import { handlerOf, type Handler } from './handler.ts';

async function createBoth() {
  const [rw, content] = await Promise.all([createRopewalk(), createContent()]);
  return { ...rw, ...content };
}

export const createContentHandler = (): Handler => handlerOf({ runLab }, createBoth);
