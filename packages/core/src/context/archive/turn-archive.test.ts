import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import { call, chatter, prompt, result, said } from '../manager.test-helper.js';
import { CompressionLevels, TurnArchive } from './turn-archive.js';
import { TurnStore } from './turn-store.js';

let dir: ReturnType<typeof tempDir>;
beforeEach(() => {
  dir = tempDir('turns-');
});
afterEach(() => dir.cleanup());

const archiveIn = (directory: string) =>
  new TurnArchive(
    new TurnStore({
      outputDirectory: () => directory,
      redactForDisk: (text) => text.replaceAll('hunter2', '[secret]'),
    }),
  );

describe('an archived turn', () => {
  const signed: Message = {
    role: 'model',
    origin: 'model',
    parts: [
      { text: 'log in with "hunter2"', thoughtSignature: 'hunter2' },
      { inlineData: { mimeType: 'image/png', data: 'hunter2' } },
    ],
  };

  it('is stored on disk without secrets and recalled unchanged', () => {
    const archive = archiveIn(join(dir.path, 'out'));
    archive.addHistory([prompt('ä 漢字'), call('c1'), result('c1', 'one\ntwo'), signed]);
    const ids = archive.list().map(({ id }) => id);
    expect(ids.map((id) => archive.recall(id))).toEqual([
      prompt('ä 漢字'),
      call('c1'),
      result('c1', 'one\ntwo'),
      {
        ...signed,
        parts: [{ text: 'log in with "[secret]"', thoughtSignature: 'hunter2' }, signed.parts[1]],
      },
    ]);
    const file = join(dir.path, 'out/turns.jsonl');
    expect(readFileSync(file, 'utf8')).not.toContain('with "hunter2');
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('stays available when others are added', () => {
    const archive = archiveIn(dir.path);
    archive.addHistory([prompt('one')]);
    archive.addHistory([said('two')]);
    expect(archive.list().map(({ id }) => archive.recall(id))).toEqual([prompt('one'), said('two')]);
  });

  it('is found in the file by its id or the beginning of it, however old', () => {
    const archive = archiveIn(dir.path);
    archive.addHistory([prompt('the very first'), said('x'.repeat(3_000_000))]);
    const [first, second] = archive.list().map(({ id }) => id);
    for (let round = 0; round < 5; round++)
      archive.addHistory(Array.from({ length: 500 }, (_, n) => prompt(`prompt ${round} ${n}`)));
    expect(archive.list()).toHaveLength(2_000);
    expect(archive.list().some(({ id }) => id === first)).toBe(false);
    expect(archive.recall(first ?? '')).toEqual(prompt('the very first'));
    expect(archive.recall(first?.slice(0, 15) ?? '')).toEqual(prompt('the very first'));
    expect(archive.recall(second ?? '')?.parts[0]?.text).toHaveLength(3_000_000);
    expect(archive.recall('turn_0000000000')).toBeUndefined();
  });

  it('stays in memory if it cannot be written to disk', () => {
    writeFileSync(join(dir.path, 'file'), '');
    const archive = archiveIn(join(dir.path, 'file'));
    archive.addHistory([prompt('one')]);
    expect(archive.recall(archive.list()[0]?.id ?? '')).toEqual(prompt('one'));
  });

  it('is undefined if its file was damaged', () => {
    const archive = archiveIn(dir.path);
    archive.addHistory([prompt('one')]);
    writeFileSync(join(dir.path, 'turns.jsonl'), '{"role');
    expect(archive.recall(archive.list()[0]?.id ?? '')).toBeUndefined();
    expect(archive.list()).toHaveLength(1);
  });
});

it('CompressionLevels keeps only the latest compression of a recorded session in memory', () => {
  mkdirSync(join(dir.path, 'x'));
  const [first, second] = [chatter(3), chatter(4)];
  const summary: Message = { role: 'user', origin: 'summary', parts: [{ text: 'summary' }] };
  const recorded = new CompressionLevels(() => true);
  recorded.push(first, [summary]);
  recorded.push([summary, ...second], [summary]);
  expect(recorded.undo([summary])).toEqual([summary, ...second]);
  expect(recorded.undo([summary, ...second])).toBeUndefined();
});
