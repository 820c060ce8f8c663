import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../base/sha256.js';
import { environmentOf } from '../../../platform/environment.js';
import type { AgentSource } from '../../types.js';
import { SecretValues } from './secret-values.js';

const never = new AbortController().signal;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync('/tmp/secret-values-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function valuesOf(source: AgentSource | undefined, { secrets = [] as string[], timeoutMs = 20_000 } = {}) {
  const environment = environmentOf({ HOME: folder, PATH: '/usr/bin:/bin', NAME: 'v' }, folder);
  return new SecretValues({ source, environment, timeoutMs, onSecret: (secret) => secrets.push(secret) });
}

describe('a value from a command', () => {
  it('is what it prints, without blanks around it, and becomes a known secret', async () => {
    const secrets: string[] = [];
    const values = valuesOf({ kind: 'user' }, { secrets });
    expect(await values.resolve('key', '!printf "  token-$NAME \\n"; echo noise >&2', never)).toBe('token-v');
    expect(secrets).toEqual(['token-v']);
  });

  it.each([
    ['!true', 'printed nothing'],
    ['!echo half-a-secret; exit 3', 'ended with exit code 3'],
    ['!kill -9 $$', 'ended with SIGKILL'],
  ])('%s is an error that does not repeat the output', async (command, message) => {
    const failed = valuesOf({ kind: 'user' }).resolve('key', command, never);
    await expect(failed).rejects.toThrow(`auth.key: the command ${message}`);
    await expect(failed).rejects.not.toThrow('half-a-secret');
  });

  it('ends after the time limit, and when the user aborts', async () => {
    const late = valuesOf({ kind: 'user' }, { timeoutMs: 100 });
    await expect(late.resolve('key', '!sleep 60', never)).rejects.toThrow('did not end within 0.1 s');
    const abort = new AbortController();
    const running = valuesOf({ kind: 'user' }).resolve('key', '!sleep 60', abort.signal);
    abort.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('runs for a project only if the user acknowledged the text of its file', async () => {
    const file = join(folder, 'agent.md');
    const text = '---\nkind: remote\n---\n';
    writeFileSync(file, text);
    const project = (hash: string) => valuesOf({ kind: 'project', file, hash });
    expect(await project(sha256Hex(text)).resolve('key', '!echo ok', never)).toBe('ok');

    const refusal = 'a command may only come from an agent of your own';
    await expect(project('https://agent.example').resolve('key', '!echo ok', never)).rejects.toThrow(refusal);
    writeFileSync(file, `${text}changed`);
    await expect(project(sha256Hex(text)).resolve('key', '!echo ok', never)).rejects.toThrow(refusal);
    const extension = valuesOf({ kind: 'extension', file, extensionName: 'x' });
    await expect(extension.resolve('key', '!echo ok', never)).rejects.toThrow(refusal);
  });
});
