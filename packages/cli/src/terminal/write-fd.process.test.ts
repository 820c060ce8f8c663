import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isReaderGone, writeFully } from './write-fd.js';

const directory = mkdtempSync(join(tmpdir(), 'gemini-write-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('writeFully', () => {
  it('waits for a slow reader of a non-blocking pipe and loses nothing', async () => {
    const text = `${'0123456789ä'.repeat(40_000)}\n`;
    const fifo = join(directory, 'fifo');
    const copy = join(directory, 'copy');
    const line = 'mkfifo "$1"; exec 3<>"$1"; echo ready; sleep 0.1; head -c "$3" <&3 > "$2"';
    const args = ['-c', line, 'bash', fifo, copy, String(Buffer.byteLength(text))];
    const reader = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = new Promise((done) => reader.on('close', done));
    await new Promise((done) => reader.stdout.once('data', done));
    const fd = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    writeFully(fd, text);
    closeSync(fd);
    await closed;
    expect(readFileSync(copy, 'utf8')).toBe(text);
  });
});

describe('isReaderGone', () => {
  it('is true for closed pipes and reset sockets, and false for other failures', () => {
    const failed = (code: string) => Object.assign(new Error('write failed'), { code });
    expect(['EPIPE', 'ECONNRESET', 'ENOSPC'].map((code) => isReaderGone(failed(code)))).toEqual([
      true,
      true,
      false,
    ]);
    expect([isReaderGone(new Error('EPIPE')), isReaderGone({ code: 'EPIPE' })]).toEqual([false, false]);
  });
});
