/** How docstrings are set on the pages of the reference. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runnerImport } from 'vite';

const file = join(import.meta.dirname, '..', '..', 'web/assembly/notation.ts');
const { module } = await runnerImport(file, { configFile: false });
const { brokenDeclaration, joinedComment, lineOf } = module;

test('mathematics of docstrings is set with raised and lowered letters', () => {
  for (const [text, html] of [
    ['base^(−2i/dim)', 'base<sup>−2i/dim</sup>'],
    ['base^(−2i/(dim/axes)).', 'base<sup>−2i/(dim/axes)</sup>.'],
    ['up to 2^24, 2^−23 and 2^−j', 'up to 2²⁴, 2⁻²³ and 2<sup>−j</sup>'],
    ['Σ_{i<j} c_m − q_n', 'Σ<sub>i&lt;j</sub> c<sub>m</sub> − q<sub>n</sub>'],
    ['Hₘ₋₁ qₘᵀ L₀', 'H<sub>m−1</sub> q<sub>m</sub><sup>T</sup> L₀'],
    ['(i+1)^exponent below 2^bits', '(i+1)<sup>exponent</sup> below 2<sup>bits</sup>'],
    ['max_j and key_n', 'max<sub>j</sub> and key_n'],
    ['k_n and key_n', 'k<sub>n</sub> and key_n'],
    ["the layout 'half-split'", `the layout <code class="whole">'half-split'</code>`],
    ['For it use createCache().', 'For it use <code class="whole">createCache()</code>.'],
    ["queries' keys and k's", 'queries’ keys and k’s'],
    ['_relative_position_bucket', '_relative<wbr>_position<wbr>_bucket'],
  ])
    assert.equal(lineOf(text), html);
});

test('wide declarations break at the members of a union, and comments have one line', () => {
  const names = ['FirstOfManyTypes', 'SecondOfManyTypes', 'ThirdOfManyTypes', 'FourthOfManyTypes'];
  assert.equal(
    brokenDeclaration(`type Any = ${names.join(' | ')};`),
    `type Any =\n  | ${names.join('\n  | ')};`,
  );
  const kinds = Array.from({ length: 20 }, (_, k) => `'kind-${k + 10}'`);
  assert.equal(
    brokenDeclaration(`type Kind = ${kinds.join(' | ')};`),
    ['type Kind =', ...[0, 6, 12, 18].map((k) => `  | ${kinds.slice(k, k + 6).join(' | ')}`)].join(
      '\n',
    ) + ';',
  );
  assert.equal(
    joinedComment('/**\n   * One line\n   * and another.\n   */'),
    '/** One line and another. */',
  );
  assert.equal(joinedComment('/** One line. */'), '/** One line. */');
  assert.equal(brokenDeclaration('type Short = 1 | 2;'), 'type Short = 1 | 2;');
});
