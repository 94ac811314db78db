/** The script of a worker that holds a model, in browsers. */
import { instanceOf as model } from '../model_worker/model_worker.js';
import { createMessageHandler, type Request } from '../pool/protocol.js';

const answer = createMessageHandler({ model }, (reply, transfer) =>
  postMessage(reply, { transfer }),
);
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
