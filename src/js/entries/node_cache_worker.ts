/// <reference types="node" />
/** The entry `ropewalk/cache/worker` in Node: the script of a cache pool's workers. */
import { parentPort } from 'node:worker_threads';
import { instanceOf } from '../pool/cache_instance.js';
import { createMessageHandler } from '../pool/protocol.js';

const port = parentPort!;
port.on(
  'message',
  createMessageHandler(instanceOf, (reply, transfer) => port.postMessage(reply, transfer)),
);
