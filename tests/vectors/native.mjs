/** The suites of training through the core as it is compiled for this machine. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { buildNative } from '../../tools/build/cmake.mjs';
import { buildingAlone } from '../../tools/build.mjs';
import { inRoot } from '../../tools/setup/paths.mjs';
import { step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';

export const nativeSuites = ['attention_grad', 'layers_grad', 'train_steps'];

const target = 'ropewalk_vectors';

/** A case as the program reads it, see tests/core/vectors/case.hpp. */
function* textOf(suite, { attrs, inputs }) {
  function* attributes(values, prefix) {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string') yield `text ${prefix}${name} ${value}\n`;
      if (typeof value === 'number' || typeof value === 'boolean')
        yield `number ${prefix}${name} ${Number(value)}\n`;
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        yield* attributes(value, `${prefix}${name}.`);
    }
  }
  yield* attributes(attrs, '');
  for (const [name, { shape, num }] of Object.entries(inputs))
    yield `array ${name} ${[shape.length, ...shape].join(' ')} ${num.join(' ')}\n`;
  yield `run ${suite}\n`;
}

/**
 * Builds the program, and starts it.
 * @returns {Promise<{ adapter: Function, end(): void } | { missing: string }>} an adapter for
 *   runSuites, until end(); or why there is none
 */
export async function startNative() {
  let program;
  try {
    const tools = await setup({ native: true });
    const [compiler] = tools.nativeCompilers;
    if (!compiler) return { missing: 'there is neither g++ nor clang++ with C++20 on PATH' };
    const withTests = { ...compiler, options: [...compiler.options, '-DROPEWALK_TESTS=ON'] };
    await buildingAlone(() =>
      step(`vectors, native ${compiler.name}`, (report) =>
        buildNative(tools, withTests, target, report),
      ),
    );
    program = inRoot(`build/native-${compiler.name}/tests/core/${target}`);
  } catch (error) {
    return { missing: error.message };
  }
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async adapter(_, call, { suite }) {
      for (const part of textOf(suite, call)) child.stdin.write(part);
      const answers = {};
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('the native program ended');
        const [name, , ...numbers] = value.split(' ');
        if (name === 'done') return answers;
        answers[name] = numbers.map(Number);
      }
    },
    end: () => child.stdin.end(),
  };
}
