/// <reference types="node" />
/** The entry `ropewalk/worker` in Node: the script of every pool's workers. */
import { parentPort } from 'node:worker_threads';
import { instanceOf as functions } from '../pool/instance.js';
import { createMessageHandler } from '../pool/protocol.js';
import { instanceOf as runs } from '../training/run_worker.js';

const port = parentPort!;
port.on(
  'message',
  createMessageHandler({ functions, runs }, (reply, transfer) => port.postMessage(reply, transfer)),
);
