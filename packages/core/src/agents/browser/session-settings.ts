/** How a browser is started: the settings, as far as sandbox and machine allow them. */
import { isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../../base/errors.js';
import type { BrowserAgentHost } from './host.js';

export interface BrowserStart {
  mode: 'persistent' | 'isolated' | 'existing';
  headless: boolean;
  /** Of mode `persistent`. */
  profileDir: string;
  /** Of mode `existing`: where the running browser listens. */
  endpoint: { host: string; port: number };
}

const DEBUGGING_PORT = 9222;

/** The profile that is kept; the consent of the user lies here, too. */
export function defaultProfileDir(globalDir: string): string {
  return join(globalDir, 'cli-browser-profile');
}

/** @throws UserError where the sandbox leaves no way */
export function browserStart(
  host: Pick<BrowserAgentHost, 'settings' | 'sandbox' | 'globalDir' | 'environment'>,
): BrowserStart {
  const { sessionMode, headless, profilePath } = host.settings();
  const { variables, home, cwd } = host.environment;
  const isConfined = host.sandbox === 'confined';
  if (host.sandbox === 'container' && sessionMode !== 'existing')
    throw new UserError(
      'In a container sandbox the browser agent can only use a browser outside of it. Set agents.browser.sessionMode to "existing" and start Chrome with --remote-debugging-port=9222.',
    );
  return {
    mode: isConfined ? 'isolated' : sessionMode,
    headless: headless || isConfined || !hasScreen(variables),
    profileDir: profilePath ? absolute(profilePath, home, cwd) : defaultProfileDir(host.globalDir),
    endpoint: {
      host: host.sandbox === 'container' ? 'host.docker.internal' : '127.0.0.1',
      port: DEBUGGING_PORT,
    },
  };
}

/** Whether screenshots can be analysed: a model is named, and the sign-in can reach it. */
export function isVisual(host: Pick<BrowserAgentHost, 'settings' | 'look'>): boolean {
  return Boolean(host.settings().visualModel) && host.look !== undefined;
}

/** A window needs a display; without one the browser would not start. */
function hasScreen(variables: Readonly<Record<string, string | undefined>>): boolean {
  return process.platform !== 'linux' || Boolean(variables['DISPLAY'] || variables['WAYLAND_DISPLAY']);
}

function absolute(path: string, home: string, cwd: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(cwd, path);
}
