// Publishes figures by the systems that people publish with: `npm run hosts` (--help says how).
import { parseArgs } from 'node:util';
import { buildPackage, buildSite, buildingAlone } from '../../tools/build.mjs';
import { serve } from '../../tools/serve.mjs';
import { Failure, main } from '../../tools/setup/failure.mjs';
import { alone, say, seconds, step } from '../../tools/setup/steps.mjs';
import { setup } from '../../tools/setup.mjs';
import { shown } from '../bench/tables.mjs';
import { launch } from '../browser/support/browser.mjs';
import { siteFolder } from '../browser/support/page.mjs';
import { copied, inOneFile } from './posts.mjs';
import { publish } from './publish.mjs';
import { lookAtStills } from './still.mjs';
import { systems } from './systems.mjs';
import { visit } from './visit.mjs';

const names = systems.map(({ name }) => name);
const browserNames = ['chromium', 'firefox'];
const help = `npm run hosts -- [names] [options]

A post with three figures in each system, by the snippets of the gallery and by the package, in
Chromium and Firefox.

  --built             takes dist/site and dist/package as they are, without building
  --browsers NAMES    separated by commas

${systems.map(({ name, title }) => `  ${name.padEnd(18)}  ${title}`).join('\n')}
`;

function parsed(args) {
  const options = /** @type {const} */ ({
    built: { type: 'boolean', default: false },
    browsers: { type: 'string', default: browserNames.join() },
    help: { type: 'boolean', default: false },
  });
  let found;
  try {
    found = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Failure(`${error.message}\n\n${help}`);
  }
  const { values, positionals } = found;
  const browsers = values.browsers.split(',');
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new Failure(`There is no system "${unknown}": ${names.join(', ')}.`);
  const wrong = browsers.find((name) => !browserNames.includes(name));
  if (wrong) throw new Failure(`There is no browser "${wrong}": ${browserNames.join(', ')}.`);
  const chosen = systems.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  return { ...values, browsers, chosen };
}

async function setUp(built) {
  const tools = await setup({ browsers: true });
  process.env.ROPEWALK_CHROMIUM ??= tools.chromium;
  process.env.ROPEWALK_FIREFOX ??= tools.firefox;
  if (!built)
    await buildingAlone(async () => {
      await buildPackage(tools);
      await buildSite();
    });
  return import('../package/installed.mjs');
}

/** What is wrong with a post, by browser. */
async function complaintsOf(system, post, { published, browsers, site }) {
  const url = published.urlOf(post);
  const dark = published.posts.find(({ form, isDark }) => form === post.form && isDark);
  const isElement = ({ form, isDark }) => form !== 'frame' && !isDark;
  const other =
    isElement(post) &&
    system.hasLinks &&
    published.posts.find((one) => isElement(one) && one.form !== post.form);
  const stored = typeof system.dark === 'object' ? system.dark.stored : undefined;
  const found = [];
  for (const [name, browser] of Object.entries(browsers)) {
    const isStill = system.isStill && post.form === 'element';
    const own = isStill
      ? await lookAtStills(browser, { url })
      : await visit(browser, {
          url,
          form: post.form,
          site,
          least: post.form === 'frame' ? system.least : undefined,
          darkUrl: dark && published.urlOf(dark),
          darkStored: stored,
          homeUrl: published.homeUrlOf(post),
          otherUrl: other && published.urlOf(other),
        });
    found.push(...own.map((text) => `in ${name}, ${text}`));
  }
  return found;
}

/** A row of the table: the system's version, and what is wrong with each form. */
async function rowOf(system, given) {
  let published;
  try {
    published = await publish(system, given);
  } catch ({ message }) {
    const forms = Object.keys(system.forms);
    return { system, wrong: Object.fromEntries(forms.map((form) => [form, [message]])) };
  }
  try {
    const wrong = Object.fromEntries(
      Object.entries(published.failed).map(([form, message]) => [form, [message]]),
    );
    for (const post of published.posts.filter(({ isDark }) => !isDark))
      wrong[post.form] = await complaintsOf(system, post, { ...given, published });
    wrong.import?.push(...published.warnings);
    return { system, version: published.version, wrong };
  } finally {
    await published.close();
  }
}

/** Right after the row, so that a run that ends early keeps it. */
function sayWrong({ system, wrong }) {
  for (const [form, texts] of Object.entries(wrong))
    for (const text of texts) say(`    ${system.name}, ${form}: ${text}`);
  for (const [form, text] of Object.entries(system.limits ?? {}))
    say(`    ${system.name}, ${form}, a limit of the host: ${text}`);
}

const columns = ['host', 'version', 'element', 'frame', 'import'];

function cellsOf({ system, version, wrong }) {
  const cell = (form) =>
    wrong[form] === undefined ? undefined : wrong[form].length > 0 ? 'FAILED' : 'passed';
  return [system.title, version, ...['element', 'frame', 'import'].map(cell)];
}

await main(async () => {
  const options = parsed(process.argv.slice(2));
  if (options.help) return say(help);
  const { packageFolder } = await setUp(options.built);
  const start = performance.now();
  const rows = [];
  await alone('hosts', async () => {
    const server = await serve(siteFolder, { base: '/some/where/' });
    const browsers = {};
    try {
      for (const name of options.browsers) browsers[name] = await launch(name);
      const kinds = options.chosen.flatMap(({ forms }) => [forms.element, forms.frame]);
      const tabs = [...new Set(kinds)].filter((kind) => kind && kind !== 'oneFile');
      const [first] = Object.values(browsers);
      const { script, lines } = await inOneFile(packageFolder);
      const snippets = { ...(await copied(first, server.url, tabs)), oneFile: lines };
      say('Hosts');
      const given = { snippets, script, site: server.url, packageFolder, browsers };
      for (const system of options.chosen) {
        await step(system.title, async () => {
          const row = await rowOf(system, given);
          rows.push(row);
          return Object.values(row.wrong).flat().length > 0 ? 'failed' : undefined;
        });
        sayWrong(rows.at(-1));
      }
    } finally {
      for (const browser of Object.values(browsers)) await browser.close();
      await server.close();
    }
  });
  const title = `Figures where people publish (${options.browsers.join(', ')}; ${seconds(start)})`;
  say(`\n${shown({ title, columns, rows: rows.map(cellsOf) })}`);
  const forms = rows.flatMap(({ wrong }) => Object.values(wrong));
  const failed = forms.filter((texts) => texts.length > 0);
  say(`${forms.length - failed.length} passed, ${failed.length} failed`);
  process.exit(failed.length > 0 ? 1 : 0);
});
