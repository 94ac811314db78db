/** Chromium and Firefox as the tests and the screenshots drive them. */
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import puppeteer from 'puppeteer-core';

const chromiumFlags = [
  '--no-sandbox',
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // A page of the browser itself, which each window would load.
  '--disable-features=WebUIOmniboxPopup',
];

const kinds = {
  chromium: {
    executable: () =>
      process.env.ROPEWALK_CHROMIUM ?? onPath('chromium', 'chromium-browser', 'google-chrome'),
    options: { browser: 'chrome', args: chromiumFlags },
  },
  firefox: {
    executable: () => process.env.ROPEWALK_FIREFOX ?? onPath('firefox', 'firefox-esr'),
    options: {
      browser: 'firefox',
      // Nothing but the page under test may use the network.
      extraPrefsFirefox: {
        'network.captive-portal-service.enabled': false,
        'network.connectivity-service.enabled': false,
        'browser.safebrowsing.malware.enabled': false,
        'browser.safebrowsing.phishing.enabled': false,
        'app.normandy.enabled': false,
        'extensions.getAddons.cache.enabled': false,
      },
    },
  },
};

/** The browsers to drive: those that `npm test` names for its part, else all. */
export const browserNames = process.env.ROPEWALK_BROWSERS?.split(',') ?? Object.keys(kinds);

/**
 * Milliseconds: what has not happened by then never will, however busy the machine is. A limit
 * only: no test takes this long because it waits for it.
 */
export const patience = 120_000;

const limits = { timeout: patience, protocolTimeout: 1.5 * patience };

/**
 * @param {string} name
 * @param {import('puppeteer-core').LaunchOptions & { flags?: string[] }} [options] `flags` are added
 *   to the browser's command line, the others to our options of puppeteer
 */
export function launch(name, { flags = [], ...more } = {}) {
  const { executable, options } = kinds[name];
  const executablePath = executable();
  if (!executablePath) {
    throw new Error(
      `${name} was not found on PATH: install it or set ROPEWALK_${name.toUpperCase()}`,
    );
  }
  const args = [...(options.args ?? []), ...flags];
  const all = { ...options, ...limits, ...more, args, executablePath, headless: true };
  return puppeteer.launch(all);
}

/** The port of browsers that run already (tools/test/shared_browsers.mjs). */
const port = Number(process.env.ROPEWALK_BROWSER_PORT);

/** A browser for a file of tests: one of those that run already, in a profile of its own, or a new one. */
export async function browserFor(name) {
  if (!port) return launch(name);
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(name);
  const [browserWSEndpoint] = await once(socket, 'data');
  const protocol = name === 'firefox' ? 'webDriverBiDi' : 'cdp';
  const browser = await puppeteer.connect({ ...limits, browserWSEndpoint, protocol });
  const context = await browser.createBrowserContext();
  return {
    newPage: () => context.newPage(),
    async close() {
      await context.close();
      await browser.disconnect();
      socket.end('done');
    },
  };
}

/** A tab that waits as long as `patience` says, for a page as for what is on it. */
export async function newTab(browser) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(patience);
  return tab;
}

function onPath(...names) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}
