/** Opens an address in the user's browser. */
import type { Variables } from '../environment.js';

/** None of them reads the address as a command: `cmd /c start` would, from the first `&` on. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** An opener that has not failed by then runs as long as the browser does. */
const FAILS_WITHIN_MS = 2_000;

/** @returns false: there is no browser, or the user would not see it */
export async function openInBrowser(url: string, env: Variables): Promise<boolean> {
  if (!/^https?:\/\//.test(url) || env['NO_BROWSER'] || env['SSH_CONNECTION']) return false;
  const hasDesktop = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY'];
  if (!hasDesktop) return false;
  const [file = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  // Not at the top of the file: every start reads this one and would pay a millisecond for it.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(file, [...args, url], { stdio: 'ignore', detached: true });
    const settle = (isOpen: boolean) => {
      clearTimeout(timer);
      child.unref();
      resolve(isOpen);
    };
    const timer = setTimeout(() => settle(true), FAILS_WITHIN_MS);
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
  });
}
