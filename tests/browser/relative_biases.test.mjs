/** Relative biases: buckets and slopes are moved; numbers are compared with the published ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alibiSlopes, softmax } from '../support/reference.mjs';
import { few } from '../support/sweep.mjs';
import { near, numberIn } from './support/numbers.mjs';
import { describeInBrowsers } from './support/visits.mjs';

/** First distance of each bucket from the eighth or sixteenth on, with 32 buckets up to 128. */
const causalEdges = [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113];
const sideEdges = [8, 12, 16, 23, 32, 46, 64, 91];

/** The bucket by the published edges: one distance each below the first, then the last edge passed. */
function bucketOf(distance, edges) {
  return distance < edges[0]
    ? distance
    : edges[0] + edges.filter((edge) => edge <= distance).length - 1;
}

function publishedBucket(relative, direction) {
  if (direction === 'causal') return bucketOf(relative < 0 ? -relative : 0, causalEdges);
  return bucketOf(Math.abs(relative), sideEdges) + (relative > 0 ? 16 : 0);
}

describeInBrowsers('relative biases', (visit) => {
  const { alone, claim } = visit;

  for (const [language, path] of few(Object.entries({ en: '', zh: 'zh/' }))) {
    claim(
      `C18 ${language}: every distance falls into its published bucket, causal and bidirectional`,
      async () => {
        const buckets = await alone('t5-buckets', {}, path);
        for (const [direction, last, reach] of [
          ['bidirectional', 91, [-167, 167]],
          ['causal', 113, [-167, 0]],
        ]) {
          const before = await buckets.drawing();
          await buckets.set('direction', direction);
          assert.notEqual(await buckets.drawing(), before);
          const { rows } = await buckets.csv();
          assert.deepEqual([Number(rows[0][0]), Number(rows.at(-1)[0])], reach);
          for (const [relative, bucket] of rows)
            assert.equal(Number(bucket), publishedBucket(Number(relative), direction), relative);
          assert.equal(await buckets.number('last'), last);
        }
      },
    );
  }

  claim('C18 one learned number lifts every key of its bucket alike', async () => {
    const buckets = await alone('t5-buckets', { query: 70 });
    for (const [direction, bucket, scalar] of [
      ['bidirectional', 27, -1.5],
      ['causal', 22, 3],
    ]) {
      await buckets.set('direction', direction);
      await buckets.set('bucket', bucket);
      await buckets.set('scalar', scalar);
      const keys = Array.from({ length: direction === 'causal' ? 71 : 96 }, (_, key) => key);
      const isMine = (key) => publishedBucket(key - 70, direction) === bucket;
      const weights = softmax(keys.map((key) => (isMine(key) ? scalar : 0)));
      const mine = keys.filter(isMine);
      assert.ok(mine.length > 1);
      assert.equal(await buckets.number('keys'), mine.length);
      const total = mine.reduce((sum, key) => sum + weights[key], 0);
      near(await buckets.number('weight'), total, 1e-4, `weight on bucket ${bucket}`);
    }
    assert.equal(await buckets.number('learned'), 32 * 12);
  });

  claim('C18 fewer buckets and a longer reach are coarser', async () => {
    const buckets = await alone('t5-buckets');
    await buckets.set('buckets', 8);
    const { rows } = await buckets.csv();
    // Half of eight are exact; the edges 4 (128/4)^(k/4) are 4, 9.51…, 22.6…, 53.8….
    const expected = (distance) => bucketOf(distance, [4, 10, 23, 54]);
    for (const [relative, bucket] of rows)
      assert.equal(Number(bucket), expected(Math.abs(Number(relative))), relative);
    assert.equal(await buckets.number('last'), 54);
    await buckets.set('maxDistance', 1024);
    // 4 (1024/4)^(k/4) is a power of two for every k: 4, 16, 64, 256.
    assert.equal(await buckets.number('last'), 256);
    assert.equal(await buckets.number('learned'), 8 * 12);
  });

  test('C18 pointing at a distance reads its bucket', async () => {
    const buckets = await alone('t5-buckets');
    await buckets.point('.chart .pointer', (167.5 - 60) / 168);
    const text = await buckets.until(
      `((text) => /= −60/.test(text) && text)(root.querySelector('[data-number="reading"]').textContent)`,
    );
    assert.match(text, /= −60: bucket 26, which holds −59 to −66/);
  });

  claim('C19 the slopes of any head count in all conventions', async () => {
    const slopes = await alone('alibi-slopes');
    for (const heads of [1, 3, 8, 12, 40]) {
      await slopes.set('heads', heads);
      const { rows } = await slopes.csv();
      const published = alibiSlopes(heads);
      const sorted = published.toSorted((a, b) => b - a);
      assert.equal(rows.length, heads);
      rows.forEach((row, h) => {
        const [head, first, second, third, window] = row.map(Number);
        assert.equal(head, h + 1);
        near(first, published[h], 1e-12, `published, head ${head} of ${heads}`);
        near(second, sorted[h], 1e-12, `sorted, head ${head} of ${heads}`);
        near(third, 2 ** ((-8 * head) / heads), 1e-12, `naive, head ${head} of ${heads}`);
        near(window * published[h], 1, 1e-9, 'the window is one over the slope');
      });
    }
  });

  claim('C19 a slope sets how the weights fall, and with them the window', async () => {
    const slopes = await alone('alibi-slopes', { heads: 8, keys: 4, head: 1 });
    near(await slopes.number('nearest'), 0.455054, 1e-5, 'slope 1/2, four keys');
    await slopes.set('head', 8);
    near(await slopes.number('nearest'), 0.251467, 1e-5, 'slope 1/256, four keys');
    assert.equal(await slopes.number('window'), 256);
    assert.equal(await slopes.number('widest'), 256);
    await slopes.set('keys', 64);
    await slopes.set('heads', 12);
    for (const [convention, head] of /** @type {const} */ ([
      ['published', 9],
      ['naive', 2],
      ['sorted', 1],
    ])) {
      if (convention !== 'published') await slopes.set('convention', convention);
      await slopes.set('head', head);
      const all = alibiSlopes(12);
      const slope = {
        published: all[head - 1],
        sorted: all.toSorted((a, b) => b - a)[head - 1],
        naive: 2 ** ((-8 * head) / 12),
      }[convention];
      near(await slopes.number('slope'), slope, 1e-6, `slope, ${convention}`);
      const weights = softmax(Array.from({ length: 64 }, (_, distance) => -slope * distance));
      near(await slopes.number('nearest'), weights[0], 1e-5, `nearest, ${convention}`);
      let [sum, holding] = [0, 0];
      while (sum < 0.95) sum += weights[holding++];
      const text = await slopes.text('[data-number="holding"]');
      assert.equal(numberIn(text), holding, `keys holding 95%, ${convention}`);
    }
  });
});
