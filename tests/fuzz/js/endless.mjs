/** A fuzzer whose case 1 never ends, to see that it is ended. */
export class Endless {
  ok = 0;
  refused = 0;

  async run(seed, { first, past, begin }) {
    for (let index = first; index < past; index++) {
      begin(index);
      for (this.ok++; index === 1;);
    }
    return { cases: past - first };
  }
}
