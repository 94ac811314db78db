#!/usr/bin/env node
/// <reference types="node" />
/** `npx ropewalk`: runs the command line on the standard streams. */
import process, { argv, exit } from 'node:process';
import { run } from './main.js';

exit(await run(argv.slice(2), process));
