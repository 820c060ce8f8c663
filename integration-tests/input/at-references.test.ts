import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testRig, text, userText } from '../test-utils.js';

async function send(rig: Awaited<ReturnType<typeof testRig>>, prompt: string) {
  rig.model.replies([text('ok')]);
  const run = await rig.cli('-p', prompt);
  expect(run.exitCode, run.stderr).toBe(0);
  return { run, sent: userText(rig, rig.model.requests.length - 1) };
}

describe('@path in a prompt', () => {
  it('adds the file after the prompt', async () => {
    const rig = await testRig({ files: { 'src/a.txt': 'line one\nline two\n' } });
    const { sent } = await send(rig, 'explain @src/a.txt please');
    expect(sent).toContain('explain @src/a.txt please');
    const [, block = ''] = sent.split('--- Content from referenced files ---');
    expect(block).toMatch(/Content from @src\/a\.txt:\s+line one\nline two\s+--- End of content ---/);
  });

  it('reads a directory with everything below, without the default excludes', async () => {
    const rig = await testRig({
      files: {
        'docs/one.md': 'ONE',
        'docs/deep/two.md': 'TWO',
        'docs/node_modules/x.js': 'THREE',
        'docs/.env': 'FOUR',
      },
    });
    const { sent } = await send(rig, 'look at @docs');
    expect(sent).toContain('@docs/**');
    expect(sent).toContain('ONE');
    expect(sent).toContain('TWO');
    expect(sent).not.toContain('THREE');
    expect(sent).not.toContain('FOUR');
  });

  it.each([
    ['an escaped blank', 'see @My\\ Docs/a.txt now'],
    ['quotes', 'see @"My Docs/a.txt" now'],
  ])('understands %s', async (_what, prompt) => {
    const rig = await testRig({ files: { 'My Docs/a.txt': 'inside' } });
    expect((await send(rig, prompt)).sent).toMatch(/Content from @.*My.*Docs\/a\.txt.*:\s+inside/);
  });

  it.each([
    ['a mail address', 'write to me@host.com'],
    ['an escaped sign', 'a \\@a.txt b'],
    ['a lone sign', 'a @ b'],
    ['a name that does not exist', 'ask @nobody-here about it'],
  ])('leaves %s alone', async (_what, prompt) => {
    const rig = await testRig({ files: { 'a.txt': 'inside', 'host.com': 'inside' } });
    const { sent } = await send(rig, prompt);
    expect(sent).toContain(prompt.replace('\\@', '@'));
    expect(sent).not.toContain('inside');
  });

  it('ends at punctuation', async () => {
    const rig = await testRig({ files: { 'a.txt': 'inside A', 'b.txt': 'inside B' } });
    const { sent } = await send(rig, 'compare (@a.txt, @b.txt).');
    expect(sent).toContain('inside A');
    expect(sent).toContain('inside B');
  });

  it('is searched in other folders', async () => {
    const rig = await testRig({ files: { 'deep/down/special-name.txt': 'found it' } });
    expect((await send(rig, 'open @special-name')).sent).toContain('found it');
  });

  it('skips ignored files and tells the user', async () => {
    const rig = await testRig({ files: { '.geminiignore': 'secret.txt\n', 'secret.txt': 'hidden words' } });
    const { run, sent } = await send(rig, 'read @secret.txt');
    expect(sent).not.toContain('hidden words');
    expect(run.stderr).toMatch(/secret\.txt/);
  });

  it('attaches an image named explicitly, and skips other binaries with a note', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    const rig = await testRig({ files: { 'pixel.png': png, 'x.dat': Buffer.from([0, 1, 2, 0, 255]) } });
    const { run, sent } = await send(rig, 'what is in @pixel.png and @x.dat');
    const parts = rig.model.requests[0]?.body.contents.at(-1)?.parts ?? [];
    expect(parts.find((part) => part.inlineData)?.inlineData).toEqual({
      mimeType: 'image/png',
      data: png.toString('base64'),
    });
    expect(`${run.stderr}${sent}`).toMatch(/x\.dat.*binary|binary.*x\.dat/i);
  });

  it('says what it cuts', async () => {
    const rig = await testRig({
      files: { 'long.txt': Array.from({ length: 3000 }, (_, line) => `row ${line}`).join('\n') },
    });
    const { sent } = await send(rig, '@long.txt');
    expect(sent).toContain('row 1999');
    expect(sent).not.toContain('row 2000');
    expect(sent).toMatch(/truncated|2000/i);
  });
});

describe('@path that must not or cannot be read', () => {
  it('refuses a link that leaves the workspace', async () => {
    const rig = await testRig();
    symlinkSync('/etc/passwd', rig.path('innocent.txt'));
    const run = await rig.cli('-p', 'read @innocent.txt');
    expect(run.exitCode).toBe(42);
    expect(run.stderr).toContain('innocent.txt');
    expect(rig.model.requests).toHaveLength(0);
  });

  it('names a file that cannot be read: a pipe, in bounded time', async () => {
    const rig = await testRig();
    execFileSync('mkfifo', [rig.path('pipe.txt')]);
    const run = await rig.cli('-p', 'read @pipe.txt', { timeoutMs: 10_000 });
    expect(run.exitCode).toBe(42);
    expect(run.stderr).toContain('pipe.txt');
  });

  it('does not read a file over 20 MB', async () => {
    const rig = await testRig();
    rig.writeSparse('big.txt', 21 * 2 ** 20);
    rig.model.otherwise(() => [text('ok')]);
    const run = await rig.cli('-p', 'read @big.txt', { timeoutMs: 10_000 });
    expect(`${run.stderr} ${userText(rig)}`).toMatch(/big\.txt.*(20|large)/is);
  });
});
