/** The entry `ropewalk/train/worker`: the script of a training pool's workers in browsers. */
import { createMessageHandler, type Request } from '../pool/protocol.js';
import { instanceOf } from '../training/run_worker.js';

const answer = createMessageHandler(instanceOf, (reply, transfer) =>
  postMessage(reply, { transfer }),
);
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
