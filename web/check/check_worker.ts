/** The worker of the page that checks models: unlike the one of the figures, it reads files. */
import { serve } from '../worker/serve.ts';
import { jobs } from './all_jobs.ts';

serve(jobs);
