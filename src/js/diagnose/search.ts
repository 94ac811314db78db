/** Tries hypotheses on the evidence of a dump: no fault, one, two. */
import type { Comparison, Evidence } from './evidence.js';
import type { Candidate, World } from './fault.js';
import { faults } from './faults.js';
import type { Model } from './model.js';

/** How well some faults together explain the data. */
export interface Result {
  world: World;
  candidates: Candidate[];
  cost: number;
  /** The largest error over its tolerance: up to 1 everything fits. */
  ratio: number;
  /** The largest |observed − predicted| of the evidence that fits worst. */
  error: number;
  worst: { evidence: Evidence; comparison: Comparison };
  /** It fits, but another that is about as likely comes much nearer. */
  isFarther?: true;
}

const fits = ({ ratio }: { ratio: number }) => ratio <= 1;

/** The model with all faults, as far as they concern it; undefined where none does. */
export function changed(model: Model, candidates: readonly Candidate[]): Model | undefined {
  let [current, isChanged] = [model, candidates.length === 0];
  for (const { apply } of candidates) {
    const next = apply(current);
    if (next) [current, isChanged] = [next, true];
  }
  return isChanged ? current : undefined;
}

const costOf = (candidates: readonly Candidate[]) =>
  candidates.reduce((sum, { cost }) => sum + cost, 0);

const known = new WeakMap<Evidence, Comparison>();

/** The comparison with the configuration. */
function unfaulted(evidence: Evidence): Comparison {
  const found = known.get(evidence) ?? evidence.compare(evidence.nominal);
  known.set(evidence, found);
  return found;
}

/** Some of the rows first, which most often are enough to exclude a model. */
function comparedUpTo(evidence: Evidence, model: Model, limit: number): Comparison {
  const some = limit < Infinity ? evidence.compareSome?.(model, limit) : undefined;
  return some && some.ratio > limit ? some : evidence.compare(model, limit);
}

/**
 * @param limit beyond this ratio the rest of the evidence is not looked at
 * @returns undefined when no evidence is concerned
 */
function evaluated(world: World, candidates: Candidate[], limit = Infinity): Result | undefined {
  let worst: Result['worst'] | undefined;
  let isConcerned = false;
  for (const evidence of world.evidence) {
    const model = changed(evidence.nominal, candidates);
    isConcerned ||= model !== undefined;
    const comparison = model ? comparedUpTo(evidence, model, limit) : unfaulted(evidence);
    if (!worst || comparison.ratio > worst.comparison.ratio) worst = { evidence, comparison };
    if (comparison.ratio > limit) break;
  }
  if (!worst || !isConcerned) return undefined;
  const { ratio, error } = worst.comparison;
  return { world, candidates, cost: costOf(candidates), ratio, error, worst };
}

const unchanged = (model: Model) => model;

/** The candidates of each fault. */
const singlesOf = (world: World): Candidate[][] =>
  faults.map((fault) => fault.candidates(world, unchanged));

/** Results of candidates of one fault, of which only those that fit and the nearest are exact. */
function evaluatedEach(world: World, candidates: readonly Candidate[]): Result[] {
  let nearest = Infinity;
  return candidates.flatMap((candidate) => {
    const result = evaluated(world, [candidate], Math.max(1, nearest));
    if (result) nearest = Math.min(nearest, result.ratio);
    return result ? [result] : [];
  });
}

/** Parts whose change alters the measured parameters: pairs and direction of rotation. */
const revealing = ['layout', 'direction', 'temperature', 'sections', 'permutation'];

/** Odd parameters explain anything together with another fault. */
const mostOfPair = 1.6;

