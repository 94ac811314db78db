/** WebKitGTK's MiniBrowser on a virtual display, driven over WebDriver. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../../tools/setup/failure.mjs';
import { fromHome } from './home.mjs';
import { freePort } from './ports.mjs';

const environment = (home) => ({
  ...process.env,
  HOME: home,
  XDG_RUNTIME_DIR: home,
  LC_ALL: 'C.UTF-8',
  GSETTINGS_BACKEND: 'memory',
  NO_AT_BRIDGE: '1',
  NO_PROXY: '*',
});

/** The display's number, which it chooses itself and writes on descriptor 3. */
async function startDisplay([command, ...args], env) {
  const options = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const child = spawn(command, [...args, ...options], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env,
  });
  const ended = once(child, 'close').then(() => {
    throw new Failure('Xvfb ended before it had a display.');
  });
  ended.catch(() => {});
  const [number] = await Promise.race([once(child.stdio[3], 'data'), ended]);
  return { child, env: { ...env, DISPLAY: `:${String(number).trim()}` } };
}

/** The driver's address, as soon as it answers there. */
async function startDriver([command, ...args], env) {
  const port = await freePort();
  const child = spawn(command, [...args, `--port=${port}`], { stdio: 'ignore', env });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const answer = await fetch(`${url}/status`).catch(() => undefined);
    if (answer?.ok) return { child, url };
    await wait(50);
  }
  child.kill();
  throw new Failure("WebKitGTK's driver does not answer.");
}

/** From what set-up found: { driver, version, close }, a session and the engine's version. */
export async function launchWebKit(commands) {
  if (commands.missing) throw new Failure(commands.missing);
  const { Builder } = fromHome('selenium-webdriver');
  const home = await mkdtemp(path.join(tmpdir(), 'ropewalk-webkit-'));
  const closing = [() => rm(home, { recursive: true, force: true })];
  const close = async () => {
    for (const end of closing.reverse()) await end();
  };
  const end = (child) => async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'close');
  };
  try {
    const display = await startDisplay(commands.display, environment(home));
    closing.push(end(display.child));
    const server = await startDriver(commands.driver, display.env);
    closing.push(end(server.child));
    const options = { 'webkitgtk:browserOptions': { args: ['--automation'] } };
    const driver = await new Builder()
      .usingServer(server.url)
      .withCapabilities({ browserName: 'MiniBrowser', ...options })
      .build();
    closing.push(() => driver.quit());
    await driver.manage().setTimeouts({ script: 60_000 });
    const version = (await driver.getCapabilities()).get('browserVersion');
    return { driver, version: `WebKitGTK ${version}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}
