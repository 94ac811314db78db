/** The jobs that the worker of the figures has: assembly/jobs.ts takes their files from here. */
export type FigureJobs = typeof import('../chapters/opening/jobs.ts') &
  typeof import('../chapters/waves/jobs.ts') &
  typeof import('../chapters/sinusoid/jobs.ts') &
  typeof import('../chapters/sinusoid/four_terms_jobs.ts') &
  typeof import('../chapters/at_the_input/jobs.ts') &
  typeof import('../chapters/relative_biases/jobs.ts') &
  typeof import('../chapters/rotation/jobs.ts') &
  typeof import('../chapters/longer_contexts/jobs.ts') &
  typeof import('../chapters/running_long_contexts/jobs.ts') &
  typeof import('../chapters/text_positions/jobs.ts') &
  typeof import('../chapters/models_of_today/jobs.ts') &
  typeof import('../chapters/attention_lab/lab_jobs.ts') &
  typeof import('../chapters/attention_lab/long_text_jobs.ts') &
  typeof import('./model_position.ts');
