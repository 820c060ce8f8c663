import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFiles, folderWith } from '../extension-folders.test-helper.js';
import { forget, isEnabled, readEnablement, setEnabled } from './enablement.js';

const FILE = join('extensions', 'extension-enablement.json');
const PLACES = { path: '/home/me/work', home: '/home/me' };

function rulesWith(overrides: unknown) {
  return readEnablement(folderWith({ [FILE]: { demo: { overrides } } }));
}

describe('enablement of extensions', () => {
  it('enables an extension without rules', () => {
    expect(isEnabled(readEnablement(folderWith()), 'demo', '/anywhere')).toBe(true);
  });

  it('lets the last rule that applies decide', () => {
    const rules = rulesWith(['!/home/me/*', '/home/me/work/*']);
    expect(isEnabled(rules, 'demo', '/home/me/work/src')).toBe(true);
    expect(isEnabled(rules, 'demo', '/home/me/other')).toBe(false);
    expect(isEnabled(rules, 'demo', '/elsewhere')).toBe(true);
  });

  it('ignores entries of a wrong type', () => {
    expect(isEnabled(rulesWith([5, null]), 'demo', '/home/me')).toBe(true);
    expect(isEnabled(rulesWith('!/home/me/*'), 'demo', '/home/me')).toBe(true);
  });

  it('writes rules for the user and for a workspace, and forgets them', async () => {
    const dir = folderWith();
    await setEnabled(dir, 'demo', { ...PLACES, enabled: false, scope: 'user' });
    await setEnabled(dir, 'demo', { ...PLACES, enabled: true, scope: 'workspace' });
    expect(JSON.parse(readFileSync(join(dir, FILE), 'utf8'))).toEqual({
      demo: { overrides: ['!/home/me/*', '/home/me/work/*'] },
    });
    await setEnabled(dir, 'demo', { ...PLACES, enabled: true, scope: 'user' });
    expect(readEnablement(dir).overrides.get('demo')).toEqual(['/home/me/*']);
    await forget(dir, 'demo');
    expect(readEnablement(dir).overrides.size).toBe(0);
  });

  it('keeps the rules of changes that happen at the same time', async () => {
    const dir = folderWith();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(
      names.map((name) => setEnabled(dir, name, { ...PLACES, enabled: false, scope: 'user' })),
    );
    expect([...readEnablement(dir).overrides.keys()].sort()).toEqual(names);
  });

  it.each(['{"demo": ', '[]', 'no json'])(
    'disables all extensions when the file is damaged: %s',
    async (text) => {
      const dir = folderWith({ [FILE]: text });
      const rules = readEnablement(dir);
      expect(rules.problem?.message).toContain(join(dir, FILE));
      expect(isEnabled(rules, 'demo', '/anywhere')).toBe(false);
      await expect(setEnabled(dir, 'demo', { ...PLACES, enabled: true, scope: 'user' })).rejects.toThrow(
        'damaged',
      );
      expect(readFileSync(join(dir, FILE), 'utf8')).toBe(text);
    },
  );

  it('reads an empty file as no rules', () => {
    const dir = folderWith();
    addFiles(dir, { [FILE]: '' });
    expect(readEnablement(dir).problem).toBeUndefined();
  });
});