function* pairsOf(world: World, singles: readonly Candidate[]): Iterable<Candidate[]> {
  const usual = singles.filter(({ cost, isUnseen }) => cost < mostOfPair && !isUnseen);
  const isPosition = ({ part }: { part: string }) => part === 'positions';
  const others = usual.filter((each) => !isPosition(each));
  const order = new Map(others.map((each, i) => [each, i]));
  for (const first of others) {
    // Such a part is changed first, and parameters are then measured again.
    const again = faults.filter(
      (fault) => isPosition(fault) || (revealing.includes(first.part) && isSearched(fault.id)),
    );
    const found = again
      .filter(({ part }) => part !== first.part)
      .flatMap((fault) => fault.candidates(world, first.apply))
      .filter(({ cost }) => cost < mostOfPair);
    const listed = others.filter(
      (second) => second.part !== first.part && order.get(second)! > order.get(first)!,
    );
    for (const second of [...found, ...listed]) yield [first, second];
  }
}

const isSearched = (id: string) =>
  ['wrong_base', 'scaling_wrong_factor', 'dynamic_ntk_other_length'].includes(id);

/** Fewer and likelier faults first, after them those that others come nearer than. */
const inOrder = (a: Result, b: Result) =>
  Number(a.isFarther ?? false) - Number(b.isFarther ?? false) ||
  a.cost - b.cost ||
  a.ratio - b.ratio;

/**
 * Bounds of sums, such as scores, are far wider than most of their errors. A hypothesis with many
 * times the error of another fits only for that reason.
 */
const timesFarther = 8;

/** Hypotheses whose costs differ by less are about as likely. */
const aboutAsLikely = 0.2;

/** Marks those that others come much nearer than. A rounding explains errors, not their cause. */
function withFarther(results: readonly Result[]): Result[] {
  const causes = results.filter(
    ({ candidates }) => !candidates.some(({ part }) => part === 'formats'),
  );
  return results.map((result) =>
    causes.some(
      ({ cost, ratio }) =>
        cost - result.cost < aboutAsLikely && ratio * timesFarther < result.ratio,
    )
      ? { ...result, isFarther: true }
      : result,
  );
}

/** What explains the data, and what comes nearest. */
export interface Findings {
  /** Hypotheses that fit, the likeliest first; one without candidates is "no fault". */
  fitting: Result[];
  /** The others, the nearest first. */
  others: Result[];
}

function distinct(results: readonly Result[]): Result[] {
  const seen = new Set<string>();
  return results.filter(({ candidates }) => {
    const key = candidates
      .map(({ id }) => id)
      .sort()
      .join();
    return !seen.has(key) && seen.add(key);
  });
}

function searchedIn(world: World): Findings {
  const plain = evaluated(world, [])!;
  const singles = singlesOf(world);
  const isSound = fits(plain);
  const results = singles.flatMap((candidates) =>
    evaluatedEach(
      world,
      candidates.filter(({ isUnseen }) => isSound || !isUnseen),
    ),
  );
  const fitting = [plain, ...results].filter(fits);
  const single = (isSound ? fitting : withFarther(fitting)).sort(inOrder);
  const others = [plain, ...results].filter((each) => !fits(each));
  others.sort((a, b) => a.ratio - b.ratio);
  if (single.length > 0) return { fitting: distinct(single), others: distinct(others) };
  const both: Result[] = [];
  for (const pair of pairsOf(world, singles.flat())) {
    const result = evaluated(world, pair, 1);
    if (result && fits(result)) both.push(result);
  }
  return { fitting: distinct(both.sort(inOrder)), others: distinct(others) };
}

/** The findings of the assignment of layers with the fewest faults. */
export function searched(worlds: readonly World[]): Findings {
  const all: Findings[] = [];
  for (const world of worlds) {
    const plain = evaluated(world, []);
    if (!plain) continue;
    const found = searchedIn(world);
    if (fits(plain)) return found;
    all.push(found);
  }
  const fitting = all.flatMap(({ fitting }) => fitting).sort(inOrder);
  const others = all.flatMap(({ others }) => others).sort((a, b) => a.ratio - b.ratio);
  return { fitting: distinct(fitting), others: distinct(others) };
}
