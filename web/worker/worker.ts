/** The worker of the figures. */
import { findJob } from './jobs.ts';
import { serve } from './serve.ts';

serve(findJob);
