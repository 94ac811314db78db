/** The entry `ropewalk/worker`: the script of every pool's workers in browsers. */
import { instanceOf as functions } from '../pool/instance.js';
import { createMessageHandler, type Request } from '../pool/protocol.js';
import { instanceOf as runs } from '../training/run_worker.js';

const answer = createMessageHandler({ functions, runs }, (reply, transfer) =>
  postMessage(reply, { transfer }),
);
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
