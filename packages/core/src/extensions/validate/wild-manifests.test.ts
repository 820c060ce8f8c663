import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../extension-folders.test-helper.js';
import { loadExtensions } from '../load/load-extensions.js';
import { readManifest } from '../manifest/read-manifest.js';
import { validateExtension } from './validate-extension.js';
import { ACCEPTED, REFUSED, type WildManifest } from './wild-manifests.test-helper.js';
import { ODD_FILES, ODD_VALUES } from './wild-values.test-helper.js';

function folderOf({ text, files = {} }: WildManifest) {
  const manifest = { 'gemini-extension.json': text, ...files };
  const inside = Object.entries(manifest).map(([path, content]) => [join('extensions/wild', path), content]);
  const globalDir = folderWith(Object.fromEntries(inside));
  const dir = join(globalDir, 'extensions/wild');
  const load = () =>
    loadExtensions({
      globalDir,
      home: globalDir,
      workspacePath: globalDir,
      isTrusted: true,
      variables: {},
      settings: {},
    });
  return { dir, load };
}

describe('a manifest in the shape of public ones', () => {
  it.each([...ACCEPTED, ...ODD_VALUES, ...ODD_FILES])(
    'is accepted as 0.61 accepts it: $shape',
    async (wild) => {
      const { dir, load } = folderOf(wild);
      const { manifest } = readManifest(dir, { workspacePath: dir });
      expect(manifest).toMatchObject(wild.read ?? {});
      expect(load().extensions).toHaveLength(1);
      const problems = await validateExtension(dir);
      const errors = problems.filter(({ level }) => level === 'error').map(({ message }) => message);
      if (wild.isError) expect(errors).not.toEqual([]);
      else expect(errors).toEqual([]);
      const messages = problems.map(({ message }) => message).join('\n');
      if (wild.names) expect(messages).toMatch(wild.names);
      if (wild.never) expect(messages).not.toMatch(wild.never);
      expect(JSON.stringify(manifest?.mcpServers ?? {})).not.toContain('"trust"');
    },
  );

  it.each(REFUSED)('is refused with its reason, and harms no start: $shape', async (wild) => {
    const { dir, load } = folderOf(wild);
    expect(load().extensions).toEqual([]);
    const errors = (await validateExtension(dir)).filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message).join('\n')).toMatch(wild.names ?? /./);
  });
});
