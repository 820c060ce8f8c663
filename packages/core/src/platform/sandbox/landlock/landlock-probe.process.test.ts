/** Checks that the Landlock test can fail: without containment its script does everything that must be blocked. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { shellQuote } from '../../../base/shell-words.js';
import { findProgram } from '../../process/find-program.js';
import { probeScript } from './landlock-container.js';

const perl = findProgram('perl', undefined);
const hasSockets = () => {
  if (!perl) return false;
  try {
    execFileSync(perl, ['-MSocket', '-e', '1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

it('the Landlock test command writes, reads the secret and reaches the port when it is not contained', async ({
  skip,
}) => {
  skip(process.platform !== 'linux' || !hasSockets(), 'there is no perl with sockets');
  const temp = tempDir('gemini probe-');
  onTestFinished(() => temp.cleanup());
  const base = join(temp.path, "it's");
  mkdirSync(base);
  const [canary, secret] = [join(base, 'canary'), join(base, 'secret')];
  writeFileSync(canary, 'untouched');
  writeFileSync(secret, 'a secret');
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const reached = once(server, 'connection');
  const script = probeScript(perl ?? '', { canary: shellQuote(canary), secret: shellQuote(secret), port });
  const shell = spawn('/bin/sh', ['-c', script]);
  let output = '';
  shell.stdout.on('data', (data) => {
    output += String(data);
  });
  await Promise.all([reached, once(shell, 'close')]);
  expect(output).toContain('a secret');
  expect(existsSync(`${canary}.new`)).toBe(true);
  execFileSync('chmod', ['600', canary]);
  expect(readFileSync(canary, 'utf8')).toBe('broken\n');
});
