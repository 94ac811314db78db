/** The page “Check your model” for every example dump, and its Chinese texts for every dump. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFromWeb } from '../support/typescript.mjs';
import { checkIn, dumps, examples, ofPackage } from './support/check.mjs';
import { describeInChromium } from './support/visits.mjs';

const chinese = /\p{Script=Han}/u;

test('every fault, array and configuration has a Chinese text', async () => {
  const { configIn, dataIn, arrayIn, explanationIn } = await importFromWeb('check/chinese.ts');
  const { faults } = await ofPackage('diagnose/faults');
  const { faultsInChinese } = await importFromWeb('check/faults_in_chinese.ts');
  assert.deepEqual(Object.keys(faultsInChinese).sort(), faults.map(({ id }) => id).sort());
  const { createRopewalk } = await ofPackage('entries/index');
  const { diagnose } = await ofPackage('entries/diagnose');
  const rw = await createRopewalk();
  for (const { name, options } of dumps.values()) {
    const { data, expected, hypotheses, further } = diagnose(rw, options);
    for (const line of data) assert.match(dataIn('zh', line), /：/, `${name}: ${line}`);
    for (const line of expected) assert.match(configIn('zh', line), chinese, `${name}: ${line}`);
    if (further && further !== 'inv_freq') assert.match(arrayIn('zh', further), chinese, further);
    for (const hypothesis of hypotheses) {
      const { says, fix } = explanationIn('zh', hypothesis);
      assert.match(says, chinese, `${name}: ${hypothesis.says}`);
      assert.doesNotMatch(`${says}${fix}`, /undefined|NaN/, `${name}: ${says}`);
      assert.equal(fix === '', hypothesis.fix === '', name);
    }
  }
});

test('every mistake and every setting of a program has a Chinese text', async () => {
  const { aboutConfig } = await importFromWeb('check/config_jobs.ts');
  const { mistakeIn } = await importFromWeb('check/mistakes_text.ts');
  const { lineIn } = await importFromWeb('check/runtimes_in_chinese.ts');
  const { presets } = await importFromWeb('figures/model_presets.ts');
  const { layerPresets } = await importFromWeb('figures/layer_presets.ts');
  const { createRopewalk } = await ofPackage('entries/index');
  const rw = await createRopewalk();
  const configs = [
    ...[...presets, ...layerPresets].map(({ config }) => config),
    ...[...dumps.values()].flatMap(({ options }) => options.config ?? []),
  ];
  const seen = new Set();
  for (const config of configs) {
    const { mistakes, settings, scheme } = aboutConfig(rw, JSON.stringify(config), 'config.json');
    if (scheme) assert.ok(mistakes.length > 0, JSON.stringify(config));
    for (const mistake of mistakes) {
      seen.add(mistake.id);
      const [english, text] = [mistakeIn('en', mistake), mistakeIn('zh', mistake)];
      assert.match(text, chinese);
      assert.doesNotMatch(`${english}${text}`, /undefined|NaN|\bnull\b/);
    }
    for (const { settings: each } of settings)
      for (const line of [each.where, ...each.cannot])
        assert.match(lineIn('zh', line), chinese, line);
  }
  assert.ok(seen.size >= 18, [...seen].join());
});

describeInChromium('every example', (visit) => {
  const { open, text, ids, tryDump } = checkIn(visit);

  for (const path of ['numbers.html', 'zh/numbers.html']) {
    test(`${path}: every example dump shows a verdict, a picture and a fix`, async () => {
      await open(path);
      for (const [dump, number] of Object.entries(examples)) {
        await tryDump(dump);
        const faults = typeof number === 'string' ? dumps.get(number).expect.faults : number;
        assert.deepEqual((await ids()).sort(), [...faults].sort(), dump);
        if (dump === 'width') {
          assert.equal((await visit.tab.$$('#result-check .widths svg')).length, 2);
        } else {
          await visit.tab.waitForFunction(() =>
            document
              .querySelector('#result-check rw-curve')
              ?.shadowRoot?.querySelector('svg.chart'),
          );
          const series = await visit.tab.$eval('rw-curve', ({ shadowRoot }) =>
            [...shadowRoot.querySelectorAll('.legend li')].map((item) => item.textContent.trim()),
          );
          assert.equal(series.length, 3, `${dump}: ${series}`);
        }
        const [says, fix] = [await text('.headline'), await text('.fix')];
        const isChinese = [says, fix].every((line) => chinese.test(line));
        assert.equal(isChinese, path.startsWith('zh'), `${says} ${fix}`);
      }
    });
  }
});
