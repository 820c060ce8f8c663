/** Starts the system's browser, or connects to a running one. The browser ends with this process: it listens on a pipe. */
import { lookup } from 'node:dns/promises';
import { mkdirSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { messageOf, UserError } from '../../base/errors.js';
import { type Environment, ownVariables } from '../../platform/environment.js';
import { isRunning } from '../../platform/process/process-tree.js';
import { AllowedDomains } from './allowed-domains.js';
import { findBrowser } from './find-browser.js';
import type { BrowserStart } from './session-settings.js';

const START_TIMEOUT_MS = 60_000;
/** What a browser needs of the environment; keys and tokens stay here. */
const PASSED_ON =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TMP|TEMP|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|(HTTPS?|NO|ALL)_PROXY|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAM.*|SYSTEMROOT|WINDIR|COMSPEC)$/i;

export interface OpenBrowser {
  context: BrowserContext;
  /** True: it was running before and stays open. */
  isForeign: boolean;
  close(): Promise<void>;
}

/** @throws UserError with what to do */
export async function openBrowser(
  start: BrowserStart,
  allowedDomains: readonly string[],
  environment: Environment,
): Promise<OpenBrowser> {
  const { chromium } = await import('playwright-core');
  if (start.mode === 'existing') return connect(chromium, start);
  // Not from the project's .env file: it must not choose the browser.
  const variables = ownVariables(environment);
  const executablePath = findBrowser({ variables, home: environment.home });
  const profile = start.mode === 'persistent' ? freeProfile(start.profileDir) : '';
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: start.headless,
      args: browserArguments(new AllowedDomains(allowedDomains)),
      // Chrome refuses to run with its sandbox as root.
      chromiumSandbox: process.getuid?.() !== 0,
      env: Object.fromEntries(
        Object.entries(variables).filter(([name, value]) => PASSED_ON.test(name) && value !== undefined),
      ) as Record<string, string>,
      acceptDownloads: false,
      viewport: start.headless ? { width: 1280, height: 800 } : null,
      // Signals are ours; the browser ends when its pipe closes.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS,
    });
    return { context, isForeign: false, close: () => context.close() };
  } catch (error) {
    throw new UserError(`The browser ${executablePath} did not start: ${firstLine(error)}${hint(start)}`, {
      cause: error,
    });
  }
}

/** The browser's own rules hold for all that it requests, also where the library sees nothing. */
export function browserArguments(domains: AllowedDomains): string[] {
  const rules = domains.hostRules();
  return [
    '--disable-dev-shm-usage',
    // Twice: requests through a proxy do not use the resolver.
    ...(rules === undefined ? [] : [`--host-rules=${rules}`, `--host-resolver-rules=${rules}`]),
  ];
}

async function connect(
  chromium: typeof import('playwright-core').chromium,
  { endpoint: { host, port } }: BrowserStart,
): Promise<OpenBrowser> {
  try {
    // Chrome answers requests to an IP address or localhost only.
    const { address } = await lookup(host, { family: 4 });
    const browser = await chromium.connectOverCDP(`http://${address}:${port}`, { timeout: START_TIMEOUT_MS });
    const [context] = browser.contexts();
    if (!context) throw new UserError('The browser has no open profile.');
    return { context, isForeign: true, close: () => browser.close() };
  } catch (error) {
    throw new UserError(
      `No browser answers on ${host}:${port}. Start Chrome with --remote-debugging-port=${port} and a --user-data-dir of its own, or set agents.browser.sessionMode to "persistent". (${firstLine(error)})`,
      { cause: error },
    );
  }
}

/** Makes the folder. @throws UserError where another browser uses it */
function freeProfile(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holder = lockHolder(folder);
  if (holder !== undefined)
    throw new UserError(
      `The browser profile ${folder} is in use (process ${holder}). Close that browser, or set agents.browser.sessionMode to "isolated".`,
    );
  return folder;
}

/** Chrome's lock is a link to `host-pid`; it removes a stale one itself. */
function lockHolder(folder: string): number | undefined {
  let target: string;
  try {
    target = readlinkSync(join(folder, 'SingletonLock'));
  } catch {
    return undefined;
  }
  const at = target.lastIndexOf('-');
  const pid = Number(target.slice(at + 1));
  const isHere = target.slice(0, at) === hostname();
  return Number.isInteger(pid) && pid > 0 && (!isHere || isRunning(pid)) ? pid : undefined;
}

function hint({ mode, headless }: BrowserStart): string {
  if (!headless) return ' Without a display, set agents.browser.headless to true.';
  return mode === 'persistent'
    ? ' If another browser uses the profile, close it or set agents.browser.sessionMode to "isolated".'
    : '';
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
