// The largest |ours - theirs| and where it is.
/** @type {import('../protocol.ts').Compare} */
export function difference(ours, theirs) {
  if (String(ours.shape) !== String(theirs.shape)) {
    throw new RangeError(`shapes must be equal, got [${ours.shape}] and [${theirs.shape}]`);
  }
  let [largest, at] = [0, 0];
  for (let i = 0; i < ours.data.length; i++) {
    const [a, b] = [Number(ours.data[i]), Number(theirs.data[i])];
    if (Object.is(a, b)) continue;
    const apart = Math.abs(a - b);
    if (Number.isNaN(apart)) return { largest: Infinity, at: i };
    if (apart > largest) [largest, at] = [apart, i];
  }
  return { largest, at };
}
