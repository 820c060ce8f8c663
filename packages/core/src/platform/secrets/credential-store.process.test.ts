import { spawn } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialStore } from './credential-store.js';

describe('CredentialStore', () => {
  let dir: { path: string; cleanup: () => void };
  let path: string;
  beforeEach(() => {
    dir = tempDir();
    path = join(dir.path, '.gemini', 'gemini-credentials.json');
  });
  afterEach(() => dir.cleanup());

  it('loses nothing when several processes write at once', async () => {
    await new CredentialStore(path).set('s', 'first', '1');
    chmodSync(path, 0o644);
    await Promise.all(['a', 'b', 'c'].map((name) => writeInProcess(path, name, 5)));
    const store = new CredentialStore(path);
    const names = ['a', 'b', 'c'].flatMap((name) => [0, 1, 2, 3, 4].map((n) => `${name}${n}`));
    expect(await Promise.all(names.map((name) => store.get('s', name)))).toEqual(names);
    expect(await store.get('s', 'first')).toBe('1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }, 20_000);
});

function writeInProcess(path: string, name: string, count: number): Promise<void> {
  const source = `
    import { CredentialStore } from ${JSON.stringify(new URL('./credential-store.ts', import.meta.url).href)};
    const store = new CredentialStore(${JSON.stringify(path)});
    for (let n = 0; n < ${count}; n++) await store.set('s', '${name}' + n, '${name}' + n);
  `;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
  });
}
