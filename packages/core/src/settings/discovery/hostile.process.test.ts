import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { foreignFolder } from './folder.test-helper.js';

let place: ReturnType<typeof foreignFolder>;
beforeEach(() => {
  place = foreignFolder();
});
const put = (path: string, content: string | Uint8Array | object) => place.put(path, content);
const discover = (home?: string) => place.discover(home);

describe('a hostile folder', () => {
  it('has its FIFOs, devices, directories and huge files reported and never opened', async () => {
    mkdirSync(join(place.folder, '.gemini/commands/dir.toml'), { recursive: true });
    mkdirSync(join(place.folder, '.gemini/settings.json'));
    mkdirSync(join(place.folder, '.gemini/policies'));
    execFileSync('mkfifo', [
      join(place.folder, '.gemini/commands/fifo.toml'),
      join(place.folder, '.env'),
      join(place.folder, 'GEMINI.md'),
    ]);
    symlinkSync('/dev/zero', join(place.folder, '.gemini/commands/zero.toml'));
    put('.gemini/policies/huge.toml', 'x');
    truncateSync(join(place.folder, '.gemini/policies/huge.toml'), 1024 ** 3);
    put('.gemini/agents', 'a file');
    const { discoveryErrors, securityWarnings, contextFiles } = await discover();
    expect(discoveryErrors).toEqual([
      '.gemini/settings.json: is a directory, not a file',
      '.gemini/commands/fifo.toml: is not a regular file',
      '.gemini/agents: is not a directory',
      '.gemini/policies/huge.toml: is too large to be checked',
      '.env: is not a regular file',
    ]);
    expect(securityWarnings).toEqual([
      expect.stringContaining('zero.toml is a link that leads out'),
      '.gemini/policies/huge.toml is too large to be checked: what it would do is not known.',
    ]);
    expect(contextFiles).toEqual([]);
  });
});
