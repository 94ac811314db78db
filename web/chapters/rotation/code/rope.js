import { createRopewalk } from 'ropewalk';

const rw = await createRopewalk();
const frequencies = rw.rotaryFrequencies({ dim: 8 });
const q = Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8], (x) => x / 8);
const k = Float32Array.from([1, 0, -1, 1, 0.5, 0, 1, -0.5]);
const rope = (data, position, layout) =>
  rw.rotate({ data, shape: [1, 8] }, frequencies, { layout, positions: [position] }).data;
const score = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0).toFixed(4);
for (const layout of ['interleaved', 'half-split']) {
  const near = score(rope(q, 12, layout), rope(k, 9, layout));
  console.log(layout, near, score(rope(q, 112, layout), rope(k, 109, layout)));
}
// interleaved 0.8908 0.8908
// half-split 0.0210 0.0210
