/** The file tools against a folder that is swapped for a link between every check and the use that follows. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EditTool } from './edit/edit.js';
import { LSTool } from './list-directory/list-directory.js';
import { ReadFileTool } from './read-file/read-file.js';
import type { ToolResult } from './tools.js';
import { WriteFileTool } from './write-file/write-file.js';

let dir: ReturnType<typeof tempDir>;
const at = (...names: string[]) => join(dir.path, ...names);

beforeEach(() => {
  dir = tempDir('path-swaps-');
  mkdirSync(at('work', 'folder'), { recursive: true });
  mkdirSync(at('outside'));
  writeFileSync(at('work', 'folder', 'file'), 'inside text\n');
  writeFileSync(at('outside', 'file'), 'inside text\nSECRET\n');
  writeFileSync(at('outside', 'hidden-name'), '');
});
afterEach(() => dir.cleanup());

/** Right after the n-th check has said yes, the folder leads outside. */
function hostThatSwapsAfter(count: number) {
  const host = makeHost(at('work'));
  let checks = 0;
  const validatePathAccess: typeof host.validatePathAccess = (path, access) => {
    const refusal = host.validatePathAccess(path, access);
    if (++checks === count) {
      renameSync(at('work', 'folder'), at('work', 'moved'));
      symlinkSync(at('outside'), at('work', 'folder'));
    }
    return refusal;
  };
  return { host: { ...host, validatePathAccess }, checks: () => checks };
}

type Host = ReturnType<typeof hostThatSwapsAfter>['host'];
const bus = makeBus();
const signal = () => new AbortController().signal;
const TOOLS: [string, (host: Host) => Promise<ToolResult>][] = [
  ['read_file', (host) => new ReadFileTool(host, bus).build({ file_path: 'folder/file' }).execute(signal())],
  ['list_directory', (host) => new LSTool(host, bus).build({ dir_path: 'folder' }).execute(signal())],
  [
    'write_file',
    (host) =>
      new WriteFileTool(host, bus).build({ file_path: 'folder/file', content: 'PLANTED' }).execute(signal()),
  ],
  [
    'write_file of a new file',
    (host) =>
      new WriteFileTool(host, bus)
        .build({ file_path: 'folder/a/b/new', content: 'PLANTED' })
        .execute(signal()),
  ],
  [
    'replace',
    (host) =>
      new EditTool(host, bus)
        .build({ file_path: 'folder/file', old_string: 'inside text', new_string: 'PLANTED' })
        .execute(signal()),
  ],
];

describe.skipIf(process.platform !== 'linux')('a folder swapped for a link after a check', () => {
  it.each(TOOLS)('does not lead %s out of the workspace', async (_name, run) => {
    const calm = hostThatSwapsAfter(0);
    await run(calm.host);
    const total = calm.checks();
    expect(total).toBeGreaterThan(1);
    for (let count = 1; count <= total; count++) {
      rmSync(at('work'), { recursive: true });
      mkdirSync(at('work', 'folder'), { recursive: true });
      writeFileSync(at('work', 'folder', 'file'), 'inside text\n');
      const result = await run(hostThatSwapsAfter(count).host).catch((error: Error) => error.message);
      expect(JSON.stringify(result)).not.toMatch(/SECRET|hidden-name/);
      expect(readFileSync(at('outside', 'file'), 'utf8')).toBe('inside text\nSECRET\n');
      expect(readdirSync(at('outside')).sort()).toEqual(['file', 'hidden-name']);
    }
  });
});
