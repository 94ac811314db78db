/** The chapter's jobs under the names by which the page asks for them. */
export { attentionTemperature, frequencyScalings, staleCache, unseenAngles } from './jobs.ts';
export { logNEntropy, relativeMap, rotaryRounding } from './score_jobs.ts';
