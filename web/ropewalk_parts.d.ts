/** What src/js/cli/single_script.ts writes into a file beside the scripts of its figures. */
declare module 'ropewalk:parts' {
  export const figures: Readonly<Record<string, () => Promise<object>>>;
  /** What loads the script of a job, by the name of the job. */
  export const jobs: Readonly<Record<string, () => Record<string, unknown>>>;
  /** Files as base64, by their names. */
  export const files: Readonly<Record<string, string>>;
  /** The text of this script, which runs another entry. */
  export function script(entry: string): string;
}
