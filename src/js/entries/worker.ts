/** The entry `ropewalk/worker`: the script of a pool's workers in browsers. */
import { answering, type Request } from '../pool/protocol.js';

const answer = answering((reply, transfer) => postMessage(reply, { transfer }));
addEventListener('message', ({ data }: MessageEvent<Request>) => void answer(data));
