/** The entry `ropewalk/worker`: the script of a pool's workers in browsers. */
import { instanceOf } from '../pool/instance.js';
import { createMessageHandler, type Request } from '../pool/protocol.js';

const answer = createMessageHandler(instanceOf, (reply, transfer) =>
  postMessage(reply, { transfer }),
);
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
