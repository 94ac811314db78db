/** The worker of the figures. */
import { jobs } from './jobs.ts';
import { serve } from './serve.ts';

serve(jobs);
