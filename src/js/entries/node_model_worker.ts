/// <reference types="node" />
/** The script of a worker that holds a model, in Node. */
import { parentPort } from 'node:worker_threads';
import { instanceOf as model } from '../model_worker/model_worker.js';
import { createMessageHandler } from '../pool/protocol.js';

const port = parentPort!;
port.on(
  'message',
  createMessageHandler({ model }, (reply, transfer) => port.postMessage(reply, transfer)),
);
