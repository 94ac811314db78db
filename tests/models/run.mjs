// Compares loaded models with reference logits:   npm run models -- FOLDER [PART OF A NAME]
//
// Exit code 1 if a logit is off by more than the tolerance, or a model does not load.
import path from 'node:path';
import { caseFolders, compareCase, tolerance } from './cases.mjs';

const [folder, part = ''] = process.argv.slice(2);
if (folder === undefined) {
  console.error('npm run models -- FOLDER: it takes a folder of cases, see tests/models/README.md');
  process.exit(2);
}
const { createModel } = await import('ropewalk/model');
for (const one of caseFolders(folder)) {
  const name = path.relative(folder, one);
  if (!name.includes(part)) continue;
  try {
    const results = Object.entries(await compareCase(createModel, one));
    const passed = results.every(([, difference]) => difference <= tolerance);
    if (!passed) process.exitCode = 1;
    const listed = results.map(([what, difference]) => `${what} ${difference.toExponential(1)}`);
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}: ${listed.join(', ')}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED ${name}: ${error.message}`);
  }
}
