/** A fuzzer whose case 1 never ends, to see that it is ended. */
export class Endless {
  ok = 0;
  refused = 0;

  async start() {}

  async caseAt(_, index) {
    for (this.ok++; index === 1;);
    return undefined;
  }
}
