import { describe, expect, it } from 'vitest';
import type { BrowserAgentHost, BrowserAgentSettings } from './host.js';
import { browserStart } from './session-settings.js';

function start(
  settings: Partial<BrowserAgentSettings>,
  sandbox: BrowserAgentHost['sandbox'] = 'none',
  variables: Record<string, string> = { DISPLAY: ':0' },
) {
  const all = { sessionMode: 'persistent', headless: false, ...settings } as BrowserAgentSettings;
  const environment = { variables, cwd: '/work', home: '/home/me' };
  return browserStart({ settings: () => all, sandbox, globalDir: '/home/me/.gemini', environment });
}

describe('the start of the browser', () => {
  it('follows the settings', () => {
    expect(start({})).toMatchObject({
      mode: 'persistent',
      headless: false,
      profileDir: '/home/me/.gemini/cli-browser-profile',
    });
    expect(start({ profilePath: '~/p' }).profileDir).toBe('/home/me/p');
    expect(start({ profilePath: 'p' }).profileDir).toBe('/work/p');
    expect(start({ sessionMode: 'existing' }).endpoint).toEqual({ host: '127.0.0.1', port: 9222 });
  });

  it('has no window without a display, where windows need one', () => {
    expect(start({}, 'none', {}).headless).toBe(process.platform === 'linux');
    expect(start({}, 'none', { WAYLAND_DISPLAY: 'w' }).headless).toBe(false);
  });

  it('has no window and keeps nothing in a sandbox on this system', () => {
    expect(start({}, 'confined')).toMatchObject({ mode: 'isolated', headless: true });
  });

  it('uses a browser outside of a container, or none', () => {
    expect(start({ sessionMode: 'existing' }, 'container').endpoint.host).toBe('host.docker.internal');
    expect(() => start({}, 'container')).toThrow('Set agents.browser.sessionMode to "existing"');
  });
});
