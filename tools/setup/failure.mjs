/** Something a person can act on: shown as its sentence alone, without a stack trace. */
export class Failure extends Error {}

/** Runs a command-line entry: a Failure becomes its sentence on stderr and exit code 1. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
