/** The entry `ropewalk/cache/worker`: the script of a cache pool's workers in browsers. */
import { instanceOf } from '../pool/cache_instance.js';
import { createMessageHandler, type Request } from '../pool/protocol.js';

const answer = createMessageHandler(instanceOf, (reply, transfer) =>
  postMessage(reply, { transfer }),
);
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
