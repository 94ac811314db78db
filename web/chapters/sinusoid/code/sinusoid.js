import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const { data } = rw.sinusoidal({ positions: 50, dim: 128 });
const row = (position) => data.subarray(128 * position, 128 * (position + 1));
const dot = (a, b) => row(a).reduce((sum, x, i) => sum + x * row(b)[i], 0);
console.log(...Array.from(row(3).subarray(0, 4), (x) => x.toFixed(4)));
console.log(dot(0, 10).toFixed(4), dot(20, 30).toFixed(4));
// 0.1411 -0.9900 0.5173 -0.8558
// 42.8200 42.8200
