import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openInBrowser } from './open-browser.js';

/** The program that opens addresses, as a script. */
function opener(script: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-browser-'));
  const file = join(folder, 'xdg-open');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
}

describe.runIf(process.platform === 'linux')('openInBrowser', () => {
  it('says that no browser opened when the opener ends with an error', async () => {
    opener('exit 4');
    expect(await openInBrowser('https://a.example/', { DISPLAY: ':0' })).toBe(false);
  });

  it('says that a browser opened when the opener ends well', async () => {
    opener('exit 0');
    expect(await openInBrowser('https://a.example/', { DISPLAY: ':0' })).toBe(true);
  });

  it('does not wait for an opener that runs as long as the browser', async () => {
    opener(`while kill -0 ${process.pid} && [ -e "$0" ]; do sleep 0.1; done`);
    expect(await openInBrowser('https://a.example/', { DISPLAY: ':0' })).toBe(true);
  });

  it('opens nothing but addresses of the web, and nothing without a desktop', async () => {
    opener('exit 0');
    expect(await openInBrowser('file:///etc/passwd', { DISPLAY: ':0' })).toBe(false);
    expect(await openInBrowser('https://a.example/', {})).toBe(false);
  });
});
