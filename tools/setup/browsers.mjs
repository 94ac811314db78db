import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { archiveSources } from './apt.mjs';
import { debianFolder, libraries } from './debian_folder.mjs';
import { Failure } from './failure.mjs';
import { inCache } from './paths.mjs';
import { onPath } from './processes.mjs';
import { skip } from './steps.mjs';

const folder = inCache('browsers');
const root = path.join(folder, 'root');
/**
 * Their packages. The shell is Chromium without the window around a page, whose parts each tab would
 * load and draw: the same tests take 251 s of processor time instead of 458 s.
 */
const browsers = { chromium: 'chromium-headless-shell', firefox: 'firefox-esr' };

/** Latin, Chinese, mathematics and emoji, so that every page of ours draws without empty boxes. */
const fonts = ['fonts-dejavu-core', 'fonts-wqy-microhei', 'fonts-stix', 'fonts-noto-color-emoji'];

/** The browsers that the tests drive: { chromium, firefox }, each a program to start. */
export async function setUpBrowsers() {
  const found = {
    chromium: process.env.ROPEWALK_CHROMIUM || onPath('chromium') || onPath('google-chrome'),
    firefox: process.env.ROPEWALK_FIREFOX || onPath('firefox-esr') || onPath('firefox'),
  };
  const missing = Object.keys(browsers).filter((name) => !found[name]);
  for (const name of Object.keys(browsers))
    if (found[name]) skip(name, `already installed (${found[name]})`);
  if (missing.length === 0) return found;
  const isThere = await debianFolder(folder, {
    title: 'browsers from Debian',
    packages: [...missing.map((name) => browsers[name]), ...fonts],
    sources: archiveSources,
    // They share the host's loader, which works with the host's C library alone.
    omit: ['libc6', 'libc-bin'],
    finish: wrap,
  });
  if (!isThere)
    throw new Failure(
      `The browser tests need ${missing.join(' and ')} on PATH: please install ` +
        `${missing.length > 1 ? 'them' : 'it'}, or run the tests without them ` +
        '(npm test -- structure core package).',
    );
  for (const name of missing) found[name] = path.join(folder, name);
  return found;
}

/** Scripts that start the browsers with the folder's libraries, fonts and data. */
async function wrap(partial) {
  const { triplet } = libraries(folder);
  const environment = {
    LD_LIBRARY_PATH:
      ['usr/lib', 'lib'].map((lib) => `${root}/${lib}/${triplet}`).join(':') +
      `:${root}/usr/lib/${triplet}/pulseaudio`,
    FONTCONFIG_FILE: `${folder}/fonts.conf`,
    XDG_DATA_DIRS: `${root}/usr/share`,
    GSETTINGS_BACKEND: 'memory',
  };
  const exports = Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join('');
  const script = (name, command) =>
    writeFile(
      path.join(partial, name),
      `#!/bin/sh\n${exports}exec '${root}/usr/lib/${command} "$@"\n`,
      { mode: 0o755 },
    );
  await writeFile(path.join(partial, 'fonts.conf'), fontSettings);
  // The sandbox of Chromium needs a program that belongs to root.
  await script('chromium', "chromium/chromium-headless-shell' --no-sandbox");
  await script('firefox', "firefox-esr/firefox-esr'");
}

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${root}/usr/share/fonts</dir>
  <cachedir>${folder}/font_cache</cachedir>
  <alias><family>sans-serif</family><prefer>
    <family>DejaVu Sans</family><family>WenQuanYi Micro Hei</family>
  </prefer></alias>
  <alias><family>serif</family><prefer>
    <family>DejaVu Serif</family><family>WenQuanYi Micro Hei</family>
  </prefer></alias>
  <alias><family>monospace</family><prefer>
    <family>DejaVu Sans Mono</family><family>WenQuanYi Micro Hei Mono</family>
  </prefer></alias>
  <alias><family>math</family><prefer><family>STIX Math</family></prefer></alias>
  <alias><family>emoji</family><prefer><family>Noto Color Emoji</family></prefer></alias>
</fontconfig>
`;
