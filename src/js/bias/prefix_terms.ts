/** What a number of a prefix sum stands for. */

/** The number itself, ln σ(x) as in FoX, or ln σ(−x) as in CABLE. */
export const prefixTerms = ['number', 'log-sigmoid', 'log-sigmoid-of-negative'] as const;
export type PrefixTerm = (typeof prefixTerms)[number];
