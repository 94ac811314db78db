import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const relative = [0, 7, 15, 16, 20, 64, 112, 113, 1000].map((distance) => -distance);
console.log(...rw.t5Buckets(relative, { direction: 'causal' }));
// 0 7 15 16 17 26 30 31 31
