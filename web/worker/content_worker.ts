/** The worker of schemes in `ropewalk/content`: its binary is loaded by figures that need it. */
import { createContentHandler } from './content_handler.ts';
import { serveWith } from './serve.ts';

serveWith(createContentHandler());
