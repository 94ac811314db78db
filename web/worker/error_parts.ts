/** An error: a line, and of the package's errors about a parameter its parts. */
export type ErrorText = { message: string; parameter?: string; rule?: string };

/** The same as plain data, which messages can hold. */
export function errorTextOf(error: unknown): ErrorText {
  const { message, parameter, rule } = error as ErrorText;
  return { message, ...(parameter !== undefined && { parameter, rule: rule! }) };
}
