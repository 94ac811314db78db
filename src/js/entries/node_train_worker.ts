/// <reference types="node" />
/** The entry `ropewalk/train/worker` in Node: the script of a training pool's workers. */
import { parentPort } from 'node:worker_threads';
import { createMessageHandler } from '../pool/protocol.js';
import { instanceOf } from '../training/run_worker.js';

const port = parentPort!;
port.on(
  'message',
  createMessageHandler(instanceOf, (reply, transfer) => port.postMessage(reply, transfer)),
);
