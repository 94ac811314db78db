import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
console.log(...Array.from(rw.alibiSlopes({ heads: 8 }), (slope) => 1 / slope));
console.log(...Array.from(rw.alibiSlopes({ heads: 12 }).slice(8), (slope) => slope.toFixed(4)));
const { data } = rw.alibi({ heads: 8, queries: 5, keys: 5 });
console.log(...Array.from(data.subarray(20, 25), (x) => x.toFixed(1)));
// 2 4 8 16 32 64 128 256
// 0.7071 0.3536 0.1768 0.0884
// -2.0 -1.5 -1.0 -0.5 0.0
