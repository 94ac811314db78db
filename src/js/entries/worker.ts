/** The entry `ropewalk/worker`: the script of a pool's workers in browsers. */
import { instanceOf } from '../pool/instance.js';
import { answering, type Request } from '../pool/protocol.js';

const answer = answering(instanceOf, (reply, transfer) => postMessage(reply, { transfer }));
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
