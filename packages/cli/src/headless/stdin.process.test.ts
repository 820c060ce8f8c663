import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode, STDIN_LIMIT } from './stdin.js';

const directory = mkdtempSync(join(tmpdir(), 'gemini-stdin-'));
const program = join(directory, 'read.mjs');

/** The real reader in a real process: reports what it got and how long it waited. */
beforeAll(async () => {
  await build({
    stdin: {
      contents: `
        import { readStdin } from './stdin.js';
        import { stdinKind } from '../terminal/descriptors.js';
        const start = Date.now();
        const kind = stdinKind();
        const { text, truncated } = await readStdin(kind);
        console.log(JSON.stringify({ kind, text: text.slice(0, 20), length: text.length, truncated, ms: Date.now() - start }));
      `,
      resolveDir: resolve(import.meta.dirname),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Reading {
  kind: string;
  text: string;
  length: number;
  truncated: boolean;
  ms: number;
}

/** Runs a shell line in which `$READ` is the reader. */
function read(line: string): Promise<Reading> {
  const child = spawn('bash', ['-c', line], {
    env: { ...process.env, READ: `${process.execPath} ${program}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((done) => child.on('close', () => done(JSON.parse(output))));
}

describe('readStdin', () => {
  it('reads a file to its end', async () => {
    writeFileSync(join(directory, 'in.txt'), 'hällo\n');
    expect(await read(`$READ < ${directory}/in.txt`)).toMatchObject({
      kind: 'file',
      text: 'hällo\n',
      truncated: false,
    });
  });

  it('does not wait for /dev/null or a closed stdin', async () => {
    for (const source of ['</dev/null', '<&-']) {
      const reading = await read(`$READ ${source}`);
      expect(reading).toMatchObject({ text: '', length: 0 });
      expect(reading.kind).not.toBe('stream');
    }
  });

  it('reads a slow pipe to its end', async () => {
    expect(await read('(echo a; sleep 0.7; echo b) | $READ')).toMatchObject({
      kind: 'stream',
      text: 'a\nb\n',
    });
  });

  it('does not wait long for a pipe without data', async () => {
    const reading = await read(
      `mkfifo ${directory}/open; exec 3<>${directory}/open; $READ < ${directory}/open`,
    );
    expect(reading).toMatchObject({ kind: 'stream', text: '' });
    expect(reading.ms).toBeGreaterThanOrEqual(490);
  });

  it('reads a socket, which Node uses for child processes', async () => {
    const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end('from a parent');
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    expect(JSON.parse(output)).toMatchObject({ kind: 'stream', text: 'from a parent' });
  });

  it('stops at the limit, also for an endless pipe', async () => {
    expect(await read('yes | $READ')).toMatchObject({ length: STDIN_LIMIT, truncated: true });
    expect(await read('$READ < /dev/zero')).toMatchObject({ length: STDIN_LIMIT, truncated: true });
  });
});

describe('decode', () => {
  it('never cuts a character in half', () => {
    for (const character of ['é', '漢', '😀']) {
      const width = Buffer.byteLength(character);
      for (let shift = 1; shift < width; shift++) {
        const bytes = Buffer.from('a'.repeat(STDIN_LIMIT - shift) + character.repeat(2));
        const { text, truncated } = decode([bytes], bytes.length);
        expect(truncated).toBe(true);
        expect(text.length).toBe(STDIN_LIMIT - shift);
      }
    }
    const fits = Buffer.from(`${'a'.repeat(STDIN_LIMIT - 2)}é`);
    expect(decode([fits], fits.length)).toEqual({ text: fits.toString(), truncated: false });
  });
});
