/** The worker of the figures; a page that may have no worker runs it itself. */
import { keepHandler } from './in_page.ts';
import { createFigureHandler } from './jobs.ts';
import { serveWith } from './serve.ts';

const handler = createFigureHandler();
if (import.meta.env.MODE !== 'package' && 'document' in globalThis)
  keepHandler(import.meta.url, handler);
else serveWith(handler);
