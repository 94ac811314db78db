/// <reference types="node" />
/** The entry `ropewalk/worker` in Node: the script of a pool's workers. */
import { parentPort } from 'node:worker_threads';
import { instanceOf } from '../pool/instance.js';
import { createMessageHandler } from '../pool/protocol.js';

const port = parentPort!;
port.on(
  'message',
  createMessageHandler(instanceOf, (reply, transfer) => port.postMessage(reply, transfer)),
);
