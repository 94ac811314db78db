/** The worker of the notebook: unlike the one of the figures, it reads files. */
import { serve } from '../worker/serve.ts';
import * as jobs from './jobs.ts';

serve(jobs);
