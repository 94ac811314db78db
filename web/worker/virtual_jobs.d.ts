/** Made by assembly/jobs.ts. */
declare module 'virtual:jobs' {
  /** What loads the file of a job, by the name of the job. */
  export const files: Readonly<
    Record<string, () => Record<string, unknown> | Promise<Record<string, unknown>>>
  >;
  /** The jobs that need encodings alone. */
  export const encodingJobs: ReadonlySet<string>;
}
