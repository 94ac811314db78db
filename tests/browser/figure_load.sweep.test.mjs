/** What each figure brings to a page of another site until it is drawn. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sizeOf } from '../../tools/build/first_load.mjs';
import { browserFor } from './support/browser.mjs';
import { Elsewhere } from './support/elsewhere.mjs';
import { figureNames } from './support/figures.mjs';
import { siteFolder } from './support/page.mjs';

/** Bytes of scripts and binaries by brotli at its best, and all files: of the figure in the middle, and of any. */
const limits = { median: { bytes: 140_000, files: 10 }, most: { bytes: 200_000, files: 18 } };

/** Weights, the text that a model is trained on, and the still that stands there before. */
const isData = /\.(safetensors|gguf|bin|txt|webp)$/;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

test('a figure on another site: the median and the most that it brings', async (context) => {
  const browser = await browserFor('chromium');
  const elsewhere = new Elsewhere({ browser });
  await elsewhere.start();
  try {
    const rows = [];
    for (const name of figureNames) {
      const files = await elsewhere.filesFor(name);
      // Data do not count: to compress them at its best takes seconds.
      const counted = files.filter((file) => !isData.test(file));
      const sizes = await Promise.all(counted.map((file) => sizeOf(join(siteFolder, file))));
      rows.push({ name, files: files.length, bytes: sum(sizes) });
      const largest = counted.map((file, k) => [sizes[k], file]).sort(([a], [b]) => b - a);
      const listed = process.env.FILES ? largest.map((pair) => pair.join(' ')).join(', ') : '';
      context.diagnostic(
        `${name}: ${files.length} files, ${sum(sizes)} bytes without data ${listed}`,
      );
    }
    const [bytes, files] = [rows.map((row) => row.bytes), rows.map((row) => row.files)];
    context.diagnostic(
      `median: ${median(files)} files, ${median(bytes)} bytes; most: ${Math.max(...files)}, ${Math.max(...bytes)}`,
    );
    assert.ok(median(bytes) <= limits.median.bytes, `${median(bytes)} bytes`);
    assert.ok(median(files) <= limits.median.files, `${median(files)} files`);
    const isLarge = (row) => row.bytes > limits.most.bytes || row.files > limits.most.files;
    assert.deepEqual(rows.filter(isLarge), []);
  } finally {
    await browser.close();
    await elsewhere.close();
  }
});
