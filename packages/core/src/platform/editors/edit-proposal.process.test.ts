import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenEditor, proposalEditor } from './edit-proposal.js';
import type { EditorFiles } from './editors.js';
import { startEditor } from './start-editor.test-helper.js';

let dir: ReturnType<typeof tempDir>;
const proposal = { filePath: '/project/my file;x.ts', originalContent: 'old\n', newContent: 'proposed\n' };
const signal = () => new AbortController().signal;
const leftOver = () => readdirSync(dir.path).filter((name) => name.startsWith('gemini-cli-tool-modify-'));

beforeEach(() => {
  dir = tempDir('edit-proposal-');
});
afterEach(() => {
  vi.unstubAllEnvs();
  dir.cleanup();
});

/** An editor that is this very script; the files are its arguments. */
const scripted =
  (script: string) =>
  ({ before, after }: EditorFiles) => ({
    name: 'scripted',
    file: process.execPath,
    args: ['-e', script, before, after],
    isTerminal: false,
  });
const edit = (script: string, open: OpenEditor = startEditor) =>
  proposalEditor({ start: scripted(script), open, now: () => 1234, temporary: dir.path });

describe('editing a proposal', () => {
  it('gives the editor two private files and returns what it saved', async () => {
    const seen: unknown[] = [];
    const open: OpenEditor = (command, abort) => {
      const [before = '', after = ''] = command.args.slice(-2);
      for (const path of [before, after])
        seen.push(basename(path), statSync(path).mode & 0o777, readFileSync(path, 'utf8'));
      seen.push(statSync(dirname(after)).mode & 0o777);
      return startEditor(command, abort);
    };
    const content = await edit('fs.writeFileSync(process.argv[2], "mine")', open)(proposal, signal());
    expect(content).toBe('mine');
    expect(seen).toEqual([
      ...['gemini-cli-modify-my_file_x-old-1234.ts', 0o600, 'old\n'],
      ...['gemini-cli-modify-my_file_x-new-1234.ts', 0o600, 'proposed\n'],
      0o700,
    ]);
    expect(leftOver()).toEqual([]);
  });

  it('reads the file even if the editor replaced it', async () => {
    const script =
      'fs.writeFileSync(process.argv[2] + "~", "new inode"); fs.renameSync(process.argv[2] + "~", process.argv[2])';
    expect(await edit(script)({ ...proposal, originalContent: null }, signal())).toBe('new inode');
  });

  it.each([
    ['ends with a failure', 'process.exit(3)', 'The editor scripted failed: it ended with exit code 3'],
    ['removes the file', 'fs.rmSync(process.argv[2])', 'not found'],
    ['saves no text', 'fs.writeFileSync(process.argv[2], Buffer.from([255, 254, 0]))', 'another encoding'],
  ])('reports that the editor %s, and leaves nothing behind', async (_what, script, message) => {
    await expect(edit(script)(proposal, signal())).rejects.toThrow(new RegExp(message, 'i'));
    expect(leftOver()).toEqual([]);
  });

  it('reports that the editor cannot be started', async () => {
    const start = () => ({ name: 'ghost', file: join(dir.path, 'ghost'), args: [], isTerminal: false });
    const failed = proposalEditor({ start, open: startEditor, now: () => 1, temporary: dir.path })(
      proposal,
      signal(),
    );
    await expect(failed).rejects.toThrow(/The editor ghost failed: .*ENOENT/);
  });

  it('ends the editor when the request is cancelled', async () => {
    const controller = new AbortController();
    const open: OpenEditor = (command, abort) => {
      const running = startEditor(command, abort);
      controller.abort();
      return running;
    };
    const script = 'setInterval(() => {}, 1000)';
    await expect(edit(script, open)(proposal, controller.signal)).rejects.toThrow();
    expect(leftOver()).toEqual([]);
  });

  it('does not change the user’s own files', async () => {
    const own = join(dir.path, 'own.ts');
    writeFileSync(own, 'old\n');
    await edit('fs.writeFileSync(process.argv[2], "mine")')({ ...proposal, filePath: own }, signal());
    expect(readFileSync(own, 'utf8')).toBe('old\n');
  });
});
